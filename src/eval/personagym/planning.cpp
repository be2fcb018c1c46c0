#include "eval/personagym/planning.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "eval/personagym/gym.hpp"
#include "eval/personagym/inputs.hpp"
#include "eval/personagym/pack_version.hpp"
#include "eval/personagym/plan_folders.hpp"
#include "eval/personagym/plan_personas.hpp"
#include "eval/personagym/private_split.hpp"
#include "files/paths.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::personagym {
namespace {

namespace fs = std::filesystem;
using files::check_not_same_file;
using files::make_absolute;

constexpr const char* kNone = "none";

std::string make_name(const std::string& name) {
  return llm::make_absolute_name(route_model_name(name));
}

Stage stage_named(std::string_view stage) {
  if (stage == "questions") return Stage::Questions;
  return stage == "answer" ? Stage::Answers : Stage::Grades;
}

// No input is overwritten.
Result<void> check_outputs(const GymRequest& request, const GymPlan& plan) {
  std::vector<std::string> sources = plan.task_files;
  sources.push_back(plan.personas_file.value_or(""));
  for (const std::string& source : sources)
    RETURN_IF_ERROR(check_not_same_file(plan.scores_to, source, "scores"));
  sources.push_back(plan.questions_from);
  sources.push_back(plan.responses_from);
  for (const std::string& source : sources)
    RETURN_IF_ERROR(check_not_same_file(request.run.output.value_or(""), source));
  return {};
}

Result<std::vector<std::string>> choose_judges(const PlanContext& context, const GymPlan& plan) {
  std::vector<std::string> judges;
  for (const std::string& judge : plan.judges) {
    judges.push_back(make_name(judge));
    if (std::ranges::count(judges, judges.back()) > 1)
      return fail(ErrorKind::Invalid,
                  "{} is named twice; to ask it several times use `judge_repeats`",
                  printable(judges.back()));
  }
  if (!judges.empty() || (plan.until != Stage::Grades && !plan.question_model.empty()))
    return judges;
  // For a run without keys, or whose model is local, the model itself is all there is.
  auto judge = choose_model(context, "");
  if (!judge && plan.until == Stage::Grades) return std::unexpected(judge.error());
  return std::vector{make_name(judge ? *judge : plan.model)};
}

Result<void> choose_models(const PlanContext& context, GymPlan& plan) {
  const bool reference = plan.protocol == Protocol::Reference;
  const bool answers = plan.until != Stage::Questions && plan.responses_from.empty();
  if (answers || !plan.model.empty()) {
    ASSIGN_OR_RETURN(const std::string model, choose_model(context, plan.model));
    plan.model = make_name(model);
  }
  ASSIGN_OR_RETURN(plan.judges, choose_judges(context, plan));
  plan.question_model =
      make_name(plan.question_model.empty() ? plan.judges.front() : plan.question_model);
  const std::string examples = std::exchange(plan.example_model, "");
  const std::string reader = std::exchange(plan.reader, "");
  if (plan.until != Stage::Grades) {
    plan.judges.clear();
    return {};
  }
  // Examples by a tiny model confuse its judge more than they steady it.
  const bool is_embedded = plan.judges.front().starts_with("embedded/");
  if (!examples.empty() && examples != kNone) plan.example_model = make_name(examples);
  if (examples.empty() && (reference || !is_embedded)) plan.example_model = plan.judges.front();
  if (!reader.empty() || !reference) {
    ASSIGN_OR_RETURN(plan.reader, choose_reader(context, reader, plan.model));
  }
  return {};
}

Result<void> choose_pack(const PlanContext& context, GymPlan& plan) {
  ASSIGN_OR_RETURN(plan.ours, find_data(context, "gym"));
  plan.pack = plan.ours;
  if (plan.data_version && plan.benchmark)
    return fail(ErrorKind::Invalid,
                "`data_version` is of our own pack, not of `benchmark` {}: leave one of them out",
                printable(*plan.benchmark));
  if (plan.data_version) {
    ASSIGN_OR_RETURN(plan.pack, find_pack_version(plan.ours, *plan.data_version));
  }
  if (!plan.benchmark) return {};
  const auto pack = find_pack(context, *plan.benchmark);
  std::error_code ignored;
  const std::string folder = find_folder("questions", *plan.benchmark);
  if (!pack && !fs::is_directory(folder, ignored)) return std::unexpected(pack.error());
  if (pack)
    plan.pack = *pack;
  else
    plan.questions_from = folder;
  return {};
}

// The private split brings its own personas and questions.
Result<void> check_split(GymPlan& plan) {
  if (plan.split == Split::Public) {
    if (plan.seed_file.empty()) return {};
    return fail(ErrorKind::Invalid, "`seed_file` is only for `split` private");
  }
  if (plan.seed_file.empty())
    return fail(ErrorKind::Invalid, "`split` private needs a file with a seed: `seed_file`");
  if (!plan.persona_texts.empty() || plan.persona_list || plan.personas_file || plan.benchmark ||
      plan.fresh_questions || plan.saved_questions)
    return fail(
        ErrorKind::Invalid,
        "`split` private has its own personas and questions: leave out those that you name");
  plan.seed_file = make_absolute(plan.seed_file);
  return {};
}

// Decides whether probes are asked, and whether the rubrics beside tasks are.
Result<void> choose_side_scores(std::string_view stage, const Pack& pack, GymPlan& plan) {
  constexpr std::int64_t kWholeTask = 10;
  const bool is_strict = plan.protocol == Protocol::Strict;
  plan.judges_beside = is_strict && plan.until == Stage::Grades;
  const bool asks = stage == "run" && plan.responses_from.empty();
  const bool has_probes = std::ranges::any_of(plan.personas, [&](const Persona& persona) {
    return !list_probes(pack, persona.text).empty();
  });
  if (plan.probes == Probes::Auto)
    plan.probes = is_strict && asks && has_probes && plan.tasks.empty() &&
                          plan.questions_from.empty() && plan.ready_made == ReadyMade::Use &&
                          plan.questions_per_task >= kWholeTask
                      ? Probes::All
                      : Probes::None;
  if (plan.probes == Probes::None) return {};
  if (!is_strict)
    return fail(ErrorKind::Invalid, "`probes` are not part of the reference protocol");
  if (!asks)
    return fail(ErrorKind::Invalid,
                "`probes` cannot be asked: the answers are from {}, and nobody is asked",
                printable(plan.responses_from));
  if (!has_probes)
    return fail(ErrorKind::Invalid,
                "none of the personas has `probes`: only those with ready-made questions have");
  return {};
}

PreparedEvaluation prepare(const GymPlan& plan) {
  PreparedEvaluation prepared;
  prepared.command = "gym";
  prepared.plan = to_json(plan);
  prepared.addressed = {plan.model};
  prepared.has_judge = !plan.judges.empty();
  prepared.make = make_with<Gym>(plan);
  return prepared;
}

}  // namespace

