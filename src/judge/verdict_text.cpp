#include "judge/verdict_text.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "base/text.hpp"
#include "judge/fold.hpp"

namespace personascope::judge {
namespace {

constexpr std::string_view kEmphasis = " \t\r*_";
constexpr std::string_view kLineStart = " \t\r*_#-";  // emphasis, headings, bullets
constexpr std::string_view kAbstain = "cannot assess";
constexpr std::string_view kBlockBegins = "<blockquote";
constexpr std::string_view kBlockEnds = "</blockquote>";
constexpr std::size_t kLongestValue = 80;  // a reply that is a value and nothing else

constexpr std::array<std::string_view, 8> kLeadWords{"final", "my",   "the",       "overall",
                                                     "so",    "thus", "therefore", "hence"};
constexpr std::array<std::string_view, 17> kRefusals{
    "i'm sorry", "i am sorry",     "sorry,",      "i can't",     "i cannot",     "i can not",
    "i won't",   "i will not",     "i'm unable",  "i am unable", "i'm not able", "i am not able",
    "as an ai",  "i must decline", "i apologize", "i refuse",    "i decline"};

// What a place in a text says of the verdict.
enum class Claim { None, Value, OnNextLine };
struct Found {
  Claim claim = Claim::None;
  Value value;
};

bool begins_fence(std::string_view line) {
  line = skip(line, kBlanks);
  return line.starts_with("```") || line.starts_with("~~~");
}

// A reply that is one fence as a whole was wrapped by the judge, not quoted.
std::string_view without_wrapping(std::string_view text) {
  text = trim(text);
  if (!text.starts_with("```") || !text.ends_with("```")) return text;
  const std::size_t first = text.find('\n');
  const std::size_t last = text.rfind('\n');
  if (first == std::string_view::npos || first >= last || trim(text.substr(last)) != "```")
    return text;
  const std::string_view inside = text.substr(first + 1, last - first - 1);
  return inside.find("```") == std::string_view::npos ? trim(inside) : text;
}

// The words after the marker: a separator and the value, or neither.
Found read_behind_marker(std::string_view rest, bool separated, Remark remark,
                         const ValueReader& values) {
  rest = skip(rest, kEmphasis);
  if (begins_with(rest, "is") && !continues_word(rest.substr(2))) {
    rest = skip(rest.substr(2), kEmphasis);
    separated = true;
  }
  if (rest.starts_with(':') || rest.starts_with('=')) {
    rest = skip(rest.substr(1), kEmphasis);
    separated = true;
  } else if (rest.starts_with("- ")) {
    if (values.may_be_signed(rest)) return {Claim::Value, {}};
    rest = skip(rest.substr(1), kEmphasis);
    separated = true;
  }
  if (rest.empty()) return {Claim::OnNextLine, {}};
  if (!separated) return {};
  return {Claim::Value, values.read(rest, remark)};
}

Found read_statement(std::string_view text, Remark remark, const std::vector<std::string>& markers,
                     const ValueReader& values) {
  for (int words = 0; words < 4; ++words) {
    text = skip(text, kEmphasis);
    for (const std::string& marker : markers) {
      if (!begins_with(text, marker)) continue;
      const std::string_view rest = text.substr(marker.size());
      if (continues_word(rest)) continue;
      return read_behind_marker(rest, marker.ends_with(" is"), remark, values);
    }
    const auto lead = std::ranges::find_if(kLeadWords, [&](std::string_view word) {
      return begins_with(text, word) && !continues_word(text.substr(word.size()));
    });
    if (lead == kLeadWords.end()) return {};
    text = skip(text.substr(lead->size()), " ,\t");
  }
  return {};
}

bool is_refusal(std::string_view text) {
  return std::ranges::any_of(kRefusals, [&](std::string_view words) {
    return begins_with(text, words) && !continues_word(text.substr(words.size()));
  });
}

// Goes through the lines once and keeps the last verdict that is not quoted.
class Scan {
 public:
  using OwnLines = std::vector<VerdictReader::VerdictLine>;
  Scan(const VerdictForm& form, const std::vector<std::string>& markers, const ValueReader& values,
       const OwnLines& own_lines, const QuotedLines& judged)
      : form_(form), markers_(markers), values_(values), own_lines_(own_lines), judged_(judged) {}

