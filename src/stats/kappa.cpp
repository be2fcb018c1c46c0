#include "stats/kappa.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

#include "stats/check.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

std::string_view kappa_method(AgreementWeights weights) {
  switch (weights) {
    case AgreementWeights::Nominal:
      return "Cohen kappa";
    case AgreementWeights::Linear:
      return "Cohen kappa, linear weights";
    case AgreementWeights::Quadratic:
      return "Cohen kappa, quadratic weights";
  }
  return "";
}

// Fleiss' kappa by the number of ordered pairs of raters who agree on an item.
Result<Estimate> kappa_of(std::size_t agreeing_pairs, std::span<const std::size_t> totals,
                          std::size_t items, std::size_t raters, ChanceAgreement chance) {
  if (raters < 2) return fail(ErrorKind::Invalid, "agreement needs two raters");
  const double observed = real(agreeing_pairs) / (real(items) * real(raters) * real(raters - 1));
  Sum by_shares;
  for (const std::size_t total : totals) {
    const double share = real(total) / (real(items) * real(raters));
    by_shares.add(share * share);
  }
  const bool uniform = chance == ChanceAgreement::Uniform;
  const double expected = uniform ? 1 / real(totals.size()) : by_shares.value();
  if (!(expected < 1)) {
    return fail(ErrorKind::Invalid, "all raters chose one category: kappa is undefined");
  }
  return bare_estimate((observed - expected) / (1 - expected), items,
                       uniform ? "Randolph kappa" : "Fleiss kappa");
}

}  // namespace

double agreement_weight(AgreementWeights weights, std::size_t first, std::size_t second,
                        std::size_t categories) {
  if (first == second) return 1;
  if (weights == AgreementWeights::Nominal) return 0;
  const double distance = std::abs(real(first) - real(second)) / real(categories - 1);
  return 1 - (weights == AgreementWeights::Linear ? distance : distance * distance);
}

Result<std::size_t> place_on_scale(int score, std::span<const int> scale) {
  // Most scales count up without a gap.
  const std::int64_t guess = scale.empty() ? -1 : std::int64_t{score} - scale.front();
  if (guess >= 0 && guess < std::ssize(scale) && scale[static_cast<std::size_t>(guess)] == score)
    return static_cast<std::size_t>(guess);
  const auto found = std::ranges::find(scale, score);
  if (found == scale.end())
    return fail(ErrorKind::Invalid, "the score {} is outside the scale", score);
  return static_cast<std::size_t>(found - scale.begin());
}

Result<Estimate> cohen_kappa(std::span<const int> first, std::span<const int> second,
                             std::span<const int> scale, AgreementWeights weights) {
  if (first.empty()) return fail(ErrorKind::Invalid, "there are no scores");
  RETURN_IF_ERROR(check_same_size(first.size(), second.size(), "first and second scores"));
  std::vector<std::size_t> of_first(scale.size());
  std::vector<std::size_t> of_second(scale.size());
  const auto disagreement = [&](std::size_t row, std::size_t column) {
    return 1 - agreement_weight(weights, row, column, scale.size());
  };
  Sum observed;
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSIGN_OR_RETURN(const std::size_t row, place_on_scale(first[i], scale));
    ASSIGN_OR_RETURN(const std::size_t column, place_on_scale(second[i], scale));
    ++of_first[row];
    ++of_second[column];
    observed.add(disagreement(row, column));
  }
  Sum expected;
  const double n = real(first.size());
  for (std::size_t row = 0; row < scale.size(); ++row) {
    if (of_first[row] == 0) continue;
    for (std::size_t column = 0; column < scale.size(); ++column)
      expected.add(disagreement(row, column) * real(of_first[row]) * real(of_second[column]) / n);
  }
  if (!(expected.value() > 0)) {
    return fail(ErrorKind::Invalid,
                "both raters gave the same score to every item: kappa is undefined");
  }
  return bare_estimate(1 - observed.value() / expected.value(), first.size(),
                       kappa_method(weights));
}

Result<Estimate> fleiss_kappa(std::span<const std::size_t> counts, std::size_t categories,
                              ChanceAgreement chance) {
  if (counts.empty() || categories < 2 || counts.size() % categories != 0) {
    return fail(ErrorKind::Invalid, "{} counts are no rows of {} categories", counts.size(),
                categories);
  }
  const std::size_t items = counts.size() / categories;
  std::vector<std::size_t> totals(categories);
  std::size_t raters = 0;
  std::size_t agreeing_pairs = 0;
  for (std::size_t item = 0; item < items; ++item) {
    std::size_t own_raters = 0;
    for (std::size_t c = 0; c < categories; ++c) {
      const std::size_t count = counts[item * categories + c];
      own_raters += count;
      totals[c] += count;
      agreeing_pairs += count == 0 ? 0 : count * (count - 1);
    }
    if (item == 0) raters = own_raters;
    if (own_raters != raters) {
      return fail(ErrorKind::Invalid, "item {} has {} raters, the first has {}", item + 1,
                  own_raters, raters);
    }
  }
  return kappa_of(agreeing_pairs, totals, items, raters, chance);
}

Result<Estimate> fleiss_kappa(std::span<const int> scores, std::size_t raters,
                              std::span<const int> scale) {
  if (raters == 0 || scores.empty() || scores.size() % raters != 0) {
    return fail(ErrorKind::Invalid, "{} scores are no rows of {} raters", scores.size(), raters);
  }
  std::vector<std::size_t> totals(scale.size());
  std::vector<std::size_t> own(scale.size());
  std::vector<std::size_t> places(raters);
  std::size_t agreeing_pairs = 0;
  for (std::size_t first = 0; first < scores.size(); first += raters) {
    for (std::size_t rater = 0; rater < raters; ++rater) {
      ASSIGN_OR_RETURN(places[rater], place_on_scale(scores[first + rater], scale));
      agreeing_pairs += 2 * own[places[rater]]++;
    }
    for (const std::size_t place : places) {
      ++totals[place];
      own[place] = 0;
    }
  }
  return kappa_of(agreeing_pairs, totals, scores.size() / raters, raters,
                  ChanceAgreement::Observed);
}

}  // namespace personascope::stats
