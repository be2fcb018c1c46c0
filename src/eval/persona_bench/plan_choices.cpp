#include "eval/persona_bench/plan_choices.hpp"

#include <algorithm>
#include <iterator>
#include <set>

#include "base/text.hpp"
#include "eval/persona_bench/trial.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr const char* kEvery = "all";

// What is wrong with something that may have come from a variable, which is then named.
std::string name_origin(bool is_given, const char* variable) {
  return is_given ? "" : fmt::format("{}: ", variable);
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
Result<std::vector<std::string>> list_attributes(const BenchPlan& plan, const BenchData& data) {
  ASSIGN_OR_RETURN(const auto trials, list_trials(plan, data));
  Persona everybody;
  for (const Trial& trial : trials)
    for (const auto& [name, value] : data.personas[trial.persona].attributes)
      if (!everybody.find(name)) everybody.attributes.emplace_back(name, value);
  sort_attributes(everybody);
  std::vector<std::string> names;
  for (const auto& [name, value] : everybody.attributes) names.push_back(name);
  return names;
}

}  // namespace

std::optional<std::string> find_setting(const PlanContext& context,
                                        const std::optional<std::string>& given,
                                        const char* variable) {
  if (given) return given;
  const auto found = context.environment.find(variable);
  if (!found || trim(*found).empty()) return std::nullopt;
  return *found;
}

Result<void> choose_attributes(const PlanContext& context, const BenchData& data, BenchPlan& plan) {
  std::vector<std::string> wanted = std::exchange(plan.attributes, {});
  const auto file = find_setting(context, plan.attributes_file, "LOO_JSON");
  std::string origin;
  if (file && (wanted.empty() || plan.attributes_file)) {
    origin = name_origin(plan.attributes_file.has_value(), "LOO_JSON");
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
    auto attribute = find_attribute(data.personas, name);
    if (!attribute) return fail(ErrorKind::Invalid, "{}{}", origin, attribute.error().message);
    if (std::ranges::find(plan.attributes, *attribute) == plan.attributes.end())
      plan.attributes.push_back(std::move(*attribute));
  }
  return {};
}

Result<void> choose_populations(const PlanContext& context, const std::vector<Persona>& personas,
                                BenchPlan& plan) {
  for (const std::string& text : plan.population_texts) {
    ASSIGN_OR_RETURN(auto population, parse_expression(text, personas));
    RETURN_IF_ERROR(check_values(population, personas));
    plan.populations.push_back(std::move(population));
  }
  const auto file = find_setting(context, plan.populations_file, "INTERSECTION_JSON");
  if (file && (plan.populations.empty() || plan.populations_file)) {
    const std::string origin = name_origin(plan.populations_file.has_value(), "INTERSECTION_JSON");
    ASSIGN_OR_RETURN(const Json value, load_json(*file, origin));
    auto populations = parse_intersections(value, personas);
    if (!populations)
      return fail(ErrorKind::Invalid, "{}{}: {}", origin, printable(*file),
                  populations.error().message);
    std::ranges::move(*populations, std::back_inserter(plan.populations));
  }
  if (plan.populations.empty())
    return fail(ErrorKind::Invalid,
                "name populations with `population` 'age 18-34 & sex=Female', or a file with "
                "`populations_file` (or INTERSECTION_JSON)");
  std::set<std::string> names;
  for (const auto& population : plan.populations)
    if (!names.insert(population.name).second)
      return fail(ErrorKind::Invalid, "the population \"{}\" is named twice",
                  printable(population.name));
  return {};
}

Result<void> choose_modes(const PlanContext& context, BenchPlan& plan) {
  const bool is_given = !plan.mode.empty();
  if (!is_given)
    plan.mode = find_setting(context, std::nullopt, "GENERATE_MODE").value_or("output_only");
  if (plan.mode == kEvery && plan.kind == Kind::Main) {
    plan.modes = {Mode::Baseline, Mode::OutputOnly, Mode::ChainOfThought, Mode::DemographicSummary};
    return {};
  }
  const auto known = find_mode(plan.mode);
  if (!known)
    return fail(ErrorKind::Invalid,
                "{}there is no mode {}; there are baseline, output_only, chain_of_thought and "
                "demographic_summary (and, for main, all)",
                name_origin(is_given, "GENERATE_MODE"), printable(plan.mode));
  if (*known == Mode::Baseline && plan.kind == Kind::Loo)
    return fail(ErrorKind::Invalid,
                "the mode baseline shows no attribute, so there is none to leave out");
  plan.modes = {*known};
  return {};
}

Result<void> choose_critics(BenchPlan& plan) {
  if (plan.critic_names.empty()) return {};
  plan.critics.clear();
  const auto add = [&](CriticKind kind) {
    if (std::ranges::find(plan.critics, kind) == plan.critics.end()) plan.critics.push_back(kind);
  };
  for (const std::string& name : plan.critic_names) {
    const auto kind = find_critic_kind(name);
    if (!kind && name != kEvery)
      return fail(ErrorKind::Invalid,
                  "there is no critic {}; there are single, debate and direct, and all for the "
                  "three",
                  printable(name));
    if (kind) add(*kind);
    if (name == kEvery)
      for (const auto each : {CriticKind::Single, CriticKind::Debate, CriticKind::Direct})
        add(each);
  }
  return {};
}

}  // namespace personascope::eval::persona_bench
