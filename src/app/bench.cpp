#include "app/bench.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "app/data.hpp"
#include "app/models.hpp"
#include "app/paths.hpp"
#include "base/text.hpp"
#include "eval/persona_bench/bench.hpp"
#include "eval/persona_bench/comparison.hpp"
#include "eval/persona_bench/reference_prompts.hpp"
#include "eval/persona_bench/trial.hpp"
#include "files/text_file.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

namespace bench = eval::persona_bench;

constexpr const char* kNone = "none";
constexpr const char* kAll = "all";

// What is wrong with something that may have come from a variable, which is then named.
std::string name_origin(bool is_given, const char* variable) {
  return is_given ? "" : fmt::format("{}: ", variable);
}

// The file that a flag or else a variable of the published package names.
std::optional<std::string> find_file(const Context& context,
                                     const std::optional<std::string>& given,
                                     const char* variable) {
  if (given) return given;
  const auto found = context.environment().find(variable);
  if (!found || trim(*found).empty()) return std::nullopt;
  return std::string(*found);
}

// `origin` begins what is said if it fails.
Result<Json> load_json(const std::string& path, const std::string& origin) {
  const auto text = files::load_text(path, 16u << 20);
  if (!text) return std::unexpected(Error{text.error().kind, origin + text.error().message});
  auto value = parse_json(*text);
  if (!value) return fail(ErrorKind::Invalid, "{}{} is not JSON", origin, printable(path));
  return value;
}

// Every attribute of the personas that the run is about, in their order.
Result<std::vector<std::string>> list_attributes(const bench::BenchPlan& plan,
                                                 const bench::BenchData& data) {
  ASSIGN_OR_RETURN(const auto trials, bench::list_trials(plan, data));
  bench::Persona everybody;
  for (const bench::Trial& trial : trials)
    for (const auto& [name, value] : data.personas[trial.persona].attributes)
      if (!everybody.find(name)) everybody.attributes.emplace_back(name, value);
  bench::sort_attributes(everybody);
  std::vector<std::string> names;
  for (const auto& [name, value] : everybody.attributes) names.push_back(name);
  return names;
}

Result<void> choose_attributes(const Context& context, const BenchCommand& command,
                               const bench::BenchData& data, bench::BenchPlan& plan) {
  std::vector<std::string> wanted = command.attributes;
  const auto file = find_file(context, command.attributes_file, "LOO_JSON");
  std::string origin;
  if (file && (wanted.empty() || command.attributes_file)) {
    origin = name_origin(command.attributes_file.has_value(), "LOO_JSON");
    ASSIGN_OR_RETURN(const Json value, load_json(*file, origin));
    const Json* list = find_member(value, "attributes");
    if (!list || !list->is_array() || list->empty() ||
        !std::ranges::all_of(*list, [](const Json& name) { return name.is_string(); }))
      return fail(ErrorKind::Invalid, "{}{} must be {{\"attributes\": [names]}}", origin,
                  printable(*file));
    for (const Json& name : *list) wanted.push_back(name);
  }
  if (wanted.empty()) {
    ASSIGN_OR_RETURN(wanted, list_attributes(plan, data));
  }
  for (const std::string& name : wanted) {
    auto attribute = bench::find_attribute(data.personas, name);
    if (!attribute) return fail(ErrorKind::Invalid, "{}{}", origin, attribute.error().message);
    if (std::ranges::find(plan.attributes, *attribute) == plan.attributes.end())
      plan.attributes.push_back(std::move(*attribute));
  }
  return {};
}

