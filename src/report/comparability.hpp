// What else differs between runs that are compared: questions under the same ids, judges, prompts,
// data, protocol and sampling. Said before any number.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/run_items.hpp"

namespace personascope::report {

// By what people call them: {"judges": "openai/gpt-4o", "temperature": "0.9"}.
using Settings = std::map<std::string, std::string>;

// What a run was told, as far as its scores depend on it.
struct PlanSettings {
  Settings test;   // what was asked and how it was scored: evaluation, protocol, judges, data, …
  Settings model;  // of the model under test: temperature, answer tokens, address, deployment, …
};
// Seeds and the like are left out: they only choose among equal draws.
PlanSettings list_plan_settings(const Json& plan);

struct SettingDifference {
  std::string setting;                             // "judges", "temperature"
  std::vector<std::optional<std::string>> values;  // one a run; nothing: not known
};

struct Comparability {
  std::vector<std::string> names;  // one a run: its model, and what tells it from the others
  std::vector<SettingDifference> settings;  // without the model under test
  std::size_t changed_items = 0;            // the same id, but another question or persona
  std::vector<std::string> examples;        // a few of their ids
};

// A run from a file has settings only as far as its items tell them, and is called after the file.
Comparability check_comparability(std::span<const RunItems> runs);

Json to_json(const Comparability& comparability);

}  // namespace personascope::report
