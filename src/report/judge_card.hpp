// How good a judge is, by human labels: agreement, errors, biases, stability, and a verdict.
//
// The rule of the verdict, which uses the less favourable end of each interval:
// - not enough labels: fewer than 30 labelled items, labels that are all alike, or no interval.
// - fit for levels: weighted kappa at least .6; the mean error and the biases (length, order of the
//   scale) within a twentieth of the scale's width; repeats agree to .8.
// - fit for ranking only: Spearman at least .5, and repeats agree to .67.
// - not fit: else.
// Where repeats, lengths or a reversed scale are not given, they are not asked for, and the card
// says "not measured".
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/agreement.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"

namespace personascope::report {

// Which column of the table holds what.
struct CardColumns {
  std::size_t judge = 0;
  std::size_t human = 1;
  std::vector<std::size_t> repeats = {};     // the judge asked again
  std::optional<std::size_t> reversed = {};  // the judge with the scale shown in the other order
  std::optional<std::size_t> length = {};    // of the answers, in any unit
};

enum class Fitness { Levels, RankingOnly, NotFit, NotEnoughLabels };
std::string_view name_of(Fitness fitness);

struct JudgeCard {
  std::size_t items = 0;
  std::size_t labelled = 0;
  std::size_t unjudged = 0;   // labels of items without a score of the judge
  std::size_t unmatched = 0;  // labels of no item, where they come from a file of their own
  std::optional<std::string> cluster_column;
  AgreementOptions options;
  std::vector<int> places;  // the scale's scores
  bool rounded = false;     // scores are not whole: kappas and confusion are of the nearest levels
  std::vector<std::vector<std::size_t>> confusion;  // [human][judge]
  Result<stats::Estimate> exact;                    // share of labels met exactly
  Result<stats::Estimate> mean_error;               // judge minus human
  RaterPair agreement;                              // kappa, weighted kappa, Spearman, Kendall
  // Biases, in score units; nothing where their columns were not given.
  std::optional<Result<stats::Estimate>> length_bias;  // mean error of longer minus shorter answers
  std::optional<Result<stats::Estimate>> order_bias;   // reversed scale minus the usual
  std::optional<Result<stats::Estimate>> stability;    // Krippendorff's alpha of the repeats
  Fitness fitness = Fitness::NotEnoughLabels;
  std::vector<std::string> reasons;   // what prevented the next better verdict
  std::vector<std::string> warnings;  // about all of it, a sentence each
};

// Fails without a scale, on scores off it, and where no item has both scores.
Result<JudgeCard> make_judge_card(const ScoreTable& table, const CardColumns& columns,
                                  const AgreementOptions& options);

Json to_json(const JudgeCard& card);

}  // namespace personascope::report
