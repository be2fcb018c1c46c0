#include "eval/persona_bench/plan.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 5> kEvaluationKinds{
    {{Kind::Main, "main"},
     {Kind::Loo, "loo"},
     {Kind::Intersectionality, "intersectionality"},
     {Kind::PassAtK, "pass-at-k"},
     {Kind::Comparison, "comparison"}}};

constexpr std::array<std::pair<Mode, std::string_view>, 4> kModes{
    {{Mode::Baseline, "baseline"},
     {Mode::OutputOnly, "output_only"},
     {Mode::ChainOfThought, "chain_of_thought"},
     {Mode::DemographicSummary, "demographic_summary"}}};

constexpr std::array<std::pair<CriticKind, std::string_view>, 3> kCritics{
    {{CriticKind::Single, "single"},
     {CriticKind::Debate, "debate"},
     {CriticKind::Direct, "direct"}}};

template <class Names, class Value>
std::string_view name_in(const Names& names, Value value) {
  for (const auto& [known, name] : names)
    if (known == value) return name;
  return "";
}

template <class Value, class Names>
std::optional<Value> find_in(const Names& names, std::string_view wanted) {
  for (const auto& [value, name] : names)
    if (name == wanted) return value;
  return std::nullopt;
}

std::unexpected<Error> fail_damaged(const std::string& reason) {
  return fail(ErrorKind::Invalid, "the stored plan is damaged: {}", reason);
}

// Modes, critics and controls, from their names.
Result<void> read_names(const Json& value, BenchPlan& plan) {
  plan.modes.clear();
  if (const Json* modes = find_member(value, "modes"); modes && modes->is_array())
    for (const Json& name : *modes) {
      const auto mode = find_mode(name.is_string() ? name.get<std::string>() : "");
      if (!mode) return fail_damaged("it has an unknown mode");
      plan.modes.push_back(*mode);
    }
  if (!plan.critic_names.empty()) plan.critics.clear();
  for (const std::string& name : plan.critic_names) {
    const auto critic = find_critic_kind(name);
    if (!critic) return fail_damaged("it has an unknown critic");
    plan.critics.push_back(*critic);
  }
  const auto controls = find_integer_in(plan.controls_wanted.value_or("0"));
  if (!controls || *controls < 0) return fail_damaged("`controls` must be a number");
  plan.controls = *controls;
  return {};
}

// That there is everything without which the evaluation cannot be carried out.
Result<void> check_whole(const BenchPlan& plan) {
  if (plan.modes.empty()) return fail_damaged("it has no mode");
  if (plan.modes.size() > 1 && plan.kind != Kind::Main) return fail_damaged("it has several modes");
  if (plan.judge.empty() && plan.kind != Kind::Comparison) return fail_damaged("it has no critic");
  if (plan.attributes.empty() && plan.kind == Kind::Loo)
    return fail_damaged("it has no attribute to leave out");
  if (plan.populations.empty() && plan.kind == Kind::Intersectionality)
    return fail_damaged("it has no population");
  return {};
}

}  // namespace

std::string_view name_of(Kind kind) {
  return name_in(kEvaluationKinds, kind);
}
std::optional<Kind> find_kind(std::string_view name) {
  return find_in<Kind>(kEvaluationKinds, name);
}
std::string_view name_of(Mode mode) {
  return name_in(kModes, mode);
}
std::optional<Mode> find_mode(std::string_view name) {
  return find_in<Mode>(kModes, name);
}
std::string_view name_of(CriticKind kind) {
  return name_in(kCritics, kind);
}
std::optional<CriticKind> find_critic_kind(std::string_view name) {
  return find_in<CriticKind>(kCritics, name);
}
Json to_json(const BenchPlan& plan) {
  BenchOptions options = plan;
  options.limit = plan.n;
  options.controls_wanted = std::to_string(plan.controls);
  options.critic_names.clear();
  for (const CriticKind critic : plan.critics) options.critic_names.emplace_back(name_of(critic));
  Json modes = Json::array();
  for (const Mode mode : plan.modes) modes.push_back(name_of(mode));
  Json populations = Json::array();
  for (const Population& population : plan.populations) populations.push_back(to_json(population));
  Json value = bench_options().to_json(options);
  value.update({{"evaluation", fmt::format("bench/{}", name_of(plan.kind))},
                {"folder", plan.folder},
                {"data_sha256", plan.data_sha256},
                {"modes", modes},
                {"populations", populations},
                {"prompts_sha256", plan.prompts_sha256},
                {"limits_answers", plan.limits_answers},
                {"csv_to", plan.csv_to}});
  return value;
}

Result<BenchPlan> parse_bench_plan(const Json& value) {
  constexpr std::string_view kPrefix = "bench/";
  const std::string evaluation = find_text(value, "evaluation").value_or("");
  const auto kind = evaluation.starts_with(kPrefix)
                        ? find_kind(std::string_view(evaluation).substr(kPrefix.size()))
                        : std::nullopt;
  if (!kind) return fail(ErrorKind::Invalid, "the stored plan is not one of the bench");
  auto options = bench_options().parse(value);
  if (!options) return fail_damaged(options.error().message);
  BenchPlan plan;
  static_cast<BenchOptions&>(plan) = std::move(*options);
  plan.kind = *kind;
  plan.n = plan.limit.value_or(plan.n);
  RETURN_IF_ERROR(read_names(value, plan));
  const Json* populations = find_member(value, "populations");
  for (const Json& one : populations && populations->is_array() ? *populations : Json::array()) {
    ASSIGN_OR_RETURN(Population population, parse_population(one));
    plan.populations.push_back(std::move(population));
  }
  const auto text = [&](const char* member) { return find_text(value, member).value_or(""); };
  plan.folder = text("folder");
  plan.data_sha256 = text("data_sha256");
  plan.prompts_sha256 = text("prompts_sha256");
  plan.csv_to = text("csv_to");
  const Json* limits = find_member(value, "limits_answers");
  plan.limits_answers = limits && *limits == true;
  RETURN_IF_ERROR(check_whole(plan));
  return plan;
}

}  // namespace personascope::eval::persona_bench
