// The form of --help: a line a flag, with what it takes and no more. That every flag is also a
// variable is said once, in the program's own help.
#pragma once

#include <CLI/CLI.hpp>

#include <optional>
#include <string>
#include <vector>

namespace personascope::cli {

class HelpText : public CLI::Formatter {
 public:
  HelpText();
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override;
  std::string make_option_opts(const CLI::Option* option) const override;
  std::string make_option_desc(const CLI::Option* option) const override;
};

// The first word that starts like a flag and is none of the command's, with a near one if there is
// one, in a sentence; nothing if there is no such word.
std::optional<std::string> find_unknown_flag(const CLI::App& command,
                                             const std::vector<std::string>& words);

}  // namespace personascope::cli
