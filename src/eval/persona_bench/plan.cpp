#include "eval/persona_bench/plan.hpp"

#include <array>
#include <utility>

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
std::string_view name_of(Protocol protocol) {
  return protocol == Protocol::Strict ? "strict" : "reference";
}
std::string_view name_of(Pairing pairing) {
  return pairing == Pairing::Index ? "index" : "random";
}

Json to_json(const BenchPlan& plan) {
  Json modes = Json::array();
  for (const Mode mode : plan.modes) modes.push_back(name_of(mode));
  Json critics = Json::array();
  for (const CriticKind critic : plan.critics) critics.push_back(name_of(critic));
  Json populations = Json::array();
  for (const Population& population : plan.populations) populations.push_back(to_json(population));
  return {{"evaluation", fmt::format("bench/{}", name_of(plan.kind))},
          {"protocol", name_of(plan.protocol)},
          {"folder", plan.folder},
          {"personas", plan.personas},
          {"questions", plan.questions},
          {"data_sha256", plan.data_sha256},
          {"model", plan.model},
          {"judge", plan.judge},
          {"critics", critics},
          {"modes", modes},
          {"pairing", name_of(plan.pairing)},
          {"n", plan.n},
          {"epochs", plan.epochs},
          {"seed", plan.seed},
          {"k", plan.k},
          {"attributes", plan.attributes},
          {"populations", populations},
          {"controls", plan.controls},
          {"canaries", plan.canaries},
          {"reader", plan.reader},
          {"parser", plan.parser},
          {"prompts", plan.prompts},
          {"prompts_sha256", plan.prompts_sha256},
          {"limits_answers", plan.limits_answers},
          {"temperature", plan.temperature ? Json(*plan.temperature) : Json(nullptr)},
          {"max_output_tokens", plan.max_tokens},
          {"judge_max_output_tokens", plan.judge_max_tokens},
          {"csv_to", plan.csv_to}};
}

Result<BenchPlan> parse_bench_plan(const Json& value) {
  constexpr std::string_view kPrefix = "bench/";
  const std::string evaluation = find_text(value, "evaluation").value_or("");
  const auto kind = evaluation.starts_with(kPrefix)
                        ? find_kind(std::string_view(evaluation).substr(kPrefix.size()))
                        : std::nullopt;
  const Json* modes = find_member(value, "modes");
  const Json* attributes = find_member(value, "attributes");
  const Json* populations = find_member(value, "populations");
  if (!kind || !modes || !modes->is_array() || !attributes || !attributes->is_array() ||
      !populations || !populations->is_array())
    return fail(ErrorKind::Invalid, "the stored plan is not one of the bench");
  const auto text = [&](const char* member) { return find_text(value, member).value_or(""); };
  BenchPlan plan;
  plan.kind = *kind;
  if (text("protocol") == name_of(Protocol::Reference)) plan.protocol = Protocol::Reference;
  plan.folder = text("folder");
  plan.personas = text("personas");
  plan.questions = text("questions");
  plan.data_sha256 = text("data_sha256");
  plan.model = text("model");
  plan.judge = text("judge");
  plan.modes.clear();
  for (const Json& name : *modes)
    if (const auto mode = find_mode(name.is_string() ? name.get<std::string>() : ""))
      plan.modes.push_back(*mode);
  if (const Json* critics = find_member(value, "critics"); critics && critics->is_array()) {
    plan.critics.clear();
    for (const Json& name : *critics)
      if (const auto critic = find_critic_kind(name.is_string() ? name.get<std::string>() : ""))
        plan.critics.push_back(*critic);
  }
  plan.pairing = text("pairing") == "random" ? Pairing::Random : Pairing::Index;
  plan.n = find_integer(value, "n").value_or(plan.n);
  plan.epochs = find_integer(value, "epochs").value_or(plan.epochs);
  const Json* seed = find_member(value, "seed");
  if (seed && seed->is_number_unsigned()) plan.seed = seed->get<std::uint64_t>();
  plan.k = find_integer(value, "k").value_or(plan.k);
  for (const Json& name : *attributes)
    if (name.is_string()) plan.attributes.push_back(name);
  for (const Json& one : *populations) {
    ASSIGN_OR_RETURN(Population population, parse_population(one));
    plan.populations.push_back(std::move(population));
  }
  plan.controls = find_integer(value, "controls").value_or(plan.controls);
  plan.canaries = find_integer(value, "canaries").value_or(plan.canaries);
  plan.reader = text("reader");
  plan.parser = text("parser");
  plan.prompts = text("prompts");
  plan.prompts_sha256 = text("prompts_sha256");
  const Json* limits = find_member(value, "limits_answers");
  plan.limits_answers = limits && *limits == true;
  plan.temperature = find_number(value, "temperature");
  plan.max_tokens = find_integer(value, "max_output_tokens").value_or(plan.max_tokens);
  plan.judge_max_tokens =
      find_integer(value, "judge_max_output_tokens").value_or(plan.judge_max_tokens);
  plan.csv_to = text("csv_to");
  return plan;
}

}  // namespace personascope::eval::persona_bench
