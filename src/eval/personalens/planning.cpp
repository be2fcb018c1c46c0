#include "eval/personalens/planning.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>
#include <numeric>

#include "base/text.hpp"
#include "eval/data_version.hpp"
#include "eval/personalens/dimension.hpp"
#include "eval/personalens/drawn_users.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/import_pack.hpp"
#include "eval/personalens/lens.hpp"
#include "eval/personalens/user_choice.hpp"
#include "files/paths.hpp"
#include "files/safe_name.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::personalens {
namespace {

using files::check_not_same_file;
using files::make_absolute;

constexpr int kFewUsers = 30;  // where none are named: the smallest usual sample

std::string make_whole_name(const std::string& name) {
  return llm::make_absolute_name(route_lens_model(name));
}

Result<std::vector<int>> list_all_users(const LensPlan& plan) {
  std::vector<int> users(kUserCount);
  std::iota(users.begin(), users.end(), 0);
  if (plan.data.empty()) return users;
  ASSIGN_OR_RETURN(const auto source, open_folder_users(plan.data));
  return source->list_users();
}

// Fills in the plan's users, and how many of those that were named are not there.
Result<void> choose_users(LensPlan& plan) {
  const UserWishes& wishes = plan.wishes;
  ASSIGN_OR_RETURN(const std::vector<int> all, list_all_users(plan));
  ASSIGN_OR_RETURN(const auto named, find_named_users(wishes, all.back()));
  if (!named) {
    if (!plan.converse)
      std::ranges::set_intersection(list_user_numbers(plan.tree + "/dialogue"), all,
                                    std::back_inserter(plan.users));
    if (!plan.users.empty()) return {};
    plan.users = all;
    if (plan.data.empty()) {
      ASSIGN_OR_RETURN(plan.users, find_sample(kFewUsers));
    }
    return {};
  }
  // A range or a sample may reach beyond the users that there are; a user named alone may not.
  std::ranges::set_intersection(*named, all, std::back_inserter(plan.users));
  const std::string list = wishes.users.value_or("");
  for (const std::string_view part : split(list, ','))
    if (const auto alone = find_integer_in(trim(part));
        alone && !std::ranges::binary_search(all, *alone))
      return fail(ErrorKind::NotFound,
                  "there is no such user: user{} is not among the {} users, user{} to user{}",
                  *alone, all.size(), all.front(), all.back());
  if (plan.users.empty())
    return fail(ErrorKind::NotFound, "there is no such user: there are {}, from user{} to user{}",
                all.size(), all.front(), all.back());
  const bool is_open = wishes.first.has_value() != wishes.last.has_value();  // it names nobody
  if (!is_open) plan.absent = std::ssize(*named) - std::ssize(plan.users);
  return {};
}

Result<std::vector<Knowledge>> choose_contexts(const LensOptions& options) {
  if (!options.sweep) return std::vector{options.knowledge};
  if (options.knowledge != Knowledge{})
    return fail(ErrorKind::Invalid,
                "`context_sweep` names the contexts: leave out `demographics`, `past_interactions` "
                "and `situation`");
  std::vector<Knowledge> contexts;
  const std::string list =
      *options.sweep == "all" ? std::string("none,d,p,s,dp,ds,ps,dps") : *options.sweep;
  for (const std::string_view letters : split(list, ',')) {
    ASSIGN_OR_RETURN(const Knowledge context, parse_letters(trim(letters)));
    if (std::ranges::find(contexts, context) != contexts.end())
      return fail(ErrorKind::Invalid, "`context_sweep` names {} twice", trim(letters));
    contexts.push_back(context);
  }
  return contexts;
}

Result<std::vector<std::string>> choose_keys(const LensOptions& options) {
  std::optional<Side> side;
  if (options.side == JudgedSide::User) side = Side::User;
  if (options.side == JudgedSide::Assistant) side = Side::Assistant;
  std::vector<std::string> names = options.dimensions;
  if (names.empty()) names = {"published"};
  std::vector<std::string> keys;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const auto chosen, choose_dimensions(name, side));
    for (const Dimension* dimension : chosen)
      if (std::ranges::find(keys, dimension->key()) == keys.end()) keys.push_back(dimension->key());
  }
  return keys;
}

