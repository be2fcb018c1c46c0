// Settings from the environment and from a `.env` file; the environment has priority.
//
// A `.env` file may come from somebody else: with a cloned repository or in a shared folder. So it
// is read only from the current folder up to the home folder or the repository's root, only if it
// belongs to the user (or root) and nobody else can write to it, and only keys and addresses are
// taken from it. Code that uses an address must check `source_of`: an address from the file may be
// used only with a key from the file.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace personascope::files {

// Where a variable's value comes from. Given: by this program itself (or a test).
enum class Source { None, Given, Process, File };

class Environment {
 public:
  // Only these variables; for tests.
  explicit Environment(std::map<std::string, std::string> variables);
  // The process's environment, and the nearest `.env` from `folder` upwards, if there is one. The
  // search ends at the home folder or the folder with `.git`; if neither is above, only `folder`
  // itself is searched. Fails as Invalid if the file is not of the form below.
  static Result<Environment> load(const std::string& folder);

  // The variable's value; an empty one counts as not set.
  std::optional<std::string> find(std::string_view name) const;
  Source source_of(std::string_view name) const;
  // Gives the variable this value if it has none.
  void set_if_missing(const std::string& name, const std::string& value);
  // The variables that are set and whose names end so, sorted.
  std::vector<std::string> names_ending_with(std::string_view suffix) const;
  // The `.env` file that was read; empty if none was.
  const std::string& file() const { return file_; }
  // Why an existing `.env` file was not read, in a sentence with its path; otherwise empty.
  const std::string& unread() const { return unread_; }
  // The settings of this program in the file that was read, which were not taken: PERSONASCOPE_*.
  const std::vector<std::string>& not_taken() const { return not_taken_; }

 private:
  Result<void> read_file(const std::string& path);

  std::map<std::string, std::string, std::less<>> given_;
  std::map<std::string, std::string, std::less<>> from_file_;
  std::vector<std::string> not_taken_;
  std::string file_;
  std::string unread_;
  bool read_process_ = false;
};

// Fails as Misconfigured if the address variable's value comes from the `.env` file, and the key
// that would be sent there does not: a file from somebody else's folder must not cause a key of the
// user to be sent to another server.
Result<void> check_same_source(const Environment& environment, std::string_view address_variable,
                               std::string_view key_variable);

// KEY=value lines; `export ` before the key, quotes around the value and # comments are understood.
// Fails as Invalid with the line number, never with the line's text: it may be a secret.
Result<std::map<std::string, std::string>> parse_dotenv(std::string_view text);

}  // namespace personascope::files
