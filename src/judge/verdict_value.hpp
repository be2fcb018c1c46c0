// The value of a verdict: the words after "Verdict:", and nothing that only looks like one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "judge/scale.hpp"

namespace personascope::judge {

// How a reply states its verdict. The words are matched whatever their case.
struct VerdictForm {
  Scale scale;
  std::vector<std::string> markers{"verdict"};
  std::vector<std::string> abstentions{
      "cannot assess",    "can not assess", "can't assess", "cannot be assessed",
      "unable to assess", "not assessable", "n/a"};
  // The lines between which a prompt puts the judged text; what a reply repeats between them is
  // quoted.
  std::string fence_begin{"[[ANSWER BEGINS]]"};
  std::string fence_end{"[[ANSWER ENDS]]"};
  // What the judge is shown, but for the item: its own verdict lines are no verdict where a reply
  // repeats them. May be empty.
  std::string prompt{};
};

enum class Remark { Allowed, Forbidden };

struct Value {
  enum class Kind { Unread, Score, Abstention };
  Kind kind = Kind::Unread;
  double score = 0;
};

// Reads values at the front of a text: a level's label, alone or as "4/5" or "4 out of 5" by the
// scale's own top, perhaps with a remark behind punctuation. "45", "4.5", "4-5", "4 or 5" and
// "4/10" are unread.
class ValueReader {
 public:
  // Expects a scale of at least two levels.
  explicit ValueReader(const VerdictForm& form);

  // `text` is one line, folded.
  Value read(std::string_view text, Remark remark) const;

  // Whether `text`, which begins with "- ", may mean a level below 0: a number follows, and there
  // are such levels.
  bool may_be_signed(std::string_view text) const;

  // Whether `text` begins with words for "cannot assess".
  bool is_abstention(std::string_view text) const;

 private:
  struct Word {
    std::string text;  // lower case
    double score = 0;
  };
  bool is_plain_tail(std::string_view rest, Remark remark) const;

  std::vector<Word> words_;  // longest first
  std::vector<std::string> abstentions_;
  std::string top_;  // the highest label, if it is a number; else empty
  bool has_signs_ = false;
};

// Whether `text` begins with `word` (in lower case), whatever its case.
bool begins_with(std::string_view text, std::string_view word);
// Whether a word goes on at the front of `text`.
bool continues_word(std::string_view text);
inline constexpr std::string_view kBlanks = " \t\r";
// `text` without what it begins with of `characters`.
std::string_view skip(std::string_view text, std::string_view characters);

}  // namespace personascope::judge
