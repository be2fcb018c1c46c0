#include "stats/kappa.hpp"

#include <algorithm>
#include <cmath>
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

// How often each pair of places occurred.
struct Confusion {
  std::vector<std::size_t> cells;
  std::vector<std::size_t> rows;
  std::vector<std::size_t> columns;
};

Result<Confusion> count_pairs(std::span<const int> first, std::span<const int> second,
                              std::span<const int> scale) {
  Confusion confusion{std::vector<std::size_t>(scale.size() * scale.size()),
                      std::vector<std::size_t>(scale.size()),
                      std::vector<std::size_t>(scale.size())};
  for (std::size_t i = 0; i < first.size(); ++i) {
    ASSIGN_OR_RETURN(const std::size_t row, place_on_scale(first[i], scale));
    ASSIGN_OR_RETURN(const std::size_t column, place_on_scale(second[i], scale));
    ++confusion.cells[row * scale.size() + column];
    ++confusion.rows[row];
    ++confusion.columns[column];
  }
  return confusion;
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
  const auto found = std::ranges::find(scale, score);
  if (found == scale.end()) return fail(ErrorKind::Invalid, "the score {} is off the scale", score);
  return static_cast<std::size_t>(found - scale.begin());
}

Result<Estimate> cohen_kappa(std::span<const int> first, std::span<const int> second,
                             std::span<const int> scale, AgreementWeights weights) {
  if (first.empty()) return fail(ErrorKind::Invalid, "there are no scores");
  RETURN_IF_ERROR(check_same_size(first.size(), second.size(), "first and second scores"));
  ASSIGN_OR_RETURN(const Confusion confusion, count_pairs(first, second, scale));
  const double n = real(first.size());
  Sum observed;
  Sum expected;
  for (std::size_t row = 0; row < scale.size(); ++row) {
    for (std::size_t column = 0; column < scale.size(); ++column) {
      const double disagreement = 1 - agreement_weight(weights, row, column, scale.size());
      observed.add(disagreement * real(confusion.cells[row * scale.size() + column]));
      expected.add(disagreement * real(confusion.rows[row]) * real(confusion.columns[column]) / n);
    }
  }
  if (!(expected.value() > 0)) {
    return fail(ErrorKind::Invalid, "both raters gave one score throughout: kappa is undefined");
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
  if (raters < 2) return fail(ErrorKind::Invalid, "agreement needs 2 raters, there are {}", raters);

  const double observed = real(agreeing_pairs) / (real(items) * real(raters) * real(raters - 1));
  Sum by_shares;
  for (const std::size_t total : totals) {
    const double share = real(total) / (real(items) * real(raters));
    by_shares.add(share * share);
  }
  const bool uniform = chance == ChanceAgreement::Uniform;
  const double expected = uniform ? 1 / real(categories) : by_shares.value();
  if (!(expected < 1)) {
    return fail(ErrorKind::Invalid, "all raters chose one category: kappa is undefined");
  }
  return bare_estimate((observed - expected) / (1 - expected), items,
                       uniform ? "Randolph kappa" : "Fleiss kappa");
}

}  // namespace personascope::stats
