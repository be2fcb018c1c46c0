#include "base/installed.hpp"

#include <filesystem>

namespace personascope {

namespace fs = std::filesystem;

std::vector<std::string> list_prefixes() {
  std::vector<std::string> prefixes;
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  if (!program.empty()) prefixes.push_back(program.parent_path().parent_path().string());
  prefixes.insert(prefixes.end(), {"/usr/local", "/usr"});
  return prefixes;
}

std::optional<std::string> find_installed(std::string_view place) {
  for (const std::string& prefix : list_prefixes()) {
    std::error_code error;
    const fs::path found = fs::canonical(fs::path(prefix) / place, error);
    if (!error) return found.string();
  }
  return std::nullopt;
}

std::string describe_installed(std::string_view place) {
  return (fs::path(list_prefixes().front()) / place).string();
}

}  // namespace personascope
