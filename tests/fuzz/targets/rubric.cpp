// A rubric's text, and a prompt made of it for a hostile answer.
#include "judge/rubric.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(rubric, bytes) {
  const auto [text, answer] = fuzz::cut(bytes);
  const auto rubric = judge::parse_rubric(text, "fuzz", "/nowhere");
  if (!fuzz::succeeds(rubric)) return;
  fuzz::require(rubric->scale.levels.size() >= 2 && rubric->scale.low() < rubric->scale.high(),
                "a scale has a bottom and a top");
  fuzz::require(!rubric->prompt.judged.empty(), "the judged text is fenced");
  judge::Fields item;
  item[rubric->prompt.judged] = answer;
  const auto prompt =
      judge::render_judge_prompt(*rubric, rubric->prompt, item, judge::ScaleOrder::Descending);
  fuzz::require(!prompt.empty() || rubric->prompt.text.empty(), "a prompt says something");
  const std::string broken = judge::break_markers(rubric->prompt, answer);
  fuzz::require(broken.find(rubric->prompt.fence_end) == std::string::npos,
                "an answer cannot close its fence");
  if (!is_utf8(answer)) return;
  fuzz::require(judge::break_markers(rubric->prompt, broken) == broken,
                "what is broken up stays as it is");
}
