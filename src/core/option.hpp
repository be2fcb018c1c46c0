// One option, described once. A row of an OptionTable binds an option's description to a member of
// a plain struct; the flag, the environment variable, the key of a run file, the Python keyword,
// the member of a stored plan and the line in the documentation are all made from that row.
//
// Nothing here depends on a user interface: messages name an option as `questions_per_task`, in
// backquotes, and each interface puts its own spelling there (rename_options).
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::core {

enum class OptionKind { Text, Texts, Integer, Number, Switch, Choice };

struct OptionSpec {
  std::string name{};  // "questions_per_task"; unique within a command

  // Spellings on the command line. Without `flag` it is the name with dashes.
  std::string flag{};                    // "judge" of the option `judges`
  std::string short_flag{};              // "j"
  std::vector<std::string> aliases{};    // further spellings that are not in the help: "--model_id"
  std::vector<std::string> old_names{};  // names in plans that earlier versions stored

  std::string value{};            // what the value is called in the help: "N", "FILE"
  std::optional<double> least{};  // of a number
  std::optional<double> most{};
  std::vector<std::string> choices{};   // the only values; those of an enum are filled in
  std::vector<std::string> excludes{};  // options that cannot be given together with this one
  std::vector<std::string> stages{};    // the commands that have it; empty: all of the table's
  std::string group{};                  // heading in the help; empty: the command's own options

  bool required = false;
  bool stored_only = false;   // a member of stored plans that users cannot set
  bool positional = false;    // on the command line an argument, not a flag
  bool hidden = false;        // not in the help
  bool from_variable = true;  // may come from an environment variable
  bool shows_default = true;  // false: the default needs no mention

  std::string otherwise{};  // the default in words, where no value can express it
  std::string sentence{};   // what it does

  // Filled in by the table.
  OptionKind kind = OptionKind::Text;
  std::string default_text{};  // empty: none
};

// "--questions-per-task".
std::string flag_of(const OptionSpec& spec);
// "PERSONASCOPE_QUESTIONS_PER_TASK".
std::string variable_of(const OptionSpec& spec);
// The sentence and, in brackets, the default: "answers per question (default 1)".
std::string describe(const OptionSpec& spec);

// Whether the value has the option's type, range and choices; null is a value that is not set.
// Fails as Invalid; the message begins with `subject`: "`epochs` must be …".
Result<void> check_value(const OptionSpec& spec, const Json& value, const std::string& subject);

// The value of a text that was typed or found in a variable; Texts become a list of one. Checked as
// by check_value.
Result<Json> parse_option_text(const OptionSpec& spec, std::string_view text,
                               const std::string& subject);

// Checks the options that a user gave: an object with known options only, none missing that is
// required, none given together with one that it excludes. Fails as Invalid, with the nearest name
// if one is unknown. Values are checked by the tables.
Result<void> check_given(const Json& given, std::span<const OptionSpec> known);

// The text with every option in backquotes replaced: `rename` gets the name (without an index such
// as "[1]") and returns what to put there in place of it and the backquotes, or nothing.
std::string rename_options(
    std::string_view text,
    const std::function<std::optional<std::string>(std::string_view name)>& rename);

}  // namespace personascope::core
