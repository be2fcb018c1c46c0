#include "stats/icc.hpp"

#include <vector>

#include "stats/check.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// Mean squares of the two-way analysis of variance.
struct MeanSquares {
  double items = 0;
  double raters = 0;
  double within = 0;  // around the items' means
  double residual = 0;
};

MeanSquares analyse(std::span<const double> scores, std::size_t items, std::size_t raters) {
  const double grand = mean_of(scores);
  std::vector<Sum> item_sums(items);
  std::vector<Sum> rater_sums(raters);
  for (std::size_t i = 0; i < scores.size(); ++i) {
    item_sums[i / raters].add(scores[i] - grand);
    rater_sums[i % raters].add(scores[i] - grand);
  }
  Sum between_items, between_raters, within, residual;
  for (const Sum& sum : item_sums) between_items.add(sum.value() * sum.value() / real(raters));
  for (const Sum& sum : rater_sums) between_raters.add(sum.value() * sum.value() / real(items));
  for (std::size_t i = 0; i < scores.size(); ++i) {
    const double around_item = scores[i] - grand - item_sums[i / raters].value() / real(raters);
    const double left = around_item - rater_sums[i % raters].value() / real(items);
    within.add(around_item * around_item);
    residual.add(left * left);
  }
  return {.items = between_items.value() / real(items - 1),
          .raters = between_raters.value() / real(raters - 1),
          .within = within.value() / (real(items) * real(raters - 1)),
          .residual = residual.value() / (real(items - 1) * real(raters - 1))};
}

struct Fraction {
  double top = 0;
  double bottom = 0;
  std::string_view method;
};

Fraction fraction_of(Icc form, const MeanSquares& ms, double items, double raters) {
  const double above_residual = ms.items - ms.residual;
  const double between_raters = ms.raters - ms.residual;
  switch (form) {
    case Icc::OneWaySingle:
      return {ms.items - ms.within, ms.items + (raters - 1) * ms.within, "ICC(1,1)"};
    case Icc::OneWayMean:
      return {ms.items - ms.within, ms.items, "ICC(1,k)"};
    case Icc::AgreementSingle:
      return {above_residual,
              ms.items + (raters - 1) * ms.residual + raters / items * between_raters, "ICC(A,1)"};
    case Icc::AgreementMean:
      return {above_residual, ms.items + between_raters / items, "ICC(A,k)"};
    case Icc::ConsistencySingle:
      return {above_residual, ms.items + (raters - 1) * ms.residual, "ICC(C,1)"};
    case Icc::ConsistencyMean:
      return {above_residual, ms.items, "ICC(C,k)"};
  }
  return {};
}

}  // namespace

Result<Estimate> intraclass_correlation(std::span<const double> scores, std::size_t raters,
                                        Icc form) {
  RETURN_IF_ERROR(check_values(scores, "scores"));
  if (raters < 2) return fail(ErrorKind::Invalid, "agreement needs 2 raters, there are {}", raters);
  if (scores.size() % raters != 0) {
    return fail(ErrorKind::Invalid, "{} scores are no rows of {} raters", scores.size(), raters);
  }
  const std::size_t items = scores.size() / raters;
  if (items < 2) return fail(ErrorKind::Invalid, "a correlation needs 2 items, there is {}", items);
  const MeanSquares ms = analyse(scores, items, raters);
  const Fraction fraction = fraction_of(form, ms, real(items), real(raters));
  if (!(fraction.bottom > 0)) {
    return fail(ErrorKind::Invalid, "the items do not differ: {} is undefined", fraction.method);
  }
  ASSIGN_OR_RETURN(Estimate estimate,
                   bare_estimate(fraction.top / fraction.bottom, scores.size(), fraction.method));
  estimate.clusters = items;
  return estimate;
}

}  // namespace personascope::stats
