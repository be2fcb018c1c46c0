#include "cli/help.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kDescriptions = 30;  // the column in which CLI11 puts them
constexpr std::size_t kContinued = 6;

bool has_description(std::string_view line) {
  return line.size() > kDescriptions && line.starts_with("  ") && line[kDescriptions] != ' ' &&
         line[kDescriptions - 1] == ' ' && !line.starts_with("  personascope");
}

std::string fit_description(std::string_view line, std::size_t columns) {
  std::string wrapped = wrap(line.substr(kDescriptions), columns, kDescriptions, LongWords::Keep);
  return wrapped.replace(0, kDescriptions, line.substr(0, kDescriptions));
}

// "  personascope compare 3 5     # stored runs".
std::string fit_example(std::string_view line, std::size_t columns) {
  std::string text;
  if (const std::size_t comment = line.find("  # "); comment != std::string_view::npos) {
    text = hang("  " + std::string(trim(line.substr(comment))), columns, 4);
    line = line.substr(0, comment);
    line = line.substr(0, line.find_last_not_of(' ') + 1);
  }
  std::string command = hang(line, columns - 2, kContinued);
  command.pop_back();
  return text + replace_all(command, "\n", " \\\n") + "\n";
}

}  // namespace

std::string fit_help(std::string_view text, std::size_t columns) {
  std::string fitted;
  for (const std::string_view line : split(text, '\n')) {
    if (width(line) <= columns)
      fitted += std::string(line) + "\n";
    else if (has_description(line))
      fitted += fit_description(line, columns);
    else if (line.starts_with("  personascope"))
      fitted += fit_example(line, columns);
    else
      fitted += hang(line, columns, std::min(line.find_first_not_of(' '), line.size()));
  }
  fitted.pop_back();  // split() gives an empty line behind the last newline
  return fitted;
}

HelpText::HelpText() {
  label("SUBCOMMAND", "COMMAND");
}

std::string HelpText::make_help(const CLI::App* app, std::string name,
                                CLI::AppFormatMode mode) const {
  const std::string text =
      replace_all(CLI::Formatter::make_help(app, std::move(name), mode), "\n\n\n", "\n\n");
  return is_terminal(stdout) ? fit_help(text, columns(stdout)) : text;
}

// CLI11 adds the validators to the type's name: "INT:INT in [1 - 1000]", "TEXT:{ok,failed}".
std::string render_value_of(const CLI::Option& option) {
  if (option.get_type_size() == 0) return "";
  const std::string type = option.get_type_name();
  const std::size_t colon = type.find(':');
  if (colon == std::string::npos) return type;
  const std::string values = type.substr(colon + 1);
  if (!values.starts_with('{')) return type.substr(0, colon);
  return replace_all(values.substr(1, values.size() - 2), ",", "|");
}

std::string HelpText::make_option_opts(const CLI::Option* option) const {
  const std::string value = option->get_positional() ? "" : render_value_of(*option);
  return value.empty() ? "" : " " + value;
}

std::string HelpText::make_option_desc(const CLI::Option* option) const {
  const bool is_required = option->get_required() && !option->get_positional();
  return option->get_description() + (is_required ? "; required" : "");
}

}  // namespace personascope::cli
