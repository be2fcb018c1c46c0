// A judge's prompt: a Markdown file with a head, and {names} in its text that are filled in. The
// judged text is between two marker lines, which no filled-in text can imitate.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::judge {

// A file with a head between two lines "---"; without one the head is an empty object.
struct HeadedText {
  Json head = Json::object();
  std::string body;
  std::size_t body_line = 1;  // the number of the body's first line
};

// `name` is what errors call the text. Fails as Invalid with the line.
Result<HeadedText> parse_headed_text(std::string_view text, const std::string& name);

struct Prompt {
  std::string text;
  std::vector<std::string> fields;              // the {names} in it, each once
  std::vector<std::string> markers{"Verdict"};  // what the reply puts before its verdict
  std::string fence_begin;                      // the line before the judged text
  std::string fence_end;                        // the line after it
  std::string judged;                           // the field between the two
  std::string sha256;                           // of the text

  bool has(std::string_view field) const;
};

// The prompt of a parsed file. Fails as Invalid, with place and remedy, where the judged text is
// not between two lines such as [[ANSWER BEGINS]] and [[ANSWER ENDS]].
Result<Prompt> make_prompt(const HeadedText& file, const std::string& name);

using Fields = std::map<std::string, std::string, std::less<>>;

// The text with every {name} replaced once; what is filled in is not looked at again. Values must
// be given for all fields: a missing one becomes "none".
std::string render_prompt(const Prompt& prompt, const Fields& values);

// `value` with every line that looks like one of the prompt's marker lines (other case, blanks,
// brackets or invisible characters do not help) made to look different.
std::string break_markers(const Prompt& prompt, std::string_view value);

}  // namespace personascope::judge
