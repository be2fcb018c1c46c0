#include "app/lens.hpp"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "app/data.hpp"
#include "app/models.hpp"
#include "app/paths.hpp"
#include "base/text.hpp"
#include "eval/personalens/drawn_users.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/import_pack.hpp"
#include "eval/personalens/lens.hpp"
#include "eval/personalens/user_choice.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

namespace lens = eval::personalens;
namespace fs = std::filesystem;

constexpr std::int64_t kFewUsers = 30;  // where none are named: the smallest usual sample

std::string make_name(const std::string& name) {
  return llm::make_absolute_name(route_lens_model(name));
}

// Fills in the plan's users, and how many of those that were named are not there.
Result<void> choose_users(const UserWishes& wishes, lens::LensPlan& plan) {
  ASSIGN_OR_RETURN(const auto source, lens::open_users(plan));
  const std::vector<int> all = source->list_users();
  ASSIGN_OR_RETURN(const auto named, find_named_users(wishes, all.back()));
  if (!named) {
    if (!plan.converse)
      std::ranges::set_intersection(lens::list_user_numbers(plan.tree + "/dialogue"), all,
                                    std::back_inserter(plan.users));
    if (!plan.users.empty()) return {};
    plan.users = all;
    if (plan.data.empty()) {
      ASSIGN_OR_RETURN(plan.users, lens::find_sample(static_cast<int>(kFewUsers)));
    }
    return {};
  }
  // A range or a sample may reach beyond the users that there are; a user named alone may not.
  std::ranges::set_intersection(*named, all, std::back_inserter(plan.users));
  for (const std::string_view part : split(wishes.users.value_or(""), ','))
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

Result<std::vector<lens::Knowledge>> choose_contexts(const LensCommand& command) {
  const lens::Knowledge flags{command.demographics, command.past, command.situation};
  if (!command.sweep) return std::vector{flags};
  if (flags != lens::Knowledge{})
    return fail(ErrorKind::Invalid,
                "--context-sweep names the contexts: leave out -d, -p and --situation");
  std::vector<lens::Knowledge> contexts;
  const std::string list =
      *command.sweep == "all" ? std::string("none,d,p,s,dp,ds,ps,dps") : *command.sweep;
  for (const std::string_view letters : split(list, ',')) {
    ASSIGN_OR_RETURN(const lens::Knowledge context, lens::parse_letters(trim(letters)));
    if (std::ranges::find(contexts, context) != contexts.end())
      return fail(ErrorKind::Invalid, "--context-sweep names {} twice", trim(letters));
    contexts.push_back(context);
  }
  return contexts;
}

Result<std::vector<std::string>> choose_keys(const LensCommand& command) {
  std::optional<lens::Side> side;
  if (command.side == LensSide::User) side = lens::Side::User;
  if (command.side == LensSide::Assistant) side = lens::Side::Assistant;
  std::vector<std::string> names = command.dimensions;
  if (names.empty()) names = {"published"};
  std::vector<std::string> keys;
  for (const std::string& name : names) {
    ASSIGN_OR_RETURN(const auto chosen, lens::choose_dimensions(name, side));
    for (const lens::Dimension* dimension : chosen)
      if (std::ranges::find(keys, dimension->key()) == keys.end()) keys.push_back(dimension->key());
  }
  return keys;
}

Result<void> choose_judges(const Context& context, const LensCommand& command,
                           lens::LensPlan& plan) {
  ASSIGN_OR_RETURN(plan.dimensions, choose_keys(command));
  std::vector<std::string> names = command.judges;
  if (names.empty()) {
    // For a run without keys, or whose model is local, the model itself is all there is.
    const auto judge = choose_model(context, "");
    if (!judge && plan.assistant.empty()) return std::unexpected(judge.error());
    names.push_back(judge ? *judge : plan.assistant);
  }
  for (const std::string& name : names) {
    if (std::ranges::find(plan.judges, make_name(name)) != plan.judges.end())
      return fail(ErrorKind::Invalid,
                  "{} is named twice; to ask it several times use --judge-repeats",
                  printable(name));
    plan.judges.push_back(make_name(name));
    plan.judge_labels.push_back(label_lens_model(name));
  }
  return {};
}

Result<void> choose_models(const Context& context, const LensCommand& command,
                           lens::LensPlan& plan) {
  if (plan.converse) {
    ASSIGN_OR_RETURN(const std::string model, choose_model(context, command.model));
    plan.assistant = make_name(model);
    plan.assistant_label = label_lens_model(model);
    plan.user_model = make_name(command.user_model.value_or(model));
  } else {
    if (command.model.empty())
      return fail(ErrorKind::Invalid,
                  "name the assistant whose dialogues are to be evaluated with --model, as it was "
                  "named when they were held, or as its folder is called");
    plan.assistant_label = label_lens_model(command.model);
  }
  if (command.stage != LensStage::Generate) RETURN_IF_ERROR(choose_judges(context, command, plan));
  if (command.reader) {
    ASSIGN_OR_RETURN(plan.reader, choose_reader(context, command.reader, plan.assistant));
  }
  return {};
}

void set_numbers(const LensCommand& command, lens::LensPlan& plan) {
  set_if(plan.tasks_per_user, command.tasks_per_user);
  set_if(plan.limit, command.limit);
  set_if(plan.seed, command.seed);
  set_if(plan.readings, command.readings);
  set_if(plan.canaries, command.canaries);
  if (command.protocol == LensProtocol::Reference) plan.canaries = 0;  // its calls must be equal
  set_if(plan.single_turns, command.max_turns);
  set_if(plan.multi_turns, command.max_turns);
  set_if(plan.max_tokens, command.max_tokens);
  set_if(plan.user_temperature, command.user_temperature);
  set_if(plan.assistant_temperature, command.temperature);
  plan.judging = command.judging;
  plan.rule = command.rule;
}

Result<void> check_judging(const LensCommand& command) {
  const judge::JudgeOptions& judging = command.judging;
  if (command.protocol == LensProtocol::Chat ||
      (judging.repeats == 1 && judging.orders == judge::Orders::Ascending &&
       judging.form == judge::ReplyForm::Auto && command.canaries.value_or(0) == 0))
    return {};
  return fail(ErrorKind::Invalid,
              "--protocol reference asks a judge once, in the published program's words: leave out "
              "--judge-repeats, --both-orders, --verdicts and --canaries");
}

Result<lens::LensPlan> make_plan(const Context& context, const LensCommand& command) {
  RETURN_IF_ERROR(check_judging(command));
  lens::LensPlan plan;
  plan.protocol = command.protocol;
  plan.converse = command.stage != LensStage::Evaluate;
  ASSIGN_OR_RETURN(plan.ours, find_data(context, "lens"));
  plan.words = plan.ours;
  if (command.pack) {
    ASSIGN_OR_RETURN(plan.words, find_pack(context, *command.pack));
    ASSIGN_OR_RETURN(plan.data, lens::find_pack_users(plan.words));
  }
  if (command.words) plan.words = make_absolute(*command.words);
  if (command.data) plan.data = make_absolute(*command.data);
  plan.single = !command.multi || command.both;
  plan.multi = command.multi || command.both;
  plan.domains = command.domains;
  plan.tasks = command.tasks;
  set_numbers(command, plan);
  if (command.tree)
    plan.tree = make_absolute(*command.tree);
  else if (command.stage != LensStage::Run)
    plan.tree = make_absolute("output");
  for (const std::string& source : {plan.data, plan.words})
    RETURN_IF_ERROR(check_not_same_file(command.items.value_or(""), source, "--items"));
  ASSIGN_OR_RETURN(plan.contexts, choose_contexts(command));
  RETURN_IF_ERROR(choose_users(command.users, plan));
  ASSIGN_OR_RETURN(plan.sha256, lens::hash_content(plan));
  ASSIGN_OR_RETURN(plan.users_sha256, lens::hash_users(plan));
  RETURN_IF_ERROR(choose_models(context, command, plan));
  return plan;
}

EvaluationSetup make_setup(const lens::LensPlan& plan) {
  return {.command = "lens",
          .plan = lens::to_json(plan),
          .model = plan.assistant,
          .has_judge = !plan.judges.empty(),
          .make = make_with<lens::Lens>(plan)};
}

// That files can be written there, before anything is asked.
Result<void> check_tree(const std::string& tree) {
  if (tree.empty()) return {};
  std::error_code failed;
  fs::create_directories(tree, failed);
  if (!failed && access(tree.c_str(), W_OK) == 0) return {};
  return fail(ErrorKind::Invalid, "nothing can be written to {}: name another folder with --output",
              printable(tree));
}

EvaluationFlags flags_of(const LensCommand& command) {
  return {.output = command.items, .base_url = command.base_url, .engine = command.engine};
}

}  // namespace

