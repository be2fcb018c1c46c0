#include "cli/help.hpp"

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
