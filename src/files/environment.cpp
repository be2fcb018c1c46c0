#include "files/environment.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <set>

#include "base/text.hpp"
#include "files/own_file.hpp"

namespace personascope::files {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLargestFile = 1u << 20;
constexpr std::string_view kOwnPrefix = "PERSONASCOPE_";

// What may be taken from a `.env` file, beside <NAME>_API_KEY and <NAME>_BASE_URL.
constexpr std::array<std::string_view, 15> kKeysAndAddresses{"AWS_BEARER_TOKEN_BEDROCK",
                                                             "AWS_ACCESS_KEY_ID",
                                                             "AWS_SECRET_ACCESS_KEY",
                                                             "AWS_SESSION_TOKEN",
                                                             "AWS_PROFILE",
                                                             "AWS_DEFAULT_PROFILE",
                                                             "AWS_REGION",
                                                             "AWS_DEFAULT_REGION",
                                                             "AWS_ENDPOINT_URL_BEDROCK_RUNTIME",
                                                             "AWS_ENDPOINT_URL",
                                                             "AZURE_OPENAI_ENDPOINT",
                                                             "AZURE_OPENAI_API_VERSION",
                                                             "HF_TOKEN",
                                                             "HUGGING_FACE_HUB_TOKEN",
                                                             "HF_ENDPOINT"};

bool is_key_or_address(std::string_view name) {
  if (name.starts_with(kOwnPrefix)) return false;
  return name.ends_with("_API_KEY") || name.ends_with("_BASE_URL") ||
         std::ranges::find(kKeysAndAddresses, name) != kKeysAndAddresses.end();
}

// The folders in which a `.env` file counts, nearest first.
std::vector<fs::path> folders_from(const std::string& folder) {
  std::error_code error;
  const char* home = std::getenv("HOME");
  // Normal, since the parent of "a/.." is "a" to the path library.
  fs::path place = fs::absolute(folder, error).lexically_normal();
  if (!place.has_filename()) place = place.parent_path();
  std::vector<fs::path> folders;
  for (;; place = place.parent_path()) {
    folders.push_back(place);
    const bool is_home = home && *home && fs::equivalent(place, home, error);
    if (is_home || fs::exists(place / ".git", error)) return folders;
    if (place == place.parent_path()) break;
  }
  folders.resize(1);  // outside of home and of any repository, the folders above are others'
  return folders;
}

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
    : given_(variables.begin(), variables.end()) {}

Result<Environment> Environment::load(const std::string& folder) {
  Environment environment({});
  environment.read_process_ = true;
  for (const fs::path& place : folders_from(folder)) {
    const std::string candidate = (place / ".env").string();
    std::error_code error;
    // The nearest one counts, be it a bad one; a folder of that name is none.
    if (!fs::exists(candidate, error) || fs::is_directory(candidate, error)) continue;
    RETURN_IF_ERROR(environment.read_file(candidate));
    break;
  }
  return environment;
}

Result<void> Environment::read_file(const std::string& path) {
  auto own = load_own_file(path, kLargestFile);
  if (!own) return fail(ErrorKind::Invalid, "{} {}", printable(path), own.error().message);
  if (!own->objection.empty()) {
    unread_ = fmt::format("{} was not read: {}", printable(path), own->objection);
    return {};
  }
  auto variables = parse_dotenv(own->text);
  if (!variables)
    return fail(ErrorKind::Invalid, "{}, {}", printable(path), variables.error().message);
  for (const auto& [name, value] : *variables) {
    if (is_key_or_address(name)) from_file_[name] = value;
    if (name.starts_with(kOwnPrefix)) not_taken_.push_back(name);
  }
  file_ = path;
  return {};
}

Source Environment::source_of(std::string_view name) const {
  const auto has = [name](const auto& variables) {
    const auto place = variables.find(name);
    return place != variables.end() && !place->second.empty();
  };
  if (read_process_)
    if (const char* value = std::getenv(std::string(name).c_str()); value && *value)
      return Source::Process;
  if (has(from_file_)) return Source::File;
  return has(given_) ? Source::Given : Source::None;
}

std::optional<std::string> Environment::find(std::string_view name) const {
  switch (source_of(name)) {
    case Source::None:
      return std::nullopt;
    case Source::Given:
      return given_.find(name)->second;
    case Source::Process:
      return std::getenv(std::string(name).c_str());
    case Source::File:
      return from_file_.find(name)->second;
  }
  return std::nullopt;
}

void Environment::set_if_missing(const std::string& name, const std::string& value) {
  if (!find(name)) given_[name] = value;
}

std::vector<std::string> Environment::names_ending_with(std::string_view suffix) const {
  std::set<std::string> names;
  const auto consider = [&](std::string_view name) {
    if (name.ends_with(suffix) && find(name)) names.emplace(name);
  };
  for (const auto& [name, value] : given_) consider(name);
  for (const auto& [name, value] : from_file_) consider(name);
  for (char** entry = environ; read_process_ && *entry; ++entry) {
    const std::string_view text = *entry;
    consider(text.substr(0, text.find('=')));
  }
  return {names.begin(), names.end()};
}

Result<void> check_same_source(const Environment& environment, std::string_view address_variable,
                               std::string_view key_variable) {
  const bool is_key_of_file = environment.source_of(key_variable) != Source::Process;
  if (environment.source_of(address_variable) != Source::File || is_key_of_file) return {};
  return fail(ErrorKind::Misconfigured,
              "{} comes from {}, but {} does not, so the key was not sent there: put both into "
              "that file or both into the environment",
              address_variable, printable(environment.file()), key_variable);
}

}  // namespace personascope::files
