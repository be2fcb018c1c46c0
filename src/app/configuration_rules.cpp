#include "app/configuration_rules.hpp"

#include <algorithm>
#include <array>

#include "app/catalog.hpp"
#include "llm/embedded/weights.hpp"

namespace personascope::app {
namespace {

// In these commands `model` is not the model under test, so that a default for all commands would
// be wrong there.
constexpr std::array<std::string_view, 2> kOtherModel{"gym grade", "lift"};

// Texts that name files or folders, or say where something is sent.
constexpr std::array<std::string_view, 9> kPlaces{
    "base_url",        "aws_region",      "output", "model_name", "save_name",
    "saved_questions", "saved_responses", "store",  "prices"};

constexpr std::array<std::string_view, 4> kLimits{"max_cost", "max_calls", "max_tokens",
                                                  "confirm_above"};

bool contains(const auto& list, std::string_view word) {
  return std::ranges::find(list, word) != list.end();
}

bool is_in_section(const std::string& command, std::string_view section) {
  return section.empty() || command == section ||
         (command.starts_with(section) && command[section.size()] == ' ');
}

bool applies(const Command& command, std::string_view section, std::string_view name) {
  const bool means_other =
      section.empty() && name == "model" && contains(kOtherModel, command.name);
  return is_in_section(command.name, section) && !means_other;
}

// A model that is a file: weights are read by code that trusts their form, and the file of a bot
// says where data is sent.
bool is_model_file(const Json& value) {
  constexpr std::string_view kEmbedded = "embedded/";
  constexpr std::string_view kScripted = "scripted/";
  constexpr std::string_view kBot = "http/";
  if (value.is_array()) return std::ranges::any_of(value, is_model_file);
  if (!value.is_string()) return false;
  const std::string_view name = value.get_ref<const std::string&>();
  return name.starts_with(kScripted) || name.starts_with(kBot) ||
         (name.starts_with(kEmbedded) && llm::embedded::is_path(name.substr(kEmbedded.size())));
}

}  // namespace

std::vector<Known> find_known(std::string_view section, std::string_view name) {
  std::vector<Known> found;
  for (const Command& command : list_commands()) {
    if (!applies(command, section, name)) continue;
    for (const core::OptionSpec& spec : command.options)
      if (spec.name == name && !spec.positional) found.push_back({command.name, spec});
  }
  return found;
}

std::vector<std::string> list_known_names(std::string_view section) {
  std::vector<std::string> names;
  for (const Command& command : list_commands())
    for (const core::OptionSpec& spec : command.options)
      if (applies(command, section, spec.name) && !spec.positional && !contains(names, spec.name))
        names.push_back(spec.name);
  if (section.empty()) {
    names.emplace_back(kStoreSetting);
    names.emplace_back(kPricesSetting);
  }
  return names;
}

std::vector<std::string> list_sections() {
  std::vector<std::string> sections;
  for (const Command& command : list_commands()) {
    const std::string group = command.name.substr(0, command.name.find(' '));
    if (!contains(sections, group)) sections.push_back(group);
    if (group != command.name) sections.push_back(command.name);
  }
  return sections;
}

bool is_section(std::string_view name) {
  return contains(list_sections(), name);
}

Result<void> check_for_project(const core::OptionSpec& spec, const Json& value) {
  const bool is_place = spec.value == "URL" || spec.value == "FILE" || spec.value == "DIR" ||
                        contains(kPlaces, spec.name);
  if (is_place)
    return fail(ErrorKind::Invalid,
                "cannot be set in a project's file, which may be somebody else's: it says where "
                "data is read, written or sent; set it in your own file or give it to the command");
  if (spec.value == "MODEL" && is_model_file(value))
    return fail(ErrorKind::Invalid,
                "cannot be set to a model file in a project's file, which may be somebody else's; "
                "set it in your own file or give it to the command");
  return {};
}

bool is_limit(std::string_view name) {
  return contains(kLimits, name);
}

}  // namespace personascope::app
