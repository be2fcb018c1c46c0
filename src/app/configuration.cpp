#include "app/configuration.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "app/configuration_rules.hpp"
#include "base/text.hpp"
#include "files/own_file.hpp"
#include "files/yaml.hpp"
#include "files/yaml_lines.hpp"

namespace personascope::app {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLargestConfiguration = 1u << 20;
constexpr const char* kProjectFile = "personascope.yaml";
constexpr const char* kNoFile = "/dev/null";

std::string shown(std::string_view name) {
  return printable(shorten(name, 60));
}

// A place that does not depend on the folder of the day.
Result<std::string> expand_path(const std::string& path, const files::Environment& environment) {
  if (path.starts_with('/')) return path;
  const auto home = environment.find("HOME");
  if (path.starts_with("~/") && home) return *home + path.substr(1);
  return fail(ErrorKind::Invalid, "must be an absolute path or begin with ~/, not {}",
              printable(shorten(path, 200)));
}

// One text in place of a list of one.
Json adapt(const core::OptionSpec& spec, const Json& value) {
  if (spec.kind == core::OptionKind::Texts && value.is_string()) return Json::array({value});
  return value;
}

// The settings of one file, read one after the other.
class FileReader {
 public:
  FileReader(const SettingsFile& file, const std::string& text)
      : file_(file), lines_(files::find_key_lines(text)) {}

  Result<std::vector<Setting>> read(const Json& root) {
    if (root.is_null()) return std::move(settings_);  // comments only
    if (!root.is_object())
      return fail(ErrorKind::Invalid, "{} must hold options and their values, such as \"model: …\"",
                  printable(file_.path));
    for (const auto& [key, value] : root.items()) {
      if (value.is_object()) {
        RETURN_IF_ERROR(read_section(key, value));
      } else {
        RETURN_IF_ERROR(read_option("", key, value));
      }
    }
    return std::move(settings_);
  }

 private:
  int line_of(const std::string& section, const std::string& name) const {
    const auto found = lines_.find(section.empty() ? name : section + "/" + name);
    return found == lines_.end() ? 0 : found->second;
  }

  std::string place_of(const std::string& section, const std::string& name) const {
    return fmt::format("{}, line {}", printable(file_.path), line_of(section, name));
  }

  std::unexpected<Error> refuse(const std::string& section, const std::string& name,
                                const std::string& message) const {
    return fail(ErrorKind::Invalid, "{}: \"{}\" {}", place_of(section, name), shown(name), message);
  }

  std::unexpected<Error> refuse_unknown(const std::string& section, const std::string& name,
                                        const std::vector<std::string>& known) const {
    const std::string word = lower(name);
    if (word.ends_with("api_key") || word.ends_with("token") || word.ends_with("secret"))
      return refuse(section, name,
                    "looks like an API key: put keys into the environment or a .env file");
    const auto near = near_matches(shorten(name, 60), known);
    return refuse(section, name,
                  section.empty()
                      ? "is not an option of any command" + suggest(near)
                      : fmt::format("is not an option of {}{}", section, suggest(near)));
  }

  static std::string suggest(const std::vector<std::string>& near) {
    return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near.front());
  }

  Result<void> read_section(const std::string& section, const Json& values) {
    if (!is_section(section)) return refuse_unknown("", section, list_sections());
    for (const auto& [name, value] : values.items())
      RETURN_IF_ERROR(read_option(section, name, value));
    return {};
  }

  Result<void> read_option(const std::string& section, const std::string& name, const Json& value) {
    if (section.empty() && (name == kStoreSetting || name == kPricesSetting))
      return read_place(name, value);
    const std::vector<Known> known = find_known(section, name);
    if (known.empty()) return refuse_unknown(section, name, list_known_names(section));
    for (const Known& option : known) {
      const Json adapted = adapt(option.spec, value);
      const auto checked = core::check_value(option.spec, adapted, "");
      if (!checked)
        return refuse(section, name,
                      fmt::format("{} (in {})", trim(checked.error().message), option.command));
      if (file_.owner == Owner::Project)
        if (const auto allowed = check_for_project(option.spec, adapted); !allowed)
          return refuse(section, name, allowed.error().message);
    }
    if (!value.is_null()) keep(section, name, value);
    return {};
  }

  Result<void> read_place(const std::string& name, const Json& value) {
    if (!value.is_string()) return refuse("", name, "must be a path");
    core::OptionSpec spec;
    spec.name = name;
    if (file_.owner == Owner::Project)
      if (const auto allowed = check_for_project(spec, value); !allowed)
        return refuse("", name, allowed.error().message);
    keep("", name, value);
    return {};
  }

  void keep(const std::string& section, const std::string& name, const Json& value) {
    settings_.push_back({section, name, value, file_.path, line_of(section, name), file_.owner});
  }

  const SettingsFile& file_;
  std::map<std::string, int> lines_;
  std::vector<Setting> settings_;
};

// The more the section says, the more it counts.
std::size_t weight_of(const Setting& setting) {
  return setting.section.size();
}