Result<std::optional<std::vector<int>>> find_named_users(const UserWishes& wishes,
                                                         std::optional<int> last) {
  const bool by_index = wishes.first || wishes.last;
  if ((wishes.users ? 1 : 0) + (wishes.sample ? 1 : 0) + (by_index ? 1 : 0) > 1)
    return fail(ErrorKind::Invalid,
                "users are named in two ways: use one of --users, --sample and --start_index with "
                "--end_index");
  if (wishes.users) {
    ASSIGN_OR_RETURN(auto users, lens::parse_user_ranges(*wishes.users));
    return std::optional(std::move(users));
  }
  if (wishes.sample) {
    ASSIGN_OR_RETURN(auto users, lens::find_sample(static_cast<int>(*wishes.sample)));
    return std::optional(std::move(users));
  }
  if (!by_index) return std::optional<std::vector<int>>{};
  constexpr std::int64_t kFarAway = 500'000;  // users after the first
  const std::int64_t first = wishes.first.value_or(0);
  const std::int64_t open_end = last ? std::max<std::int64_t>(first, *last) : first + kFarAway;
  ASSIGN_OR_RETURN(auto users, lens::parse_user_ranges(
                                   fmt::format("{}-{}", first, wishes.last.value_or(open_end))));
  return std::optional(std::move(users));
}

Result<run::RunSummary> start_lens(Context& context, const LensCommand& command,
                                   const Listener& listener) {
  ASSIGN_OR_RETURN(const lens::LensPlan plan, make_plan(context, command));
  RETURN_IF_ERROR(check_tree(plan.tree));
  return start_evaluation(context, make_setup(plan), flags_of(command), listener);
}

Result<std::vector<run::Estimate>> estimate_lens(Context& context, const LensCommand& command) {
  ASSIGN_OR_RETURN(const lens::LensPlan plan, make_plan(context, command));
  return estimate_evaluation(context, make_setup(plan), flags_of(command));
}

Result<EvaluationSetup> load_lens(const Json& stored) {
  ASSIGN_OR_RETURN(const lens::LensPlan plan, lens::parse_lens_plan(stored));
  ASSIGN_OR_RETURN(const std::string users, lens::hash_users(plan));
  if (!plan.users_sha256.empty() && plan.users_sha256 != users)
    return fail(ErrorKind::Invalid,
                "the users' files in {} have changed since the run was started; start a new run "
                "(answers to what is the same are found again)",
                printable(plan.data));
  return make_setup(plan);
}

}  // namespace personascope::app