  void read(std::string_view text) {
    for (std::size_t start = 0; start <= text.size();) {
      const std::size_t end = std::min(text.find('\n', start), text.size());
      read_line(text.substr(start, end - start), text, start);
      start = end + 1;
    }
    if (awaiting_) keep({});
    end_paragraph();
  }

  const std::optional<Value>& last() const { return last_; }
  // What the last closed code fence holds, if nothing but blanks follows it.
  std::string_view last_block() const { return last_block_; }
  // Whether a fence, a <blockquote> or the prompt's answer is still open at the end.
  bool ends_quoted() const { return in_fence_ || in_block_ || in_prompt_; }

 private:
  void read_line(std::string_view line, std::string_view text, std::size_t start) {
    if (begins_fence(line)) {
      if (in_fence_) last_block_ = text.substr(fence_start_, start - fence_start_);
      fence_start_ = std::min(start + line.size() + 1, text.size());
      in_fence_ = !in_fence_;
      return;
    }
    if (in_fence_) return;
    const std::string_view rest = text.substr(start + line.size());
    std::string_view bare = skip(line, kBlanks);
    if (!in_prompt_ && (in_block_ || bare.starts_with(kBlockBegins)))
      bare = skip(line = outside_block(line), kBlanks);
    if (bare.empty()) return end_paragraph();
    last_block_ = {};
    if (bare.front() == '[' && is_quoted_prompt(trim(bare))) return;
    if (in_prompt_ || bare.front() == '>') return;
    if (awaiting_) {
      awaiting_ = false;
      keep(values_.read(without_bullet(bare), Remark::Forbidden));
    }
    const std::string_view before = std::exchange(before_, trim(bare));
    if (!mentions(line, markers_)) return count_quotes(line);
    const Found found = read_statement(skip(line, kLineStart), Remark::Allowed, markers_, values_);
    if (is_of_prompt(before, before_, rest) || is_of_judged(before, before_, rest, found))
      return count_quotes(line);
    read_statements(line, found);
  }

  // The last words of the line that stand in no <blockquote>. One begins where a line does: words
  // about the tag open nothing.
  std::string_view outside_block(std::string_view line) {
    std::string_view outside;
    while (!line.empty()) {
      const std::string_view tag = in_block_ ? kBlockEnds : kBlockBegins;
      const std::size_t found = std::min(line.find(tag), line.size());
      if (!in_block_ && !trim(line.substr(0, found)).empty()) outside = line.substr(0, found);
      if (found == line.size()) break;
      line.remove_prefix(found + tag.size());
      in_block_ = !in_block_;
    }
    return outside;
  }

  // A value on a line of its own. "-2" is no bullet.
  std::string_view without_bullet(std::string_view line) const {
    line = skip(line, " \t\r*_#");
    if (!line.starts_with("- ") || values_.may_be_signed(line)) return line;
    return skip(line, kLineStart);
  }

  // A line that says more than a verdict needs no neighbour.
  bool is_of_judged(std::string_view before, std::string_view line, std::string_view rest,
                    const Found& found) const {
    if (judged_.empty()) return false;
    if (judged_.has(before, line) || judged_.has(line, first_line(rest))) return true;
    return found.claim == Claim::None && judged_.has(line);
  }

  // By the line that follows. The one before it also stands before the verdict of a judge that
  // fills the form in, so it decides only where nothing follows in the prompt, or more of it was
  // repeated.
  bool is_of_prompt(std::string_view before, std::string_view line, std::string_view rest) {
    const bool is_own = std::ranges::any_of(own_lines_, [&](const VerdictReader::VerdictLine& own) {
      if (own.line != line) return false;
      if (!own.after.empty() && own.after == first_line(rest)) return true;
      return (own.after.empty() || repeats_prompt_) && !own.before.empty() && own.before == before;
    });
    repeats_prompt_ = repeats_prompt_ || is_own;
    return is_own;
  }

