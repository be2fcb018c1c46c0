// A model that answers from a script: for tests, demonstrations and dry runs of a pipeline.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "llm/model.hpp"

namespace personascope::llm {

// The script is YAML (or JSON): a list `rules`, the first that fits answers.
//
//     rules:
//       - when: "*capital of France*"   # pattern on the last user message; * stands for anything
//         reply: Paris.
//       - when: "*weather*"
//         replies: [Sunny., Rainy.]     # one of them, by the request alone
//       - when: "*forbidden*"
//         refuse: I would rather not.
//       - when: "*busy*"
//         error: rate_limited           # a kind of error; `times: 2` only for the first two asks
//       - when: "*Score:*"
//         choices: {"4": 0.6, "5": 0.3} # how likely each of the request's labels is; others never
//       - reply: "You said: {prompt}"   # no `when`: always fits
//
// `delay_ms` makes a rule slow, by a day at most. A request that no rule fits fails as Invalid,
// one for log-probabilities as Unsupported.
Result<std::unique_ptr<Model>> load_scripted_model(const std::string& path);
Result<std::unique_ptr<Model>> parse_scripted_model(std::string_view script,
                                                    const std::string& name);

}  // namespace personascope::llm
