// The lines of a judged text that look like verdicts: a reply that repeats them only quotes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace personascope::judge {

// Whether one of `markers` (in lower case) is anywhere in the text, in any letter case.
bool mentions(std::string_view text, const std::vector<std::string>& markers);

// The first line of `text` that is not blank, trimmed.
std::string_view first_line(std::string_view text);

// Quotation marks, bullets, emphasis and tags at a line's ends do not count, nor do blank lines.
// Takes time linear in what it is given.
class QuotedLines {
 public:
  QuotedLines(std::string_view judged, const std::vector<std::string>& markers);

  bool empty() const { return lines_.empty(); }
  // Whether `line`, folded, mentions a marker and stands so in the judged text.
  bool has(std::string_view line) const;
  // Whether the two, one of which mentions a marker, stand there one after the other.
  bool has(std::string_view line, std::string_view next) const;

 private:
  std::unordered_set<std::string> lines_;  // pairs have a line break between
};

}  // namespace personascope::judge
