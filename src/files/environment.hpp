// Settings from the environment and from a `.env` file, the environment winning.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::files {

class Environment {
 public:
  // Only these variables; for tests.
  explicit Environment(std::map<std::string, std::string> variables);
  // The process's environment, and the nearest `.env` from `folder` upwards, if there is one.
  static Result<Environment> load(const std::string& folder);

  // The variable's value; an empty one counts as not set.
  std::optional<std::string> find(std::string_view name) const;
  // Gives the variable this value if it has none.
  void set_if_missing(const std::string& name, const std::string& value);
  // The variables that are set and whose names end so, sorted.
  std::vector<std::string> names_ending_with(std::string_view suffix) const;
  // The `.env` file that was read; empty if none was.
  const std::string& file() const { return file_; }

 private:
  std::map<std::string, std::string, std::less<>> variables_;
  std::string file_;
  bool read_process_ = false;
};

// KEY=value lines; `export ` before the key, quotes around the value and # comments are understood.
// Fails as Invalid with the line number, never with the line's text: it may be a secret.
Result<std::map<std::string, std::string>> parse_dotenv(std::string_view text);

}  // namespace personascope::files