Result<void> choose_populations(const Context& context, const BenchCommand& command,
                                const std::vector<bench::Persona>& personas,
                                bench::BenchPlan& plan) {
  for (const std::string& text : command.populations) {
    ASSIGN_OR_RETURN(auto population, bench::parse_expression(text, personas));
    RETURN_IF_ERROR(bench::check_values(population, personas));
    plan.populations.push_back(std::move(population));
  }
  const auto file = find_file(context, command.populations_file, "INTERSECTION_JSON");
  if (file && (plan.populations.empty() || command.populations_file)) {
    const std::string origin =
        name_origin(command.populations_file.has_value(), "INTERSECTION_JSON");
    ASSIGN_OR_RETURN(const Json value, load_json(*file, origin));
    auto populations = bench::parse_intersections(value, personas);
    if (!populations)
      return fail(ErrorKind::Invalid, "{}{}: {}", origin, printable(*file),
                  populations.error().message);
    std::ranges::move(*populations, std::back_inserter(plan.populations));
  }
  if (plan.populations.empty())
    return fail(ErrorKind::Invalid,
                "name populations with --population 'age 18-34 & sex=Female', or a file with "
                "--populations (or INTERSECTION_JSON)");
  std::set<std::string> names;
  for (const auto& population : plan.populations)
    if (!names.insert(population.name).second)
      return fail(ErrorKind::Invalid, "the population \"{}\" is named twice",
                  printable(population.name));
  return {};
}

Result<void> choose_modes(const Context& context, const BenchCommand& command,
                          bench::BenchPlan& plan) {
  std::string mode = command.mode;
  if (mode.empty())
    mode = find_file(context, std::nullopt, "GENERATE_MODE").value_or("output_only");
  if (mode == kAll && plan.kind == BenchKind::Main) {
    plan.modes = {bench::Mode::Baseline, bench::Mode::OutputOnly, bench::Mode::ChainOfThought,
                  bench::Mode::DemographicSummary};
    return {};
  }
  const auto known = bench::find_mode(mode);
  if (!known)
    return fail(ErrorKind::Invalid,
                "{}there is no mode {}; there are baseline, output_only, chain_of_thought and "
                "demographic_summary (and, for main, all)",
                name_origin(!command.mode.empty(), "GENERATE_MODE"), printable(mode));
  if (*known == bench::Mode::Baseline && plan.kind == BenchKind::Loo)
    return fail(ErrorKind::Invalid,
                "the mode baseline shows no attribute, so there is none to leave out");
  plan.modes = {*known};
  return {};
}

Result<void> choose_critics(const BenchCommand& command, bench::BenchPlan& plan) {
  if (command.critics.empty()) return {};
  plan.critics.clear();
  const auto add = [&](bench::CriticKind kind) {
    if (std::ranges::find(plan.critics, kind) == plan.critics.end()) plan.critics.push_back(kind);
  };
  for (const std::string& name : command.critics) {
    const auto kind = bench::find_critic_kind(name);
    if (!kind && name != kAll)
      return fail(ErrorKind::Invalid,
                  "there is no critic {}; there are single, debate and direct, and all for the "
                  "three",
                  printable(name));
    if (kind) add(*kind);
    if (name == kAll)
      for (const auto each :
           {bench::CriticKind::Single, bench::CriticKind::Debate, bench::CriticKind::Direct})
        add(each);
  }
  return {};
}

Result<void> choose_controls(const Context& context, const BenchCommand& command,
                             bench::BenchPlan& plan) {
  constexpr std::int64_t kUsual = 20;
  const bool shows_nobody = std::ranges::all_of(
      plan.modes, [](bench::Mode mode) { return mode == bench::Mode::Baseline; });
  std::int64_t wanted = kUsual;
  if (command.controls && *command.controls != kAll && *command.controls != kNone) {
    const auto number = find_integer_in(*command.controls);
    if (!number || *number < 0)
      return fail(ErrorKind::Invalid, "--controls takes all, none or a number of pairs, not {}",
                  printable(*command.controls));
    wanted = *number;
  }
  if (command.controls == kAll) wanted = plan.n;
  if (command.controls == kNone || shows_nobody) wanted = 0;
  plan.controls = std::min(wanted, plan.n);
  plan.canaries = std::min(command.canaries.value_or(2), plan.n);
  // Leave-one-out is read only if asked: it takes a pass for each attribute of each answer.
  const bool is_read = plan.controls > 0 && plan.kind != BenchKind::Loo;
  if (command.reader || is_read) {
    ASSIGN_OR_RETURN(plan.reader, choose_reader(context, command.reader, plan.model));
  }
  return {};
}

