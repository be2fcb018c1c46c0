#include "judge/prompt.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/yaml.hpp"
#include "judge/fold.hpp"

namespace personascope::judge {
namespace {

// Brackets that a marker line may be imitated with, after folding; all become round ones.
constexpr std::array<std::pair<std::string_view, char>, 16> kBrackets{{{"[", '('},
                                                                       {"]", ')'},
                                                                       {"{", '('},
                                                                       {"}", ')'},
                                                                       {"<", '('},
                                                                       {">", ')'},
                                                                       {"【", '('},
                                                                       {"】", ')'},
                                                                       {"〔", '('},
                                                                       {"〕", ')'},
                                                                       {"〚", '('},
                                                                       {"〛", ')'},
                                                                       {"⟦", '('},
                                                                       {"⟧", ')'},
                                                                       {"〖", '('},
                                                                       {"〗", ')'}}};

bool is_name_part(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

struct Place {
  std::size_t start = 0;  // of the brace
  std::size_t end = 0;    // behind the closing one
};

// The next {name} from `from` on; other braces are text.
std::optional<Place> find_field(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find('{', from); at != std::string_view::npos;
       at = text.find('{', at + 1)) {
    std::size_t end = at + 1;
    while (end < text.size() && is_name_part(text[end])) ++end;
    if (end > at + 1 && end < text.size() && text[end] == '}') return Place{at, end + 1};
  }
  return std::nullopt;
}

std::vector<std::string> list_fields(std::string_view text) {
  std::vector<std::string> fields;
  for (auto place = find_field(text, 0); place; place = find_field(text, place->end)) {
    const std::string name(text.substr(place->start + 1, place->end - place->start - 2));
    if (std::ranges::find(fields, name) == fields.end()) fields.push_back(name);
  }
  return fields;
}

bool is_marker_line(std::string_view line) {
  return line.size() > 4 && line.starts_with("[[") && line.ends_with("]]");
}

// Letters and digits only, in lower case.
std::string skeleton_of(std::string_view text) {
  std::string letters;
  for (const char c : lower(text))
    if (is_name_part(c) && c != '_') letters += c;
  return letters;
}

Result<std::vector<std::string>> parse_markers(const Json& head, const std::string& name) {
  const Json* marker = find_member(head, "marker");
  if (!marker) return std::vector<std::string>{"Verdict"};
  const Json list = marker->is_array() ? *marker : Json::array({*marker});
  std::vector<std::string> markers;
  for (const Json& entry : list) {
    if (!entry.is_string() || trim(entry.get<std::string>()).empty())
      return fail(ErrorKind::Invalid,
                  "{}: \"marker\" must be the words before the verdict, as text", printable(name));
    markers.emplace_back(trim(entry.get<std::string>()));
  }
  if (markers.empty())
    return fail(ErrorKind::Invalid, "{}: \"marker\" is an empty list", printable(name));
  return markers;
}

// Finds the two marker lines and the field between them.
void find_fence(Prompt& prompt) {
  std::string begin;
  std::string judged;
  for (const std::string_view whole : split(prompt.text, '\n')) {
    const std::string_view line = trim(whole);
    if (is_marker_line(line)) {
      if (!judged.empty()) {
        prompt.fence_begin = begin;
        prompt.fence_end = line;
        prompt.judged = judged;
        return;
      }
      begin = line;
    } else if (!begin.empty() && judged.empty()) {
      const auto fields = list_fields(line);
      if (!fields.empty()) judged = fields.front();
    }
  }
}

std::string break_line(std::string_view folded) {
  std::string broken;
  while (!folded.empty()) {
    const auto bracket = std::ranges::find_if(
        kBrackets, [&](const auto& pair) { return folded.starts_with(pair.first); });
    if (bracket == kBrackets.end()) {
      broken += folded.front();
      folded.remove_prefix(1);
    } else {
      broken += bracket->second;
      folded.remove_prefix(bracket->first.size());
    }
  }
  return broken;
}

}  // namespace

Result<HeadedText> parse_headed_text(std::string_view text, const std::string& name) {
  HeadedText file;
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  if (!text.starts_with("---\n") && !text.starts_with("---\r\n")) {
    file.body = text;
    return file;
  }
  std::string head;
  std::size_t start = text.find('\n') + 1;
  head += "\n";  // so that lines are numbered as in the file
  for (std::size_t number = 2;; ++number) {
    if (start >= text.size())
      return fail(ErrorKind::Invalid, "{}: the head has no end; close it with a line \"---\"",
                  printable(name));
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view line = text.substr(start, end - start);
    start = end + 1;
    if (trim(line) == "---") {
      file.body_line = number + 1;
      break;
    }
    head += std::string(line) + "\n";
  }
  auto parsed = files::parse_yaml(head, name);
  if (!parsed) return fail(ErrorKind::Invalid, "{}", parsed.error().message);
  if (!parsed->is_object())
    return fail(ErrorKind::Invalid, "{}, line 2: the head must have \"name: value\" lines",
                printable(name));
  file.head = std::move(*parsed);
  file.body = start < text.size() ? text.substr(start) : "";
  return file;
}

bool Prompt::has(std::string_view field) const {
  return std::ranges::find(fields, field) != fields.end();
}

Result<Prompt> make_prompt(const HeadedText& file, const std::string& name) {
  Prompt prompt;
  prompt.text = trim(file.body);
  prompt.fields = list_fields(prompt.text);
  prompt.sha256 = render_hex(sha256(prompt.text));
  ASSIGN_OR_RETURN(prompt.markers, parse_markers(file.head, name));
  find_fence(prompt);
  if (prompt.judged.empty())
    return fail(ErrorKind::Invalid,
                "{}, line {}: the judged text has no marker lines; put {{answer}} between a line "
                "[[ANSWER BEGINS]] and a line [[ANSWER ENDS]]",
                printable(name), file.body_line);
  return prompt;
}

std::string render_prompt(const Prompt& prompt, const Fields& values) {
  const std::string_view text = prompt.text;
  std::string rendered;
  std::size_t done = 0;
  for (auto place = find_field(text, 0); place; place = find_field(text, place->end)) {
    rendered += text.substr(done, place->start - done);
    const auto value = values.find(text.substr(place->start + 1, place->end - place->start - 2));
    rendered += value == values.end() ? "none" : value->second;
    done = place->end;
  }
  rendered += text.substr(done);
  return rendered;
}

std::string break_markers(const Prompt& prompt, std::string_view value) {
  const std::array skeletons{skeleton_of(prompt.fence_begin), skeleton_of(prompt.fence_end)};
  std::string result;
  for (std::size_t start = 0; start <= value.size();) {
    const std::size_t end = std::min(value.find('\n', start), value.size());
    const std::string_view line = value.substr(start, end - start);
    const std::string folded = fold(line);
    const std::string letters = skeleton_of(folded);
    const bool says_marker = std::ranges::any_of(skeletons, [&](const std::string& marker) {
      return letters.find(marker) != std::string::npos;
    });
    if (start > 0) result += '\n';
    const std::string broken = says_marker ? break_line(folded) : folded;
    // A plain sentence that says "the answer ends" has no brackets and stays as it is.
    result += broken == folded ? std::string(line) : broken;
    start = end + 1;
  }
  return result;
}

}  // namespace personascope::judge