  bool is_quoted_prompt(std::string_view line) {
    if (line == form_.fence_begin) in_prompt_ = true;
    if (line == form_.fence_end) {
      in_prompt_ = false;
      return true;
    }
    return in_prompt_;
  }

  // What the line's beginning says, then each sentence's.
  void read_statements(std::string_view line, const Found& first) {
    note(first);
    std::size_t counted = 0;
    for (std::size_t at = line.find_first_of(".!?"); at != std::string_view::npos;
         at = line.find_first_of(".!?", at + 1)) {
      if (at + 1 >= line.size() || line[at + 1] != ' ') continue;
      const Found found = read_statement(line.substr(at + 2), Remark::Forbidden, markers_, values_);
      if (found.claim == Claim::None) continue;
      count_quotes(line.substr(counted, at - counted));
      counted = at;
      note(found);
    }
    count_quotes(line.substr(counted));
  }

  void note(const Found& found) {
    if (found.claim == Claim::Value) keep(found.value);
    if (found.claim == Claim::OnNextLine) awaiting_ = true;
  }

  void keep(const Value& value) {
    // Inside a quotation if it is closed before the paragraph ends.
    if (quotes_ % 2 == 1)
      doubtful_ = value;
    else
      last_ = value;
  }

  void count_quotes(std::string_view text) {
    const auto count = std::ranges::count(text, '"');
    if (count > 0) doubtful_.reset();
    quotes_ += count;
  }

  void end_paragraph() {
    if (doubtful_) last_ = doubtful_;
    doubtful_.reset();
    quotes_ = 0;
  }