Result<void> choose_models(const Context& context, const BenchCommand& command,
                           bench::BenchPlan& plan) {
  ASSIGN_OR_RETURN(const std::string model, choose_model(context, command.model));
  plan.model = name_bench_model(model);
  if (command.judge == kNone && plan.kind != BenchKind::Comparison)
    return fail(ErrorKind::Invalid, "bench {} needs a critic: name it with --judge",
                bench::name_of(plan.kind));
  if (command.judge == kNone) return {};
  std::string judge = command.judge;
  // The published package's name for the critic.
  if (judge.empty()) judge = find_file(context, std::nullopt, "INSPECT_EVAL_MODEL").value_or("");
  ASSIGN_OR_RETURN(judge, choose_model(context, judge));
  plan.judge = name_bench_model(judge);
  return {};
}

// What only one of the protocols has is not given to the other.
Result<void> choose_protocol(const BenchCommand& command, bench::BenchPlan& plan) {
  if (!command.reference) {
    if (command.parser || command.prompts)
      return fail(ErrorKind::Invalid, "{} belongs to --protocol reference",
                  command.parser ? "--parser" : "--prompts");
    return {};
  }
  const std::pair<bool, const char*> strict_only[] = {
      {!command.critics.empty(), "--critic"},
      {command.controls.has_value(), "--controls"},
      {command.reader.value_or(kNone) != kNone, "--reader"},
      {command.canaries.has_value(), "--canaries"},
      {command.epochs.has_value(), "--epochs"},
      {command.random_pairs, "--pairs random"},
      {plan.modes.size() > 1, "--mode all"}};
  for (const auto& [is_given, name] : strict_only)
    if (is_given) return fail(ErrorKind::Invalid, "{} is not part of the reference protocol", name);
  plan.protocol = bench::Protocol::Reference;
  plan.parser = name_bench_model(command.parser.value_or("openai/gpt-4o"));
  plan.temperature = command.temperature;
  plan.controls = 0;
  plan.canaries = 0;
  plan.reader.clear();
  plan.limits_answers = command.max_tokens.has_value();
  if (command.prompts) plan.prompts = make_absolute(*command.prompts);
  ASSIGN_OR_RETURN(const auto prompts, bench::load_reference_prompts(plan.folder, plan.prompts));
  plan.prompts_sha256 = prompts.sha256;
  return {};
}

// Of the reference protocol: as many as it takes, or as there are.
std::int64_t reference_pairs(BenchKind kind, const bench::BenchData& data) {
  const auto pairs =
      static_cast<std::int64_t>(std::min(data.personas.size(), data.questions.size()));
  if (kind == BenchKind::Intersectionality) return pairs;
  return std::min<std::int64_t>(pairs, kind == BenchKind::Loo ? 30 : 300);
}

std::int64_t default_pairs(BenchKind kind) {
  switch (kind) {
    case BenchKind::Loo:
      return 30;
    case BenchKind::PassAtK:
      return 50;
    case BenchKind::Comparison:
      return 1000000;  // all of them
    default:
      return 300;
  }
}

// Nothing that is read is overwritten, and what will be written can be.
Result<void> check_outputs(const Context& context, const BenchCommand& command,
                           const bench::BenchPlan& plan) {
  const std::string output = make_absolute(command.output.value_or(""));
  std::vector<std::string> sources{plan.personas, plan.questions};
  if (plan.kind == BenchKind::Loo)
    sources.push_back(find_file(context, command.attributes_file, "LOO_JSON").value_or(""));
  if (plan.kind == BenchKind::Intersectionality)
    sources.push_back(
        find_file(context, command.populations_file, "INTERSECTION_JSON").value_or(""));
  for (const std::string& source : sources) {
    RETURN_IF_ERROR(check_not_same_file(output, source));
    RETURN_IF_ERROR(check_not_same_file(plan.csv_to, source, "--csv"));
  }
  if (plan.csv_to.empty()) return {};
  if (output == plan.csv_to || !check_not_same_file(output, plan.csv_to))
    return fail(ErrorKind::Invalid, "-o and --csv name the same file: {}", printable(output));
  RETURN_IF_ERROR(files::NewFile::create(plan.csv_to));  // can it be written?
  return {};
}

