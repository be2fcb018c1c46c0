#include "eval/persona_bench/planning.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "eval/data_version.hpp"
#include "eval/persona_bench/bench.hpp"
#include "eval/persona_bench/comparison.hpp"
#include "eval/persona_bench/plan_choices.hpp"
#include "eval/persona_bench/reference_prompts.hpp"
#include "eval/persona_bench/trial.hpp"
#include "files/paths.hpp"
#include "files/text_file.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval::persona_bench {
namespace {

using files::check_not_same_file;
using files::make_absolute;

constexpr const char* kNobody = "none";
constexpr const char* kAllPairs = "all";
constexpr std::int64_t kBenchDataVersion = 2;

Result<void> choose_bench_models(const PlanContext& context, BenchPlan& plan) {
  ASSIGN_OR_RETURN(const std::string model, choose_model(context, plan.model));
  plan.model = name_bench_model(model);
  if (plan.judge == kNobody) {
    plan.judge.clear();
    if (plan.kind == Kind::Comparison) return {};
    return fail(ErrorKind::Invalid, "bench {} needs a critic: name it with `judge`",
                name_of(plan.kind));
  }
  // The published package's variable for the critic.
  if (plan.judge.empty())
    plan.judge = find_setting(context, std::nullopt, "INSPECT_EVAL_MODEL").value_or("");
  ASSIGN_OR_RETURN(const std::string judge, choose_model(context, plan.judge));
  plan.judge = name_bench_model(judge);
  return {};
}

Result<void> choose_controls(const PlanContext& context, BenchPlan& plan) {
  constexpr std::int64_t kUsual = 20;
  const bool shows_nobody =
      std::ranges::all_of(plan.modes, [](Mode mode) { return mode == Mode::Baseline; });
  const auto& text = plan.controls_wanted;
  std::int64_t wanted = kUsual;
  if (text && *text != kAllPairs && *text != kNobody) {
    const auto number = find_integer_in(*text);
    if (!number || *number < 0)
      return fail(ErrorKind::Invalid, "`controls` must be all, none or a number of pairs, not {}",
                  printable(*text));
    wanted = *number;
  }
  if (text == kAllPairs) wanted = plan.n;
  if (text == kNobody || shows_nobody) wanted = 0;
  plan.controls = std::min(wanted, plan.n);
  plan.canaries = std::min(plan.canaries, plan.n);
  // Leave-one-out is read only if asked: it takes a pass for each attribute of each answer.
  const bool is_read = plan.controls > 0 && plan.kind != Kind::Loo;
  const std::string reader = std::exchange(plan.reader, "");
  if (!reader.empty() || is_read) {
    ASSIGN_OR_RETURN(plan.reader, choose_reader(context, reader, plan.model));
  }
  return {};
}

// What only one of the protocols has is not given to the other.
Result<void> choose_protocol(const BenchRequest& request, BenchPlan& plan) {
  if (plan.protocol == Protocol::Strict) {
    for (const char* option : {"parser", "prompts"})
      if (request.given.contains(option))
        return fail(ErrorKind::Invalid, "`{}` belongs to the reference protocol (`protocol`)",
                    option);
    return {};
  }
  for (const char* option : {"critics", "controls", "canaries", "epochs"})
    if (request.given.contains(option))
      return fail(ErrorKind::Invalid, "`{}` is not part of the reference protocol", option);
  const std::string& reader = request.options.reader;
  if (!reader.empty() && reader != kNobody)
    return fail(ErrorKind::Invalid, "`reader` is not part of the reference protocol");
  if (plan.pairing == Pairing::Random)
    return fail(ErrorKind::Invalid, "`pairs` random is not part of the reference protocol");
  if (plan.modes.size() > 1)
    return fail(ErrorKind::Invalid, "`mode` all is not part of the reference protocol");
  plan.parser = name_bench_model(plan.parser.empty() ? "openai/gpt-4o" : plan.parser);
  plan.temperature = request.options.temperature;
  plan.controls = 0;
  plan.canaries = 0;
  plan.reader.clear();
  plan.limits_answers = request.given.contains("max_output_tokens");
  if (!plan.prompts.empty()) plan.prompts = make_absolute(plan.prompts);
  ASSIGN_OR_RETURN(const auto prompts, load_reference_prompts(plan.folder, plan.prompts));
  plan.prompts_sha256 = prompts.sha256;
  return {};
}

// Of the reference protocol: as many as it takes, or as there are.
std::int64_t reference_pairs(Kind kind, const BenchData& data) {
  const auto pairs =
      static_cast<std::int64_t>(std::min(data.personas.size(), data.questions.size()));
  if (kind == Kind::Intersectionality) return pairs;
  return std::min<std::int64_t>(pairs, kind == Kind::Loo ? 30 : 300);
}

std::int64_t default_pairs(Kind kind) {
  switch (kind) {
    case Kind::Loo:
      return 30;
    case Kind::PassAtK:
      return 50;
    case Kind::Comparison:
      return 1000000;  // all of them
    default:
      return 300;
  }
}

// No input is overwritten, and what will be written can be.
Result<void> check_bench_outputs(const PlanContext& context, const BenchRequest& request,
                                 const BenchPlan& plan) {
  const std::string output = make_absolute(request.run.output.value_or(""));
  std::vector<std::string> sources{plan.personas, plan.questions};
  if (plan.kind == Kind::Loo)
    sources.push_back(find_setting(context, plan.attributes_file, "LOO_JSON").value_or(""));
  if (plan.kind == Kind::Intersectionality)
    sources.push_back(
        find_setting(context, plan.populations_file, "INTERSECTION_JSON").value_or(""));
  for (const std::string& source : sources) {
    RETURN_IF_ERROR(check_not_same_file(output, source));
    RETURN_IF_ERROR(check_not_same_file(plan.csv_to, source, "csv"));
  }
  if (plan.csv_to.empty()) return {};
  if (output == plan.csv_to || !check_not_same_file(output, plan.csv_to))
    return fail(ErrorKind::Invalid, "`output` and `csv` name the same file: {}", printable(output));
  RETURN_IF_ERROR(files::NewFile::create(plan.csv_to));  // can it be written?
  return {};
}

Result<void> fill_from_data(const PlanContext& context, const BenchRequest& request,
                            BenchPlan& plan) {
  RETURN_IF_ERROR(choose_modes(context, plan));
  RETURN_IF_ERROR(choose_critics(plan));
  RETURN_IF_ERROR(choose_controls(context, plan));
  RETURN_IF_ERROR(choose_protocol(request, plan));
  ASSIGN_OR_RETURN(const BenchData data, load_bench_data(plan));
  plan.data_sha256 = data.sha256;
  if (!plan.limit)
    plan.n = plan.protocol == Protocol::Reference ? reference_pairs(plan.kind, data)
                                                  : std::min(plan.n, count_pairs(data));
  if (plan.kind == Kind::Loo) RETURN_IF_ERROR(choose_attributes(context, data, plan));
  if (plan.kind == Kind::Intersectionality)
    RETURN_IF_ERROR(choose_populations(context, data.personas, plan));
  return {};
}

// Our own files are those of the wanted version; prompts and rubrics are always the newest.
Result<void> choose_files(bool compares, BenchPlan& plan) {
  if (plan.data_version && !plan.questions.empty() && (compares || !plan.personas.empty()))
    return fail(ErrorKind::Invalid,
                "`data_version` chooses among our own files, but yours are named: leave it out");
  ASSIGN_OR_RETURN(const std::string ours,
                   find_data_version(plan.folder, kBenchDataVersion, plan.data_version));
  const char* questions = compares ? "/comparisons.jsonl" : "/questions.jsonl";
  plan.personas = plan.personas.empty() ? ours + "/personas.jsonl" : make_absolute(plan.personas);
  plan.questions = plan.questions.empty() ? ours + questions : make_absolute(plan.questions);
  return {};
}

PreparedEvaluation prepare_from(const BenchPlan& plan) {
  PreparedEvaluation prepared;
  prepared.command = "bench";
  prepared.plan = to_json(plan);
  prepared.addressed = {plan.model};
  prepared.has_judge = !plan.judge.empty();
  prepared.make = [plan](const FindModel& find_model) { return make_bench(plan, find_model); };
  return prepared;
}

}  // namespace