  const VerdictForm& form_;
  const std::vector<std::string>& markers_;
  const ValueReader& values_;
  const OwnLines& own_lines_;
  const QuotedLines& judged_;
  std::string_view before_;  // the last line read that is neither blank nor quoted
  std::optional<Value> last_;
  std::optional<Value> doubtful_;
  std::ptrdiff_t quotes_ = 0;  // in the paragraph so far
  bool in_fence_ = false;
  bool in_block_ = false;  // of HTML
  bool in_prompt_ = false;
  bool awaiting_ = false;        // a marker without a value was the last thing read
  bool repeats_prompt_ = false;  // one of its verdict lines at least
  std::size_t fence_start_ = 0;
  std::string_view last_block_;
};

core::Verdict make_verdict(const Value& value, std::string_view reply) {
  switch (value.kind) {
    case Value::Kind::Score:
      return core::make_score(value.score, std::string(reply));
    case Value::Kind::Abstention:
      return core::make_abstention(std::string(reply));
    case Value::Kind::Unread:
      break;
  }
  return core::make_failure({ErrorKind::Unparsable, "the verdict's value is not on the scale"},
                            std::string(reply));
}

}  // namespace

VerdictReader::VerdictReader(VerdictForm form) : form_(std::move(form)), values_(form_) {
  for (const std::string& marker : form_.markers) markers_.push_back(lower(marker));
  const std::string prompt = fold(form_.prompt);
  std::string before;
  for (std::size_t start = 0; start < prompt.size();) {
    const std::size_t end = std::min(prompt.find('\n', start), prompt.size());
    const std::string line(trim(std::string_view(prompt).substr(start, end - start)));
    start = end + 1;
    if (line.empty()) continue;
    const Found found = read_statement(skip(line, kLineStart), Remark::Allowed, markers_, values_);
    if (found.claim != Claim::None)
      own_lines_.push_back(
          {before, line, std::string(first_line(std::string_view(prompt).substr(end)))});
    before = line;
  }
}

core::Verdict VerdictReader::read(std::string_view reply, std::string_view judged) const {
  const QuotedLines lines(judged, markers_);
  if (!has_foreign_bytes(reply)) return read_folded(reply, reply, lines);
  return read_folded(fold(reply), reply, lines);
}

core::Verdict VerdictReader::read_folded(std::string_view folded, std::string_view reply,
                                         const QuotedLines& judged) const {
  std::string_view text = trim(folded);
  if (begins_with(text, "<think>")) {
    const std::size_t end = text.find("</think>");
    if (end == std::string_view::npos)
      return core::make_failure({ErrorKind::Unparsable, "the reply ends within its reasoning"},
                                std::string(reply));
    text = text.substr(end + 8);
  }
  text = without_wrapping(text);
  if (text.size() <= kLongestValue && text.find('\n') == std::string_view::npos) {
    const Value whole = values_.read(text, Remark::Forbidden);
    if (whole.kind != Value::Kind::Unread) return make_verdict(whole, reply);
  }
  Scan scan(form_, markers_, values_, own_lines_, judged);
  scan.read(text);
  if (scan.last()) return make_verdict(*scan.last(), reply);
  if (!scan.ends_quoted()) {
    if (const auto value = find_at_end(scan.last_block().empty() ? text : scan.last_block()))
      return make_verdict(*value, reply);
  }
  const std::string_view first = begins_with(text, "i ") ? text.substr(2) : text;
  if (values_.is_abstention(first)) return core::make_abstention(std::string(reply));
  if (is_refusal(text)) return core::make_refusal(std::string(reply));
  return core::make_failure({ErrorKind::Unparsable, "the reply has no verdict"},
                            std::string(reply));
}

// The verdict of the JSON object that `text` ends with.
std::optional<Value> VerdictReader::find_at_end(std::string_view text) const {
  text = trim(text);
  if (!text.ends_with('}')) return std::nullopt;
  if (!text.starts_with('{')) {
    const std::size_t line = text.rfind("\n{");
    if (line == std::string_view::npos) return std::nullopt;
    text.remove_prefix(line + 1);
  }
  const auto json = parse_json(text);
  return json ? find_in(*json) : std::nullopt;
}

std::optional<Value> VerdictReader::find_in(const Json& object) const {
  const Json* member = find_member(object, "verdict");
  if (!member) return std::nullopt;
  if (member->is_structured()) return Value{};
  const std::string words = member->is_string() ? member->get<std::string>() : render_json(*member);
  return values_.read(fold(words), Remark::Forbidden);
}

std::optional<double> VerdictReader::find_stated(std::string_view reply,
                                                 std::string_view judged) const {
  const QuotedLines lines(judged, markers_);
  const std::string folded = fold(reply);
  Scan scan(form_, markers_, values_, own_lines_, lines);
  scan.read(without_wrapping(folded));
  if (!scan.last() || scan.last()->kind != Value::Kind::Score) return std::nullopt;
  return scan.last()->score;
}

core::Verdict VerdictReader::read_json(const Json& value, std::string_view text) const {
  const Json* refusal = find_member(value, "refusal");
  if (refusal && refusal->is_boolean() && refusal->get<bool>())
    return core::make_declined(std::string(text));
  if (const auto found = find_in(value)) return make_verdict(*found, text);
  return core::make_failure({ErrorKind::Unparsable, "the reply has no verdict"}, std::string(text));
}

Json make_verdict_schema(const Scale& scale, AskRefusal refusal) {
  Json labels = Json::array();
  for (const Level& level : scale.levels) labels.push_back(level.label);
  labels.push_back(kAbstain);
  // JSON members are sorted: the rationale comes before the verdict, as it must.
  Json schema = {
      {"type", "object"},
      {"properties",
       {{"rationale", {{"type", "string"}}}, {"verdict", {{"type", "string"}, {"enum", labels}}}}},
      {"required", {"rationale", "verdict"}},
      {"additionalProperties", false}};
  if (refusal == AskRefusal::Yes) {
    schema["properties"]["refusal"] = {{"type", "boolean"}};
    schema["required"] = {"rationale", "refusal", "verdict"};
  }
  return schema;
}

}  // namespace personascope::judge
