#include "cli/help.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.hpp"

namespace personascope::cli {

HelpText::HelpText() {
  label("SUBCOMMAND", "COMMAND");
}

std::string HelpText::make_help(const CLI::App* app, std::string name,
                                CLI::AppFormatMode mode) const {
  return replace_all(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
}

// CLI11 adds the validators to the type's name: "INT:INT in [1 - 1000]", "TEXT:{ok,failed}".
std::string HelpText::make_option_opts(const CLI::Option* option) const {
  if (option->get_type_size() == 0 || option->get_positional()) return "";
  const std::string type = option->get_type_name();
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos) return " " + type;
  const std::string values = type.substr(colon + 1);
  if (!values.starts_with('{')) return " " + type.substr(0, colon);
  return " " + replace_all(values.substr(1, values.size() - 2), ",", "|");
}

std::string HelpText::make_option_desc(const CLI::Option* option) const {
  const bool is_required = option->get_required() && !option->get_positional();
  return option->get_description() + (is_required ? "; required" : "");
}

std::optional<std::string> find_unknown_flag(const CLI::App& command,
                                             const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  for (const std::string& word : words) {
    const std::string flag = word.substr(0, word.find('='));
    if (!flag.starts_with("--") || flag == "--" || std::ranges::find(known, flag) != known.end())
      continue;
    const auto near = near_matches(flag, known);
    return fmt::format("{} has no flag {}{}", command.get_name(), flag,
                       near.empty() ? "" : fmt::format("; did you mean {}?", near.front()));
  }
  return std::nullopt;
}

}  // namespace personascope::cli
