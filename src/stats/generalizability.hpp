// How reliably a test ranks models: a generalizability study of scores of models on questions that
// are nested in personas, with several draws of an answer and several judges where there are some.
//
// A model's mean over personas and questions differs from its true mean because other personas or
// questions would have suited it better or worse, because an answer is drawn at random, and because
// a judge may favour it. What all models share (hard questions, strict judges) does not count: it
// moves no model past another. The generalizability coefficient is the share of the models' true
// variance in the variance of their observed means; 0.8 is a usual demand.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "base/result.hpp"

namespace personascope::stats {

struct RankingComponents {
  double model = 0;  // variance of the models' true means
  // Of how much better a model does on some personas than on others; includes the next if each
  // persona has one question.
  double model_by_persona = 0;
  // Of how much better it does on some questions of a persona; includes the draws' if these are not
  // known.
  double model_by_question = 0;
  std::optional<double> draw = {};  // of the draws of one answer; nothing if none has two
  std::optional<double> model_by_judge =
      {};  // of what a judge favours a model; nothing for one judge
  std::size_t models = 0;
  std::size_t personas = 0;
  double questions_per_persona = 1;  // on average, as the next
  double draws_per_question = 1;
  std::size_t judges = 1;
};

// `scores` has a list a model, and each a number a row; rows with the same persona and question are
// draws of the same answer. Components by analysis of variance, negative ones set to 0. Fails below
// 2 models or 2 personas, and on uneven or empty input.
Result<RankingComponents> ranking_components(const std::vector<std::vector<double>>& scores,
                                             std::span<const std::size_t> personas,
                                             std::span<const std::size_t> questions);

// The variance of what judges favour models, from a list of scores a judge, each as above: what
// ranking_components needs in addition. Fails below 2 judges, 2 models or 2 rows.
Result<double> model_by_judge_variance(
    const std::vector<std::vector<std::vector<double>>>& scores_by_judge);

// A test of some size.
struct TestSize {
  double personas = 1;
  double questions_per_persona = 1;
  double draws_per_question = 1;
  double judges = 1;
};
TestSize size_of(const RankingComponents& components);

struct Generalizability {
  double coefficient = 0;     // 0 to 1
  double standard_error = 0;  // of a model's mean, as far as it moves models past each other
};
// Of a test of that size.
Generalizability generalize(const RankingComponents& components, const TestSize& size);

}  // namespace personascope::stats
