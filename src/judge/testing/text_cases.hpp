// For tests: text files of cases. "=== name", lines "key: value", "---", then the case's text.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "files/text_file.hpp"

namespace personascope::judge {

struct TextCase {
  std::string name;
  std::map<std::string, std::string> keys;
  std::string text;

  std::string key(const std::string& wanted, const std::string& otherwise = "") const {
    const auto found = keys.find(wanted);
    return found == keys.end() ? otherwise : found->second;
  }
};

// Of a file below testdata/. What stands before the first case is for readers.
inline std::vector<TextCase> load_cases(const std::string& path) {
  const std::string text = files::load_text(path).value();
  std::vector<TextCase> cases;
  bool in_text = false;
  for (const std::string_view line : split(text, '\n')) {
    if (line.starts_with("=== ")) {
      cases.emplace_back().name = line.substr(4);
      in_text = false;
    } else if (cases.empty()) {
      continue;
    } else if (in_text) {
      cases.back().text += std::string(line) + "\n";
    } else if (line == "---") {
      in_text = true;
    } else if (const std::size_t colon = line.find(": "); colon != std::string_view::npos) {
      cases.back().keys[std::string(line.substr(0, colon))] = line.substr(colon + 2);
    }
  }
  return cases;
}

}  // namespace personascope::judge
