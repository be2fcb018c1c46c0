// Defaults of one's own: a file of the user and a file of the project, with the same names as the
// options of the commands.
//
//   ~/.config/personascope/config.yaml   the user's; $PERSONASCOPE_CONFIG names another
//   ./personascope.yaml                  the project's, in the current folder
//
// What is given (a flag, a variable, a keyword) wins over both, the project's file over the user's.
// A project's file may be somebody else's: it comes with a cloned repository. So it cannot say
// where data is sent, which files are read or written, or raise a limit that the user's file sets.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option.hpp"
#include "files/environment.hpp"

namespace personascope::app {

enum class Owner { User, Project };

// A value that a file sets.
struct Setting {
  std::string section;  // "gym", "gym run", or empty: every command that has the option
  std::string name;
  Json value;
  std::string file;
  int line = 0;
  Owner owner = Owner::User;
};

// A file that was looked at.
struct SettingsFile {
  std::string path;
  Owner owner = Owner::User;
  std::vector<std::string> names;  // what it sets: "model", "gym.limit"
  std::string unread;              // why it was not read; empty if it was
};

// Names that are no command's option.
inline constexpr std::string_view kStoreSetting = "store";
inline constexpr std::string_view kPricesSetting = "prices";

class Configuration {
 public:
  Configuration() = default;
  // The files of the user and of the project in `folder`, if they are there. Fails as Invalid, with
  // file and line, on an option that does not exist, a wrong value, or one that a project's file
  // may not set; as NotFound if $PERSONASCOPE_CONFIG names a file that is not there.
  static Result<Configuration> load(const files::Environment& environment,
                                    const std::string& folder);

  // `given` with a value for each option of the command that is not given and that a file sets. An
  // option that excludes a given one is left out, and so is the address of the model if a model is
  // given.
  Json fill_in(std::string_view command, const std::vector<core::OptionSpec>& options,
               const Json& given) const;

  // What a file sets for a command, with where; for `store` and `prices`, the command is empty.
  std::optional<Setting> find(std::string_view command, std::string_view name) const;

  const std::vector<SettingsFile>& files() const { return files_; }

 private:
  Result<void> add_file(SettingsFile file, const std::string& text);

  std::vector<Setting> settings_;  // the user's first
  std::vector<SettingsFile> files_;
};

// Where the user's file is, be it there or not.
std::string find_configuration_path(const files::Environment& environment);

}  // namespace personascope::app
