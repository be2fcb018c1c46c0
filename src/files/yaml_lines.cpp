#include "files/yaml_lines.hpp"

#include <yaml-cpp/yaml.h>

namespace personascope::files {
namespace {

constexpr int kDeepestLine = 20;

void add_lines(const YAML::Node& node, const std::string& path, int depth,
               std::map<std::string, int>& lines) {
  if (depth > kDeepestLine) return;
  const std::string before = path.empty() ? "" : path + "/";
  if (node.IsMap())
    for (const auto& entry : node) {
      if (!entry.first.IsScalar()) continue;
      const std::string own = before + entry.first.Scalar();
      lines[own] = entry.first.Mark().line + 1;
      add_lines(entry.second, own, depth + 1, lines);
    }
  if (node.IsSequence())
    for (std::size_t i = 0; i < node.size(); ++i) {
      const std::string own = before + std::to_string(i);
      lines[own] = node[i].Mark().line + 1;
      add_lines(node[i], own, depth + 1, lines);
    }
}

}  // namespace

std::map<std::string, int> find_key_lines(std::string_view text) {
  std::map<std::string, int> lines;
  try {
    add_lines(YAML::Load(std::string(text)), "", 0, lines);
  } catch (const YAML::Exception&) {
    return {};
  }
  return lines;
}

}  // namespace personascope::files
