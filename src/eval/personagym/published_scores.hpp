// Scores that were published for PersonaGym: read from its evaluations/*/scores.json, checked
// against themselves and against the paper (arXiv 2407.18416).
#pragma once

#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::eval::personagym {

// How many personas the published scores rest on.
inline constexpr int kPublishedPersonas = 200;

// One row of published.json:
//   {"name", "model", "scores": {task: {"mean", "sd"?}}, "persona_score": {"mean", "sd"?},
//    "personas": 200, "notes": [text]}
// `folder` is the evaluation's ("20240710_gpt_35"). Deviations are the paper's, added where its
// mean is the file's. Notes say what is odd: a PersonaScore that is not the mean of its tasks, a
// figure the paper has otherwise. Fails as Invalid if a task or the PersonaScore is missing or no
// number from 1 to 5.
Result<Json> read_published_scores(const std::string& folder, const Json& scores);

}  // namespace personascope::eval::personagym
