#include "llm/providers/aws_profiles.hpp"

#include <algorithm>
#include <optional>

#include "base/text.hpp"

namespace personascope::llm {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool is_comment(std::string_view text) {
  return text.starts_with('#') || text.starts_with(';');
}

// A mark inside a word is part of the value: only one after a blank starts a comment.
std::string_view without_comment(std::string_view value) {
  for (std::size_t i = 0; i < value.size(); ++i)
    if (is_comment(value.substr(i)) && (i == 0 || value[i - 1] == ' ' || value[i - 1] == '\t'))
      return value.substr(0, i);
  return value;
}

// "[ profile  work ]" gives "profile work".
std::optional<std::string> find_title(std::string_view line) {
  const std::size_t close = line.find(']');
  if (close == std::string_view::npos) return std::nullopt;
  const std::string_view rest = trim(line.substr(close + 1));
  if (!rest.empty() && !is_comment(rest)) return std::nullopt;
  std::string title;
  for (const char c : trim(line.substr(1, close - 1))) {
    const bool blank = c == ' ' || c == '\t';
    if (!blank || !title.ends_with(' ')) title += blank ? ' ' : c;
  }
  if (title.empty()) return std::nullopt;
  return title;
}

std::size_t indentation_of(std::string_view line) {
  return std::min(line.find_first_not_of(" \t"), line.size());
}

}  // namespace

Result<AwsSections> parse_aws_sections(std::string_view text) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  AwsSections sections;
  AwsSettings* section = nullptr;
  std::optional<std::size_t> indentation;  // of the section's last setting
  int number = 0;
  for (const std::string_view whole_line : split(text, '\n')) {
    ++number;
    const std::string_view line = trim(whole_line);
    if (line.empty() || is_comment(line)) continue;
    if (indentation && indentation_of(whole_line) > *indentation) continue;
    if (line.starts_with('[')) {
      const auto title = find_title(line);
      if (!title) return fail(ErrorKind::Invalid, "line {}: not of the form [section]", number);
      section = &sections[*title];
      indentation.reset();
      continue;
    }
    const std::size_t equals = line.find('=');
    if (equals == std::string_view::npos || equals == 0)
      return fail(ErrorKind::Invalid, "line {}: not of the form name = value", number);
    if (!section)
      return fail(ErrorKind::Invalid, "line {}: a setting before the first [section]", number);
    (*section)[lower(trim(line.substr(0, equals)))] =
        std::string(trim(without_comment(line.substr(equals + 1))));
    indentation = indentation_of(whole_line);
  }
  return sections;
}

}  // namespace personascope::llm
