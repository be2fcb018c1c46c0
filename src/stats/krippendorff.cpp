#include "stats/krippendorff.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

// Ratios of all pairs of values are looked at one by one.
constexpr std::size_t kMostRatios = 5000;

// A distinct value and how often it occurs.
struct Tally {
  double value = 0;
  std::size_t count = 0;
};

std::vector<Tally> tally(std::vector<double> values) {
  std::ranges::sort(values);
  std::vector<Tally> tallies;
  for (const double value : values) {
    if (tallies.empty() || tallies.back().value != value) tallies.push_back({value, 0});
    ++tallies.back().count;
  }
  return tallies;
}

// On ranks in the middle of each value's ties the ordinal distance is an interval distance.
void replace_by_ranks(std::vector<double>& values) {
  std::vector<Tally> tallies = tally(values);
  std::vector<double> ranks;
  std::size_t below = 0;
  for (const Tally& entry : tallies) {
    ranks.push_back(real(below) + real(entry.count) / 2);
    below += entry.count;
  }
  for (double& value : values) {
    const auto found = std::ranges::lower_bound(tallies, value, {}, &Tally::value);
    value = ranks[static_cast<std::size_t>(found - tallies.begin())];
  }
}

// The sum of squared distances over all ordered pairs of `values`, which has no need of pairs: it
// is 2 m times the squared deviations from the mean.
double interval_disagreement(std::span<const double> values) {
  return 2 * real(values.size()) * squared_deviations(values);
}

double nominal_disagreement(std::span<const double> values) {
  const double m = real(values.size());
  double agreeing = 0;
  for (const Tally& entry : tally({values.begin(), values.end()})) {
    agreeing += real(entry.count) * real(entry.count);
  }
  return m * m - agreeing;
}

double ratio_disagreement(std::span<const double> values) {
  const std::vector<Tally> tallies = tally({values.begin(), values.end()});
  Sum sum;
  for (std::size_t i = 0; i < tallies.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double distance =
          (tallies[i].value - tallies[j].value) / (tallies[i].value + tallies[j].value);
      sum.add(2 * real(tallies[i].count) * real(tallies[j].count) * distance * distance);
    }
  }
  return sum.value();
}

double disagreement(std::span<const double> values, Level level) {
  switch (level) {
    case Level::Nominal:
      return nominal_disagreement(values);
    case Level::Ratio:
      return ratio_disagreement(values);
    case Level::Ordinal:
    case Level::Interval:
      break;
  }
  return interval_disagreement(values);
}

std::string_view method_of(Level level) {
  switch (level) {
    case Level::Nominal:
      return "Krippendorff alpha, nominal";
    case Level::Ordinal:
      return "Krippendorff alpha, ordinal";
    case Level::Interval:
      return "Krippendorff alpha, interval";
    case Level::Ratio:
      return "Krippendorff alpha, ratio";
  }
  return "";
}

}  // namespace

Result<Estimate> krippendorff_alpha(std::span<const Rating> ratings, Level level) {
  ASSIGN_OR_RETURN(RatedItems items, make_rated_items(ratings, 2));
  if (items.count() == 0) {
    return fail(ErrorKind::Invalid, "no item has 2 ratings: nothing can be paired");
  }
  if (level == Level::Ratio && std::ranges::min(items.values) < 0) {
    return fail(ErrorKind::Invalid, "a ratio scale has no negative values");
  }
  if (level == Level::Ratio && tally(items.values).size() > kMostRatios) {
    return fail(ErrorKind::Invalid,
                "there are more than {} different ratings, too many to compare by ratio",
                kMostRatios);
  }
  if (level == Level::Ordinal) replace_by_ranks(items.values);

  Sum observed;
  for (std::size_t item = 0; item < items.count(); ++item) {
    const auto values = items.of(item);
    observed.add(disagreement(values, level) / (real(values.size()) - 1));
  }
  const double n = real(items.values.size());
  const double expected = disagreement(items.values, level) / (n - 1);
  if (!(expected > 0)) {
    return fail(ErrorKind::Invalid, "all pairable ratings are equal: alpha is undefined");
  }
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate(1 - observed.value() / expected,
                                                    items.values.size(), method_of(level)));
  estimate.clusters = items.count();
  return estimate;
}

}  // namespace personascope::stats
