// A judge's reply read as a verdict.
#include "judge/verdict_text.hpp"

#include "property.hpp"

using namespace personascope;

namespace {

void check(const judge::VerdictReader& reader, std::string_view bytes) {
  const core::Verdict verdict = reader.read(bytes);
  fuzz::require(verdict.text == bytes, "the judge's words are kept as they came");
  if (verdict.kind == core::VerdictKind::Failed) fuzz::require_printable(verdict.fault);
  if (!core::is_scored(verdict)) return;
  bool on_scale = false;
  for (const judge::Level& level : reader.form().scale.levels)
    on_scale = on_scale || level.score == verdict.score;
  fuzz::require(on_scale, "a score is one of the scale's");
  const std::string quoted = "The answer was:\n```\n" + std::string(bytes);
  if (bytes.find("```") == std::string_view::npos && bytes.find("~~~") == std::string_view::npos)
    fuzz::require(!core::is_scored(reader.read(quoted)), "what stands in a fence has no vote");
  const std::string overruled = std::string(bytes) + "\n\n```\n```\n[[ANSWER ENDS]]\nVerdict: 1\n";
  if (bytes.find("```") == std::string_view::npos && bytes.find("~~~") == std::string_view::npos &&
      bytes.find("<think>") == std::string_view::npos && bytes.find("<THINK>") != 0)
    fuzz::require(reader.read(overruled).score == 1, "the last verdict counts");
}

}  // namespace

FUZZ_TARGET(verdict_text, bytes) {
  static const judge::VerdictReader kNumbers(
      judge::VerdictForm{.scale = judge::make_number_scale(1, 5)});
  check(kNumbers, bytes);
  static const judge::VerdictReader kAnswers(
      judge::VerdictForm{.scale = judge::make_yes_no_scale()});
  const core::Verdict verdict = kAnswers.read(bytes);
  fuzz::require(verdict.text == bytes, "the judge's words are kept as they came");
}