std::string route_model_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash != std::string::npos && llm::find_provider(name.substr(0, slash))) return name;
  const std::string low = lower(name);
  if (low.find("gpt") != std::string::npos) return "openai/" + name;
  if (low.find("claude") != std::string::npos) return "anthropic/" + name;
  if (low.find("llama") != std::string::npos) return "together/" + name;
  return name;
}

Result<GymPlan> make_gym_plan(const PlanContext& context, const GymRequest& request) {
  GymPlan plan;
  static_cast<GymOptions&>(plan) = request.options;
  plan.until = stage_named(request.stage);
  if (plan.as_published && plan.protocol != Protocol::Reference)
    return fail(ErrorKind::Invalid, "`as_published` is only for `protocol` reference");
  RETURN_IF_ERROR(choose_pack(context, plan));
  RETURN_IF_ERROR(check_split(plan));
  ASSIGN_OR_RETURN(Pack pack, load_pack(plan.pack, plan.ours));
  plan.pack_sha256 = pack.sha256;
  RETURN_IF_ERROR(use_split(plan, pack));
  for (std::string& file : plan.task_files) file = make_absolute(file);
  const bool fresh = plan.until == Stage::Questions && request.fresh;
  if (plan.fresh_questions || fresh) plan.ready_made = ReadyMade::Ignore;
  if (plan.protocol == Protocol::Reference) plan.canaries = 0;  // its calls must be equal
  RETURN_IF_ERROR(choose_folders(request.stage, plan));
  ASSIGN_OR_RETURN(plan.personas, choose_personas(plan, pack));
  RETURN_IF_ERROR(settle_folders(request.stage, plan));
  RETURN_IF_ERROR(choose_side_scores(request.stage, pack, plan));
  RETURN_IF_ERROR(check_outputs(request, plan));
  ASSIGN_OR_RETURN(plan.inputs_sha256, hash_inputs(plan));
  RETURN_IF_ERROR(choose_models(context, plan));
  plan.distractors = choose_distractors(plan, pack);
  if (plan.personas_file) plan.personas_file = make_absolute(*plan.personas_file);
  // The personas are in the plan, with their ids.
  plan.persona_texts.clear();
  plan.persona_list.reset();
  return plan;
}

std::vector<core::OptionSpec> list_gym_options(std::string_view stage) {
  auto options = gym_options().specs(stage);
  const bool asks = stage == "run" || stage == "answer";
  for (core::OptionSpec& spec : run_options().specs())
    if (asks || spec.name != "base_url") options.push_back(std::move(spec));
  return options;
}

Result<PreparedEvaluation> prepare_gym(const PlanContext& context, std::string_view stage,
                                       const Json& given) {
  GymRequest request{.stage = stage};
  ASSIGN_OR_RETURN(request.options, gym_options().parse(given));
  ASSIGN_OR_RETURN(request.run, run_options().parse(given));
  if (const Json* fresh = find_member(given, "fresh")) request.fresh = *fresh == true;
  ASSIGN_OR_RETURN(const GymPlan plan, make_gym_plan(context, request));
  PreparedEvaluation prepared = prepare(plan);
  prepared.options = request.run;
  prepared.prepare_outputs = [plan] { return make_folders(plan); };
  return prepared;
}

Result<PreparedEvaluation> load_gym(const Json& stored) {
  ASSIGN_OR_RETURN(const GymPlan plan, parse_gym_plan(stored));
  return prepare(plan);
}

}  // namespace personascope::eval::personagym
