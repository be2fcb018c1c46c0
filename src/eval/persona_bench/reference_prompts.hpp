// The words of the reference protocol, under the names that they have in the published package.
#pragma once

#include <map>
#include <string>

#include "base/result.hpp"
#include "eval/persona_bench/plan.hpp"

namespace personascope::eval::persona_bench {

struct ReferencePrompts {
  std::map<Mode, std::string> system;  // {persona}, but for the baseline
  std::string critique;                // {question} {answer} {demographic}
  std::string critique_form;           // is put behind the critique's prompt as it is
  std::string rewrite;                 // {json_object}
  std::string extract;                 // {output}
  std::string rewrite_system;
  std::string sha256;  // of all of it
};

// Our own, of <own>/reference/prompts.yaml; what `folder` has replaces them: a prompts.yaml in the
// same form, or the prompts.py of the package (there or in its tooling/), which is read and never
// run. An empty `folder` has nothing. Fails as NotFound or Invalid with file and name.
Result<ReferencePrompts> load_reference_prompts(const std::string& own, const std::string& folder);

}  // namespace personascope::eval::persona_bench
