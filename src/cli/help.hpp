// The form of --help: a line a flag, with what it takes and no more. That every flag is also a
// variable is said once, in the program's own help.
#pragma once

#include <CLI/CLI.hpp>

#include <string>
#include <string_view>

namespace personascope::cli {

class HelpText : public CLI::Formatter {
 public:
  HelpText();
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

// The help for a terminal of so many columns: descriptions go on in their column, long examples
// behind a backslash, with their comment on the line before.
std::string fit_help(std::string_view text, std::size_t columns);

// What the option takes: "FILE", "strict|reference" where only these are taken, or nothing.
std::string render_value_of(const CLI::Option& option);

}  // namespace personascope::cli
