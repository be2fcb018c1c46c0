#include "stats/gwet.hpp"

#include <cmath>
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

Result<std::vector<std::size_t>> count_scores(std::span<const double> values,
                                              std::span<const int> scale) {
  std::vector<std::size_t> counts(scale.size());
  for (const double value : values) {
    if (value != std::floor(value) || std::abs(value) > 1e9) {
      return fail(ErrorKind::Invalid, "the score {} is off the scale", value);
    }
    ASSIGN_OR_RETURN(const std::size_t place, place_on_scale(static_cast<int>(value), scale));
    ++counts[place];
  }
  return counts;
}

// The share of ordered pairs of different raters that agree, by weight.
double pair_agreement(std::span<const std::size_t> counts, std::size_t raters,
                      AgreementWeights weights) {
  double agreeing = 0;
  for (std::size_t k = 0; k < counts.size(); ++k) {
    double weighted = 0;
    for (std::size_t l = 0; l < counts.size(); ++l) {
      weighted += agreement_weight(weights, k, l, counts.size()) * real(counts[l]);
    }
    agreeing += real(counts[k]) * (weighted - 1);
  }
  return agreeing / (real(raters) * real(raters - 1));
}

double total_weight(std::size_t categories, AgreementWeights weights) {
  Sum sum;
  for (std::size_t k = 0; k < categories; ++k) {
    for (std::size_t l = 0; l < categories; ++l) {
      sum.add(agreement_weight(weights, k, l, categories));
    }
  }
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
    ASSIGN_OR_RETURN(const auto counts, count_scores(values, scale));
    for (std::size_t k = 0; k < categories; ++k) {
      shares[k].add(real(counts[k]) / real(values.size()));
    }
    if (values.size() < 2) continue;
    agreement.add(pair_agreement(counts, values.size(), weights));
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
