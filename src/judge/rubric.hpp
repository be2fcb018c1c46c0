// A rubric: what a judge is asked to score, by which scale and criteria, in which words. It is
// data: a new wording is a new file, not code.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "judge/prompt.hpp"
#include "judge/scale.hpp"
#include "judge/verdict_value.hpp"

namespace personascope::judge {

struct Rubric {
  std::string id;
  std::string name;
  std::string version;
  std::string asks;  // what is measured, in a sentence
  Scale scale;
  std::vector<std::string> does_not_matter;
  std::vector<std::string> judge_mistakes;
  std::string refusal;  // how an answer that declines is scored
  Prompt prompt;        // asks for reasons, then the verdict
  Prompt score_prompt;  // asks for the verdict alone
  std::string sha256;   // of the rubric's file and its prompts
};

// A YAML file, or a Markdown file whose head is the rubric and whose text is the prompt. A YAML
// rubric names its prompts as `prompt` and `score_prompt`, paths from its own folder; what is not
// named is the program's own. Fails as NotFound or Invalid, with file, line and remedy.
Result<Rubric> load_rubric(const std::string& path);

// The same from text; `folder` is where its prompts are looked for.
Result<Rubric> parse_rubric(std::string_view text, const std::string& name,
                            const std::string& folder);

enum class ScaleOrder { Ascending, Descending };

// What a line to be judged must have for the prompt: its fields that the rubric does not fill.
std::vector<std::string> list_needed_fields(const Prompt& prompt);

// The prompt for one item. Criteria and examples stand in the given order; marker look-alikes in
// the item's values are broken. `item` may also give "examples" of its own.
std::string render_judge_prompt(const Rubric& rubric, const Prompt& prompt, const Fields& item,
                                ScaleOrder order);

// The rubric's members that rule on scores and have no place in the prompt, so that its judge would
// not see them: of asks, criteria, does_not_matter, judge_mistakes and refusal.
std::vector<std::string> list_unseen_rules(const Rubric& rubric, const Prompt& prompt);

// Whether a judge is asked by this prompt if the answer declines: the rubric rules on it, and the
// prompt shows the rule as {refusal}.
bool asks_for_refusal(const Rubric& rubric, const Prompt& prompt);

VerdictForm make_verdict_form(const Rubric& rubric, const Prompt& prompt);

}  // namespace personascope::judge