Result<void> choose_lens_judges(const PlanContext& context, LensPlan& plan) {
  ASSIGN_OR_RETURN(plan.dimensions, choose_keys(plan));
  std::vector<std::string> names = std::exchange(plan.judges, {});
  if (names.empty()) {
    // For a run without keys, or whose model is local, the model itself is all there is.
    const auto judge = choose_model(context, "");
    if (!judge && plan.assistant.empty()) return std::unexpected(judge.error());
    names.push_back(judge ? *judge : plan.assistant);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(plan.judges, make_whole_name(name)) != plan.judges.end())
      return fail(ErrorKind::Invalid,
                  "{} is named twice; to ask it several times use `judge_repeats`",
                  printable(name));
    plan.judges.push_back(make_whole_name(name));
    plan.judge_labels.push_back(label_lens_model(name));
  }
  return {};
}

Result<void> choose_lens_models(const PlanContext& context, std::string_view stage,
                                LensPlan& plan) {
  if (plan.converse) {
    ASSIGN_OR_RETURN(const std::string model, choose_model(context, plan.assistant));
    plan.assistant = make_whole_name(model);
    plan.assistant_label = label_lens_model(model);
    plan.user_model = make_whole_name(plan.user_model.empty() ? model : plan.user_model);
  } else {
    if (plan.assistant.empty())
      return fail(ErrorKind::Invalid,
                  "name the assistant whose dialogues are to be evaluated with `model`: its name "
                  "when they were made, or its folder");
    plan.assistant_label = label_lens_model(plan.assistant);
    plan.assistant.clear();
  }
  if (stage != "generate") RETURN_IF_ERROR(choose_lens_judges(context, plan));
  if (!plan.reader.empty()) {
    ASSIGN_OR_RETURN(plan.reader, choose_reader(context, plan.reader, plan.assistant));
  }
  return {};
}

Result<void> check_judging(const LensRequest& request) {
  const judge::JudgeOptions& judging = request.options.judging;
  const bool has_canaries = request.given.contains("canaries") && request.options.canaries > 0;
  if (request.options.protocol == Protocol::Chat ||
      (judging.repeats == 1 && judging.orders == judge::Orders::Ascending &&
       judging.form == judge::ReplyForm::Auto && !has_canaries))
    return {};
  return fail(ErrorKind::Invalid,
              "the reference protocol asks a judge once, with the published program's prompts: "
              "leave out `judge_repeats`, `both_orders`, `verdicts` and `canaries`");
}

Result<void> choose_content(const PlanContext& context, LensPlan& plan) {
  ASSIGN_OR_RETURN(plan.ours, find_data(context, "lens"));
  const std::string data = std::exchange(plan.data, "");
  const std::string words = std::exchange(plan.words, plan.ours);
  if (plan.pack) {
    ASSIGN_OR_RETURN(plan.words, find_pack(context, *plan.pack));
    ASSIGN_OR_RETURN(plan.data, find_pack_users(plan.words));
  }
  if (!words.empty()) plan.words = make_absolute(words);
  if (!data.empty()) plan.data = make_absolute(data);
  if (plan.data_version && !plan.data.empty())
    return fail(
        ErrorKind::Invalid,
        "`data_version` chooses among our own users, but those of {} are named: leave it out",
        printable(plan.data));
  RETURN_IF_ERROR(find_data_version(plan.ours, kVocabularyVersion, plan.data_version));
  if (plan.data.empty()) plan.data_version = plan.data_version.value_or(kVocabularyVersion);
  return {};
}

// That files can be written there, before anything is asked.
Result<void> check_tree(const std::string& tree) {
  if (tree.empty()) return {};
  std::error_code failed;
  std::filesystem::create_directories(tree, failed);
  if (!failed && access(tree.c_str(), W_OK) == 0) return {};
  return fail(ErrorKind::Invalid, "nothing can be written to {}: name another folder with `tree`",
              printable(tree));
}

PreparedEvaluation prepare_from(const LensPlan& plan) {
  PreparedEvaluation prepared;
  prepared.command = "lens";
  prepared.plan = to_json(plan);
  prepared.addressed = {plan.assistant};
  prepared.has_judge = !plan.judges.empty();
  prepared.make = make_with<Lens>(plan);
  return prepared;
}

}  // namespace

