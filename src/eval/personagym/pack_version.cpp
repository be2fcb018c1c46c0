#include "eval/personagym/pack_version.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personagym {
namespace {

namespace fs = std::filesystem;

// 12 of "v12"; nothing of other names.
std::optional<std::int64_t> parse_version(const std::string& name) {
  if (name.size() < 2 || name.size() > 10 || name.front() != 'v') return std::nullopt;
  std::int64_t number = 0;
  for (const char c : name.substr(1)) {
    if (c < '0' || c > '9') return std::nullopt;
    number = 10 * number + (c - '0');
  }
  return number;
}

// A path without "." and a closing slash.
fs::path plain(const std::string& path) {
  return (fs::path(path) / "").lexically_normal().parent_path();
}

// The older versions in the folder, newest first.
std::vector<std::int64_t> list_older(const std::string& folder) {
  std::vector<std::int64_t> versions;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (const auto version = parse_version(entry.path().filename().string()))
      if (fs::exists(entry.path() / "pack.yaml")) versions.push_back(*version);
  std::ranges::sort(versions, std::ranges::greater{});
  return versions;
}

std::string folder_of(const std::string& folder, std::int64_t version) {
  return fmt::format("{}/v{}", folder, version);
}

}  // namespace

Result<std::string> find_pack_version(const std::string& folder, std::int64_t version) {
  ASSIGN_OR_RETURN(const Json card, files::load_yaml(folder + "/pack.yaml"));
  const auto newest = find_number(card, "version");
  if (newest && *newest == static_cast<double>(version)) return folder;
  const std::vector<std::int64_t> older = list_older(folder);
  if (std::ranges::find(older, version) != older.end()) return folder_of(folder, version);
  std::vector<std::string> known;
  if (newest) known.push_back(fmt::format("{}", *newest));
  for (const std::int64_t number : older) known.push_back(std::to_string(number));
  return fail(ErrorKind::NotFound, "{} has no version {} of its data; it has {}", printable(folder),
              version, known.empty() ? "none" : join(known, ", "));
}

bool is_version_folder(const std::string& folder, const std::string& ours) {
  const fs::path inner = plain(folder);
  return inner.parent_path() == plain(ours) && parse_version(inner.filename().string());
}

Result<Pack> load_pack_with_hash(const std::string& folder, const std::string& ours,
                                 const std::string& sha256) {
  ASSIGN_OR_RETURN(Pack newest, load_pack(folder, ours));
  if (sha256.empty() || newest.sha256 == sha256) return newest;
  for (const std::int64_t version : list_older(folder)) {
    Result<Pack> older = load_pack(folder_of(folder, version), folder);
    if (older && older->sha256 == sha256) return older;
  }
  return newest;
}

}  // namespace personascope::eval::personagym
