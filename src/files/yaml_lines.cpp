#include "files/yaml_lines.hpp"

#include <yaml-cpp/yaml.h>

namespace personascope::files {

std::map<std::string, int> find_key_lines(std::string_view text) {
  std::map<std::string, int> lines;
  try {
    const YAML::Node root = YAML::Load(std::string(text));
    if (!root.IsMap()) return lines;
    for (const auto& entry : root) {
      if (!entry.first.IsScalar()) continue;
      const std::string& key = entry.first.Scalar();
      lines[key] = entry.first.Mark().line + 1;
      if (!entry.second.IsMap()) continue;
      for (const auto& below : entry.second)
        if (below.first.IsScalar())
          lines[key + "/" + below.first.Scalar()] = below.first.Mark().line + 1;
    }
  } catch (const YAML::Exception&) {
    return {};
  }
  return lines;
}

}  // namespace personascope::files
