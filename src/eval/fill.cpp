#include "eval/fill.hpp"

namespace personascope::eval {
namespace {

const std::string_view* find_value(const Values& values, std::string_view name) {
  for (const auto& [key, value] : values)
    if (key == name) return &value;
  return nullptr;
}

}  // namespace

std::string fill(std::string_view text, const Values& values) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t open = text.find('{');
    filled += text.substr(0, open);
    if (open == std::string_view::npos) break;
    text.remove_prefix(open);
    const std::size_t close = text.find('}');
    const std::string_view* value =
        close == std::string_view::npos ? nullptr : find_value(values, text.substr(1, close - 1));
    filled += value ? *value : text.substr(0, 1);
    text.remove_prefix(value ? close + 1 : 1);
  }
  return filled;
}

std::string fill_python(std::string_view text, const Values& values) {
  std::string filled;
  while (!text.empty()) {
    const std::size_t brace = text.find_first_of("{}");
    filled += text.substr(0, brace);
    if (brace == std::string_view::npos) break;
    text.remove_prefix(brace);
    if (text.size() > 1 && text[1] == text[0]) {
      filled += text[0];
      text.remove_prefix(2);
      continue;
    }
    const std::size_t close = text.find('}');
    const std::string_view* value = text[0] == '}' || close == std::string_view::npos
                                        ? nullptr
                                        : find_value(values, text.substr(1, close - 1));
    filled += value ? *value : text.substr(0, 1);
    text.remove_prefix(value ? close + 1 : 1);
  }
  return filled;
}

}  // namespace personascope::eval