std::string name_bench_model(const std::string& name) {
  return llm::make_absolute_name(name.find('/') == std::string::npos ? "openai/" + name : name);
}

Result<BenchPlan> make_bench_plan(const PlanContext& context, const BenchRequest& request) {
  BenchPlan plan;
  static_cast<BenchOptions&>(plan) = request.options;
  plan.kind = request.kind;
  const bool compares = plan.kind == Kind::Comparison;
  ASSIGN_OR_RETURN(plan.folder, find_data(context, "bench"));
  RETURN_IF_ERROR(choose_files(compares, plan));
  plan.n = plan.limit.value_or(default_pairs(plan.kind));
  if (!plan.temperature) plan.temperature = 1;
  if (plan.csv) plan.csv_to = make_absolute(*plan.csv);
  RETURN_IF_ERROR(check_bench_outputs(context, request, plan));
  RETURN_IF_ERROR(choose_bench_models(context, plan));
  if (compares) {
    ASSIGN_OR_RETURN(const auto words, Comparison::load_words(plan));
    plan.data_sha256 = words.sha256;
    plan.canaries = 0;
  } else {
    RETURN_IF_ERROR(fill_from_data(context, request, plan));
  }
  plan.limit = plan.n;
  return plan;
}

std::vector<core::OptionSpec> list_bench_options(std::string_view stage) {
  auto options = bench_options().specs(stage);
  for (core::OptionSpec& spec : run_options().specs()) options.push_back(std::move(spec));
  return options;
}

Result<PreparedEvaluation> prepare_bench(const PlanContext& context, std::string_view stage,
                                         const Json& given) {
  const auto kind = find_kind(stage);
  if (!kind) return fail(ErrorKind::Invalid, "the bench has no evaluation {}", stage);
  BenchRequest request{.kind = *kind, .given = given};
  ASSIGN_OR_RETURN(request.options, bench_options().parse(given));
  ASSIGN_OR_RETURN(request.run, run_options().parse(given));
  ASSIGN_OR_RETURN(const BenchPlan plan, make_bench_plan(context, request));
  PreparedEvaluation prepared = prepare_from(plan);
  prepared.options = request.run;
  return prepared;
}

Result<PreparedEvaluation> load_bench(const Json& stored) {
  ASSIGN_OR_RETURN(const BenchPlan plan, parse_bench_plan(stored));
  return prepare_from(plan);
}

}  // namespace personascope::eval::persona_bench