bool is_for(const Setting& setting, std::string_view command) {
  if (setting.section.empty() || setting.section == command) return true;
  return command.starts_with(setting.section) && command.size() > setting.section.size() &&
         command[setting.section.size()] == ' ';
}

bool is_given(const Json& given, const std::string& name) {
  const Json* value = find_member(given, name);
  return value && *value != false;
}

bool is_excluded(const core::OptionSpec& spec, const std::vector<core::OptionSpec>& options,
                 const Json& given) {
  for (const std::string& other : spec.excludes)
    if (is_given(given, other)) return true;
  for (const core::OptionSpec& other : options)
    if (is_given(given, other.name) &&
        std::ranges::find(other.excludes, spec.name) != other.excludes.end())
      return true;
  return false;
}

}  // namespace

std::string find_configuration_path(const files::Environment& environment) {
  if (auto given = environment.find("PERSONASCOPE_CONFIG")) return *given;
  if (const auto folder = environment.find("XDG_CONFIG_HOME"))
    return *folder + "/personascope/config.yaml";
  const auto home = environment.find("HOME");
  return home ? *home + "/.config/personascope/config.yaml" : "";
}

Result<Configuration> Configuration::load(const files::Environment& environment,
                                          const std::string& folder) {
  Configuration configuration;
  const std::string own = find_configuration_path(environment);
  const std::string project = (fs::path(folder) / kProjectFile).lexically_normal().string();
  std::error_code ignored;
  if (environment.find("PERSONASCOPE_CONFIG") && own != kNoFile && !fs::exists(own, ignored))
    return fail(ErrorKind::NotFound, "there is no file {}, which PERSONASCOPE_CONFIG names",
                printable(own));
  for (const auto& [path, owner] :
       {std::pair(own, Owner::User), std::pair(project, Owner::Project)}) {
    if (path.empty() || path == kNoFile || !fs::exists(path, ignored)) continue;
    auto file = files::load_own_file(path, kLargestConfiguration);
    if (!file) return fail(ErrorKind::Invalid, "{} {}", printable(path), file.error().message);
    SettingsFile entry{path, owner, {}, file->objection};
    if (!entry.unread.empty())
      configuration.files_.push_back(std::move(entry));
    else
      RETURN_IF_ERROR(configuration.add_file(std::move(entry), file->text));
  }
  for (Setting& setting : configuration.settings_) {
    if (setting.name != kStoreSetting && setting.name != kPricesSetting) continue;
    auto path = expand_path(setting.value.get<std::string>(), environment);
    if (!path)
      return fail(ErrorKind::Invalid, "{}, line {}: \"{}\" {}", printable(setting.file),
                  setting.line, setting.name, path.error().message);
    setting.value = *path;
  }
  return configuration;
}

Result<void> Configuration::add_file(SettingsFile file, const std::string& text) {
  auto root = files::parse_yaml(text, file.path);
  if (!root) return fail(ErrorKind::Invalid, "{}", root.error().message);
  ASSIGN_OR_RETURN(auto settings, FileReader(file, text).read(*root));
  for (Setting& setting : settings) {
    file.names.push_back(setting.section.empty() ? setting.name
                                                 : setting.section + "." + setting.name);
    settings_.push_back(std::move(setting));
  }
  files_.push_back(std::move(file));
  return {};
}

std::optional<Setting> Configuration::find(std::string_view command, std::string_view name) const {
  std::optional<Setting> best;
  for (const Setting& setting : settings_) {
    if (setting.name != name || !is_for(setting, command)) continue;
    if (setting.section.empty() && !command.empty()) {
      // A default for all commands, where the name means the same in this one.
      const auto known = find_known("", name);
      const bool is_known = std::ranges::find(known, command, &Known::command) != known.end();
      if (!is_known && command != "ask" && name != "judges") continue;
    }
    const bool same_owner = best && best->owner == setting.owner;
    if (same_owner && weight_of(*best) > weight_of(setting)) continue;
    const bool raises = best && !same_owner && is_limit(name) &&
                        setting.value.get<double>() > best->value.get<double>();
    if (!raises) best = setting;
  }
  return best;
}

Json Configuration::fill_in(std::string_view command, const std::vector<core::OptionSpec>& options,
                            const Json& given) const {
  Json filled = given;
  for (const core::OptionSpec& spec : options) {
    if (find_member(given, spec.name) || is_excluded(spec, options, given)) continue;
    // The address is that of the configuration's model, and may not get another one's key.
    if (spec.name == "base_url" && find_member(given, "model")) continue;
    if (const auto setting = find(command, spec.name)) {
      filled[spec.name] = adapt(spec, setting->value);
    } else if (spec.name == "judge") {
      // A panel elsewhere, one judge here: the first.
      const auto judges = find(command, "judges");
      const Json list = judges ? judges->value : Json();
      if (list.is_string()) filled[spec.name] = list;
      if (list.is_array() && !list.empty()) filled[spec.name] = list[0];
    }
  }
  return filled;
}

}  // namespace personascope::app