std::string route_lens_model(const std::string& name) {
  const std::string id = llm::bedrock_model_id(name);
  return id == name ? name : "bedrock/" + id;
}

std::string label_lens_model(const std::string& name) {
  return files::make_safe_name(name);
}

Result<LensPlan> make_lens_plan(const PlanContext& context, const LensRequest& request,
                                LensContent* content) {
  RETURN_IF_ERROR(check_judging(request));
  LensPlan plan;
  static_cast<LensOptions&>(plan) = request.options;
  plan.converse = request.stage != "evaluate";
  RETURN_IF_ERROR(choose_content(context, plan));
  plan.single = !plan.multi_domain || plan.both_spans;
  plan.multi = plan.multi_domain || plan.both_spans;
  plan.single_turns = plan.max_turns.value_or(plan.single_turns);
  plan.multi_turns = plan.max_turns.value_or(plan.multi_turns);
  if (plan.protocol == Protocol::Reference) plan.canaries = 0;  // its calls must be equal
  if (plan.tree.empty() && request.stage != "run") plan.tree = "output";
  if (!plan.tree.empty()) plan.tree = make_absolute(plan.tree);
  for (const std::string& source : {plan.data, plan.words})
    RETURN_IF_ERROR(check_not_same_file(request.run.output.value_or(""), source, "items"));
  ASSIGN_OR_RETURN(plan.contexts, choose_contexts(plan));
  RETURN_IF_ERROR(choose_users(plan));
  ASSIGN_OR_RETURN(LensContent loaded, load_content(plan));
  plan.sha256 = loaded.sha256;
  if (content) *content = std::move(loaded);
  ASSIGN_OR_RETURN(plan.users_sha256, hash_users(plan));
  RETURN_IF_ERROR(choose_lens_models(context, request.stage, plan));
  return plan;
}

std::vector<core::OptionSpec> list_lens_options(std::string_view stage) {
  auto options = lens_options().specs(stage);
  for (core::OptionSpec& spec : run_options().specs()) {
    if (spec.name == "base_url" && stage == "evaluate") continue;
    if (spec.name == "output") {
      spec.name = "items";
      spec.short_flag.clear();
      spec.sentence = "write one line per dialogue to this file; - is standard output";
    }
    options.push_back(std::move(spec));
  }
  return options;
}

Result<PreparedEvaluation> prepare_lens(const PlanContext& context, std::string_view stage,
                                        const Json& given) {
  LensRequest request{.stage = stage, .given = given};
  ASSIGN_OR_RETURN(request.options, lens_options().parse(given));
  ASSIGN_OR_RETURN(request.run, run_options().parse(given));
  request.run.output = find_text(given, "items");
  // Shared by the copies of `make`, so that what was loaded for the plan is not loaded again.
  const auto content = std::make_shared<LensContent>();
  ASSIGN_OR_RETURN(const LensPlan plan, make_lens_plan(context, request, content.get()));
  PreparedEvaluation prepared = prepare_from(plan);
  prepared.make = [plan,
                   content](const FindModel& find_model) -> Result<std::unique_ptr<Evaluation>> {
    ASSIGN_OR_RETURN(auto made, Lens::create(plan, find_model, content.get()));
    return std::unique_ptr<Evaluation>(std::move(made));
  };
  prepared.options = request.run;
  prepared.prepare_outputs = [tree = plan.tree] { return check_tree(tree); };
  return prepared;
}

Result<PreparedEvaluation> load_lens(const Json& stored) {
  ASSIGN_OR_RETURN(const LensPlan plan, parse_lens_plan(stored));
  ASSIGN_OR_RETURN(const std::string users, hash_users(plan));
  if (!plan.users_sha256.empty() && plan.users_sha256 != users)
    return fail(ErrorKind::Invalid,
                "the users' files in {} have changed since the run was started; start a new run "
                "(unchanged calls get their stored answers)",
                printable(plan.data));
  return prepare_from(plan);
}

}  // namespace personascope::eval::personalens