Result<bench::BenchPlan> make_plan(const Context& context, const BenchCommand& command) {
  bench::BenchPlan plan;
  plan.kind = command.kind;
  const bool compares = plan.kind == BenchKind::Comparison;
  ASSIGN_OR_RETURN(plan.folder, find_data(context, "bench"));
  plan.personas =
      command.personas ? make_absolute(*command.personas) : plan.folder + "/personas.jsonl";
  plan.questions = command.questions
                       ? make_absolute(*command.questions)
                       : plan.folder + (compares ? "/comparisons.jsonl" : "/questions.jsonl");
  plan.pairing = command.random_pairs ? bench::Pairing::Random : bench::Pairing::Index;
  plan.n = command.limit.value_or(default_pairs(plan.kind));
  set_if(plan.epochs, command.epochs);
  set_if(plan.seed, command.seed);
  set_if(plan.k, command.k);
  set_if(plan.temperature, command.temperature);
  set_if(plan.max_tokens, command.max_tokens);
  if (command.csv) plan.csv_to = make_absolute(*command.csv);
  RETURN_IF_ERROR(check_outputs(context, command, plan));
  RETURN_IF_ERROR(choose_models(context, command, plan));
  if (compares) {
    ASSIGN_OR_RETURN(const auto words, bench::Comparison::load_words(plan));
    plan.data_sha256 = words.sha256;
    return plan;
  }
  RETURN_IF_ERROR(choose_modes(context, command, plan));
  RETURN_IF_ERROR(choose_critics(command, plan));
  RETURN_IF_ERROR(choose_controls(context, command, plan));
  RETURN_IF_ERROR(choose_protocol(command, plan));
  ASSIGN_OR_RETURN(const bench::BenchData data, bench::load_bench_data(plan));
  plan.data_sha256 = data.sha256;
  if (!command.limit)
    plan.n = command.reference ? reference_pairs(plan.kind, data)
                               : std::min(plan.n, bench::count_pairs(data));
  if (plan.kind == BenchKind::Loo) RETURN_IF_ERROR(choose_attributes(context, command, data, plan));
  if (plan.kind == BenchKind::Intersectionality)
    RETURN_IF_ERROR(choose_populations(context, command, data.personas, plan));
  return plan;
}

EvaluationSetup make_setup(const bench::BenchPlan& plan) {
  return {.command = "bench",
          .plan = bench::to_json(plan),
          .model = plan.model,
          .has_judge = !plan.judge.empty(),
          .make = [plan](const eval::FindModel& find_model) {
            return bench::make_bench(plan, find_model);
          }};
}

EvaluationFlags flags_of(const BenchCommand& command) {
  return {.output = command.output, .base_url = command.base_url, .engine = command.engine};
}

}  // namespace

std::string name_bench_model(const std::string& name) {
  return llm::make_absolute_name(name.find('/') == std::string::npos ? "openai/" + name : name);
}

Result<run::RunSummary> start_bench(Context& context, const BenchCommand& command,
                                    const Listener& listener) {
  ASSIGN_OR_RETURN(const bench::BenchPlan plan, make_plan(context, command));
  return start_evaluation(context, make_setup(plan), flags_of(command), listener);
}

Result<std::vector<run::Estimate>> estimate_bench(Context& context, const BenchCommand& command) {
  ASSIGN_OR_RETURN(const bench::BenchPlan plan, make_plan(context, command));
  return estimate_evaluation(context, make_setup(plan), flags_of(command));
}

Result<EvaluationSetup> load_bench(const Json& stored) {
  ASSIGN_OR_RETURN(const bench::BenchPlan plan, bench::parse_bench_plan(stored));
  return make_setup(plan);
}

}  // namespace personascope::app
