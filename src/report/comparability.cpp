#include "report/comparability.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <unordered_map>

#include "base/text.hpp"
#include "report/estimate_json.hpp"

namespace personascope::report {
namespace {

constexpr std::size_t kMostChangedShown = 3;

// What a setting says something about.
enum class About {
  Test,   // what was asked and how it was scored
  Model,  // the model under test, as it was asked
  Draw,   // which of equal draws were made
};

// Members of plans that a comparison of runs depends on, and what people call them, in the order in
// which they are shown.
struct Setting {
  const char* member;
  const char* name;
  About about = About::Test;
};
constexpr Setting kSettings[] = {{"evaluation", "evaluation"},
                                 {"protocol", "protocol"},
                                 {"as_published", "as published"},
                                 {"judge", "judge"},
                                 {"judges", "judges"},
                                 {"escalate", "escalation judge"},
                                 {"panel", "panel"},
                                 {"verdicts", "verdicts"},
                                 {"critics", "critics"},
                                 {"both_orders", "both orders"},
                                 {"judge_repeats", "judge repeats"},
                                 {"repeats", "judge repeats"},
                                 {"rubric_sha256", "rubric"},
                                 {"prompts_sha256", "prompts"},
                                 {"pack_sha256", "data"},
                                 {"data_sha256", "data"},
                                 {"sha256", "data"},
                                 {"users_sha256", "users"},
                                 {"example_model", "model for examples"},
                                 {"question_model", "model for questions"},
                                 {"user_model", "simulated user"},
                                 {"user_temperature", "user's temperature"},
                                 {"modes", "modes"},
                                 {"contexts", "contexts"},
                                 {"single_turns", "turns"},
                                 {"multi_turns", "turns, several domains"},
                                 {"no_persona_system", "without persona prompt", About::Model},
                                 {"temperature", "temperature", About::Model},
                                 {"top_p", "top p", About::Model},
                                 {"max_output_tokens", "answer tokens", About::Model},
                                 {"epochs", "answers per question", About::Draw},
                                 {"seed", "seed", About::Draw},
                                 {"base_url", "address", About::Model},
                                 {"deployment", "deployment", About::Model}};

std::string render_value(const Json& value) {
  if (value.is_string()) {
    const auto& text = value.get_ref<const std::string&>();
    const bool is_hash =
        text.size() >= 64 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
    return is_hash ? text.substr(0, 12) : text;
  }
  if (!value.is_array()) return render_json(value);
  std::vector<std::string> parts;
  for (const Json& part : value) parts.push_back(render_value(part));
  return join(parts, ", ");
}

std::optional<std::string> find_setting(const Json& plan, const Setting& setting) {
  const Json* value = find_member(plan, setting.member);
  if (!value || value->is_null()) return std::nullopt;
  std::string text = render_value(*value);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

Settings list_settings(const RunItems& run) {
  Settings settings;
  if (!run.run) {
    std::set<std::string> judges;
    for (const core::ItemRecord& item : run.items)
      if (item.judges.is_object())
        for (const auto& [name, score] : item.judges.items()) judges.insert(name);
    if (!judges.empty()) settings["judges"] = join(std::vector(judges.begin(), judges.end()), ", ");
    return settings;
  }
  for (const Setting& setting : kSettings)
    if (auto text = find_setting(run.run->plan, setting)) settings[setting.name] = std::move(*text);
  return settings;
}

std::vector<SettingDifference> list_differences(std::span<const RunItems> runs) {
  std::vector<Settings> all;
  std::vector<std::string> names;
  for (const RunItems& run : runs) all.push_back(list_settings(run));
  for (const Setting& setting : kSettings)
    if (std::ranges::find(names, setting.name) == names.end()) names.emplace_back(setting.name);
  std::vector<SettingDifference> differences;
  for (const std::string& name : names) {
    SettingDifference difference{name, {}};
    std::set<std::string> distinct;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const auto found = all[i].find(name);
      const bool is_set = found != all[i].end();
      // A stored run that does not have the setting has it differently; a file may only lack it.
      if (is_set)
        difference.values.emplace_back(found->second);
      else if (runs[i].run)
        difference.values.emplace_back("-");
      else
        difference.values.emplace_back(std::nullopt);
      if (difference.values.back()) distinct.insert(*difference.values.back());
    }
    if (distinct.size() > 1) differences.push_back(std::move(difference));
  }
  return differences;
}

std::string base_name(const RunItems& run) {
  if (!run.run) return std::filesystem::path(run.source).stem();
  if (!run.run->model.empty()) return run.run->model;
  return run.run->judge.empty() ? run.source : run.run->judge;
}

bool is_repeated(const std::vector<std::string>& names, const std::string& name) {
  return std::ranges::count(names, name) > 1;
}

// By model; where that is the same, with what differs; where nothing does, with the source.
std::vector<std::string> name_compared_runs(std::span<const RunItems> runs,
                                            const std::vector<SettingDifference>& differences) {
  std::vector<std::string> plain;
  for (const RunItems& run : runs) plain.push_back(base_name(run));
  std::vector<std::string> names = plain;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (is_repeated(plain, plain[i]))
      for (std::size_t k = 0; k < std::min<std::size_t>(differences.size(), 2); ++k)
        if (differences[k].values[i])
          names[i] += fmt::format(", {} {}", differences[k].setting,
                                  shorten(*differences[k].values[i], 40));
  const std::vector<std::string> told = names;
  for (std::size_t i = 0; i < runs.size(); ++i)
    if (is_repeated(told, told[i])) names[i] += fmt::format(" ({})", runs[i].source);
  return names;
}

}  // namespace

PlanSettings list_plan_settings(const Json& plan) {
  PlanSettings found;
  for (const Setting& setting : kSettings) {
    if (setting.about == About::Draw) continue;
    // A switch that is off is the same as one that earlier versions did not have.
    if (auto text = find_setting(plan, setting); text && *text != "false")
      (setting.about == About::Model ? found.model : found.test)[setting.name] = std::move(*text);
  }
  return found;
}

Comparability check_comparability(std::span<const RunItems> runs) {
  Comparability found;
  found.settings = list_differences(runs);
  found.names = name_compared_runs(runs, found.settings);
  if (runs.empty()) return found;
  std::unordered_map<std::string_view, Json> asked;
  for (const core::ItemRecord& item : runs.front().items) asked.emplace(item.id, find_asked(item));
  std::set<std::string> changed;
  for (const RunItems& run : runs.subspan(1))
    for (const core::ItemRecord& item : run.items) {
      const auto first = asked.find(item.id);
      if (first == asked.end() || first->second.is_null()) continue;
      const Json other = find_asked(item);
      // A CSV file may lack members, which says nothing.
      const bool differs = std::ranges::any_of(first->second.items(), [&](const auto& member) {
        const Json* theirs = find_member(other, member.key());
        return theirs && *theirs != member.value();
      });
      if (differs) changed.insert(item.id);
    }
  found.changed_items = changed.size();
  for (const std::string& id : changed)
    if (found.examples.size() < kMostChangedShown) found.examples.push_back(id);
  return found;
}

Json to_json(const Comparability& comparability) {
  Json settings = Json::array();
  for (const SettingDifference& difference : comparability.settings) {
    Json values = Json::array();
    for (const auto& value : difference.values) values.push_back(to_json_or_null(value));
    settings.push_back({{"setting", difference.setting}, {"values", values}});
  }
  return {{"settings", settings},
          {"changed_items", comparability.changed_items},
          {"examples", comparability.examples}};
}

}  // namespace personascope::report
