#include "stats/gwet.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

std::string_view gwet_method(AgreementWeights weights) {
  switch (weights) {
    case AgreementWeights::Nominal:
      return "Gwet AC1";
    case AgreementWeights::Linear:
      return "Gwet AC2, linear weights";
    case AgreementWeights::Quadratic:
      return "Gwet AC2, quadratic weights";
  }
  return "";
}

Result<std::vector<std::size_t>> places_of(std::span<const double> values,
                                           std::span<const int> scale) {
  std::vector<std::size_t> places;
  for (const double value : values) {
    if (value != std::floor(value) || std::abs(value) > 1e9) {
      return fail(ErrorKind::Invalid, "the score {} is outside the scale", value);
    }
    ASSIGN_OR_RETURN(const std::size_t place, place_on_scale(static_cast<int>(value), scale));
    places.push_back(place);
  }
  return places;
}

// The share of ordered pairs of different raters that agree, by weight.
double pair_agreement(std::vector<std::size_t> places, std::size_t categories,
                      AgreementWeights weights) {
  std::ranges::sort(places);
  std::vector<std::pair<std::size_t, double>> counts;
  for (const std::size_t place : places) {
    if (counts.empty() || counts.back().first != place) counts.emplace_back(place, 0);
    ++counts.back().second;
  }
  double agreeing = 0;
  for (const auto& [place, count] : counts) {
    double weighted = 0;
    for (const auto& [other, others] : counts)
      weighted += agreement_weight(weights, place, other, categories) * others;
    agreeing += count * (weighted - 1);
  }
  return agreeing / (real(places.size()) * real(places.size() - 1));
}

// Of all ordered pairs of places.
double total_weight(std::size_t categories, AgreementWeights weights) {
  Sum sum;
  sum.add(real(categories));
  for (std::size_t distance = 1; distance < categories; ++distance)
    sum.add(2 * real(categories - distance) * agreement_weight(weights, 0, distance, categories));
  return sum.value();
}

}  // namespace

Result<Estimate> gwet_ac(std::span<const Rating> ratings, std::span<const int> scale,
                         AgreementWeights weights) {
  const std::size_t categories = scale.size();
  if (categories < 2) return fail(ErrorKind::Invalid, "a scale needs 2 scores or more");
  ASSIGN_OR_RETURN(const RatedItems items, make_rated_items(ratings, 1));
  std::vector<Sum> shares(categories);
  Sum agreement;
  std::size_t paired = 0;
  for (std::size_t item = 0; item < items.count(); ++item) {
    const auto values = items.of(item);
    ASSIGN_OR_RETURN(auto places, places_of(values, scale));
    for (const std::size_t place : places) shares[place].add(1 / real(values.size()));
    if (values.size() < 2) continue;
    agreement.add(pair_agreement(std::move(places), categories, weights));
    ++paired;
  }
  if (paired == 0) {
    return fail(ErrorKind::Invalid, "no item has 2 ratings: nothing can be paired");
  }

  Sum spread;
  for (const Sum& share : shares) {
    const double mean = share.value() / real(items.count());
    spread.add(mean * (1 - mean));
  }
  const double pairs = real(categories) * real(categories - 1);
  const double chance = total_weight(categories, weights) / pairs * spread.value();
  if (!(chance < 1))
    return fail(ErrorKind::Invalid, "chance agreement is complete: AC is undefined");
  const double observed = agreement.value() / real(paired);
  ASSIGN_OR_RETURN(Estimate estimate, bare_estimate((observed - chance) / (1 - chance),
                                                    ratings.size(), gwet_method(weights)));
  estimate.clusters = paired;
  return estimate;
}

}  // namespace personascope::stats
