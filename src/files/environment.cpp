#include "files/environment.hpp"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::files {
namespace {

bool is_name(std::string_view text) {
  if (text.empty() || (text[0] >= '0' && text[0] <= '9')) return false;
  for (const char c : text)
    if (!(c == '_' || c == '.' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
          (c >= 'a' && c <= 'z')))
      return false;
  return true;
}

// The value after `=`: quoted text as it is, plain text without a comment and outer blanks.
std::optional<std::string> find_value(std::string_view text) {
  text = trim(text);
  if (text.empty() || (text[0] != '"' && text[0] != '\'')) {
    for (std::size_t i = 0; i < text.size(); ++i)
      if (text[i] == '#' && (i == 0 || text[i - 1] == ' ' || text[i - 1] == '\t'))
        text = text.substr(0, i);
    return std::string(trim(text));
  }
  const std::size_t close = text.find(text[0], 1);
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trim(text.substr(close + 1));
  if (!rest.empty() && rest[0] != '#') return std::nullopt;
  return std::string(text.substr(1, close - 1));
}

}  // namespace

Result<std::map<std::string, std::string>> parse_dotenv(std::string_view text) {
  std::map<std::string, std::string> variables;
  int number = 0;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);  // byte order mark
  for (std::string_view line : split(text, '\n')) {
    ++number;
    line = trim(line);
    if (line.empty() || line[0] == '#') continue;
    if (line.starts_with("export ")) line = trim(line.substr(7));
    const std::size_t equals = line.find('=');
    const std::string_view name = trim(line.substr(0, equals));
    const auto value =
        equals == std::string_view::npos ? std::nullopt : find_value(line.substr(equals + 1));
    if (!is_name(name) || !value)
      return fail(ErrorKind::Invalid, "line {}: not of the form NAME=value", number);
    variables[std::string(name)] = *value;
  }
  return variables;
}

Environment::Environment(std::map<std::string, std::string> variables)
    : variables_(variables.begin(), variables.end()) {}

Result<Environment> Environment::load(const std::string& folder) {
  Environment environment({});
  environment.read_process_ = true;
  std::error_code error;
  // Normal, since the parent of "a/.." is "a" to the path library.
  std::filesystem::path place = std::filesystem::absolute(folder, error).lexically_normal();
  for (;; place = place.parent_path()) {
    const std::string candidate = (place / ".env").string();
    if (std::filesystem::is_regular_file(candidate, error)) {
      ASSIGN_OR_RETURN(const std::string text, load_text(candidate, 1u << 20));
      auto variables = parse_dotenv(text);
      if (!variables)
        return fail(ErrorKind::Invalid, "{}, {}", printable(candidate), variables.error().message);
      environment.variables_.insert(variables->begin(), variables->end());
      environment.file_ = candidate;
      break;
    }
    if (place == place.parent_path()) break;
  }
  return environment;
}

std::optional<std::string> Environment::find(std::string_view name) const {
  if (read_process_)
    if (const char* value = std::getenv(std::string(name).c_str()); value && *value) return value;
  const auto place = variables_.find(name);
  if (place == variables_.end() || place->second.empty()) return std::nullopt;
  return place->second;
}

void Environment::set_if_missing(const std::string& name, const std::string& value) {
  if (!find(name)) variables_[name] = value;
}

std::vector<std::string> Environment::names_ending_with(std::string_view suffix) const {
  std::set<std::string> names;
  const auto consider = [&](std::string_view name) {
    if (name.ends_with(suffix) && find(name)) names.emplace(name);
  };
  for (const auto& [name, value] : variables_) consider(name);
  for (char** entry = environ; read_process_ && *entry; ++entry) {
    const std::string_view text = *entry;
    consider(text.substr(0, text.find('=')));
  }
  return {names.begin(), names.end()};
}

}  // namespace personascope::files
