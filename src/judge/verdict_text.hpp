// Parses a judge's free text as a verdict: the last one counts, and quoted text is ignored.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/verdict.hpp"
#include "judge/quoted_lines.hpp"
#include "judge/verdict_value.hpp"

namespace personascope::judge {

// A verdict stands where a line or a sentence begins: a marker ("Verdict"), a colon or "is", a
// value. The last one decides, also if its value is not on the scale: then the reply is unread,
// which is Failed as Unparsable. Quoted text is ignored: fenced code, lines that begin with ">", a
// <blockquote>, what stands in quotation marks, what is repeated between the prompt's own marker
// lines, and a line of the prompt ("Verdict: cannot assess") or of the judged text that is repeated
// with the one before or after. Two more forms are understood where there is no such line: a reply
// that is nothing but a value, and one that ends in a JSON object with a member "verdict".
//
// Takes time linear in the text. May be used by several threads at once.
class VerdictReader {
 public:
  // A line of the prompt that states a verdict, and its neighbours; empty where there is none.
  struct VerdictLine {
    std::string before;
    std::string line;
    std::string after;
  };

  // Expects a scale of at least two levels and at least one marker.
  explicit VerdictReader(VerdictForm form);

  // Any bytes give a verdict; its text is `reply` as it is. `judged` is what the judge was shown.
  core::Verdict read(std::string_view reply, std::string_view judged = {}) const;

  // The score of the last verdict line that is not quoted, by the rules above; no other form is
  // understood. Nothing if there is none or its value is not on the scale.
  std::optional<double> find_stated(std::string_view reply, std::string_view judged = {}) const;

  // The verdict of an answer by the schema below; one whose "refusal" is true says that the judged
  // answer declines. `text` is what is kept.
  core::Verdict read_json(const Json& value, std::string_view text) const;

  const VerdictForm& form() const { return form_; }

 private:
  core::Verdict read_folded(std::string_view folded, std::string_view reply,
                            const QuotedLines& judged) const;
  std::optional<Value> find_at_end(std::string_view text) const;
  std::optional<Value> find_in(const Json& object) const;

  VerdictForm form_;
  ValueReader values_;
  std::vector<std::string> markers_;  // lower case
  std::vector<VerdictLine> own_lines_;
};

enum class AskRefusal { No, Yes };

// {"rationale": text, "refusal": boolean, if it is asked for, "verdict": one of the labels or
// "cannot assess"}, in this order.
Json make_verdict_schema(const Scale& scale, AskRefusal refusal = AskRefusal::No);

}  // namespace personascope::judge
