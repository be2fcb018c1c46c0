#include "stats/flip_power.hpp"

#include <bit>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "stats/distribution.hpp"
#include "stats/sum.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kMostSimulated = 12;
constexpr std::size_t kMostWithUnseen = 300;
constexpr std::size_t kDraws = 400;
constexpr double kEqual = 1 - 1e-12;

// The share of sign patterns that give a sum at least as large. Each pattern differs from the one
// before by one sign (Gray's code); the last sign stays, since flipping all changes nothing.
double flip_p(const std::vector<double>& sums) {
  const std::size_t patterns = std::size_t{1} << (sums.size() - 1);
  double sum = sum_of(sums);
  const double observed = std::abs(sum) * kEqual;
  std::size_t extreme = 1;
  std::vector<double> signs(sums.size(), 1.0);
  for (std::size_t pattern = 1; pattern < patterns; ++pattern) {
    const auto changed = static_cast<std::size_t>(std::countr_zero(pattern));
    signs[changed] = -signs[changed];
    sum += 2 * signs[changed] * sums[changed];
    extreme += std::abs(sum) >= observed ? 1 : 0;
  }
  return real(extreme) / real(patterns);
}

// As in MaxTResult, without its sign.
double statistic_of(const std::vector<double>& sums) {
  double squares = 0;
  for (const double sum : sums) squares += sum * sum;
  return squares > 0 ? std::abs(sum_of(sums)) / std::sqrt(squares) : 0;
}

// The statistic of so many equal clusters where their t test has the p-value `alpha`.
double critical_of_t(double alpha, std::size_t clusters) {
  const double df = real(clusters) - 1;
  const double t = -t_quantile(alpha / 2, df);
  return std::sqrt(real(clusters) * t * t / (df + t * t));
}

// The other way round; 0 where no clusters reach the statistic.
double level_of_statistic(double statistic, std::size_t clusters) {
  const double rest = real(clusters) - statistic * statistic;
  if (!(rest > 0)) return 0;
  const double df = real(clusters) - 1;
  return t_two_sided_p(statistic * std::sqrt(df / rest), df);
}

// The sums with that of the unseen cluster, which speaks against the difference.
std::vector<double> sums_with_unseen(std::vector<double> sums, double unseen) {
  sums.push_back(-std::abs(unseen));
  return sums;
}

// Normal differences of clusters, drawn once: the power then rises with the true difference.
class Trials {
 public:
  explicit Trials(const FlipDesign& design) {
    double rows = 0;
    double squares = 0;
    for (const std::size_t size : design.sizes) {
      rows += real(size);
      squares += real(size) * real(size);
      sizes_.push_back(real(size));
    }
    // Clusters' means vary alike: the error of their weighted mean is the one given.
    const double deviation = design.standard_error * rows / std::sqrt(squares);
    for (std::size_t draw = 0; draw < kDraws; ++draw) {
      Random random(0, "flip power", {}, draw);
      std::vector<double> noise;
      for (std::size_t g = 0; g < sizes_.size(); ++g)
        noise.push_back(deviation * normal_quantile(random.unit() + 0x1.0p-54));
      noise_.push_back(std::move(noise));
    }
  }

  // The smallest difference for which `is_found` is true of so large a share of the trials; it is
  // given the clusters' sums. Nothing where no difference is large enough. `start` is above 0.
  template <typename IsFound>
  Result<double> smallest_found(double start, double power, const IsFound& is_found) const {
    const auto is_enough = [&](double difference) {
      std::size_t found = 0;
      std::vector<double> sums(sizes_.size());
      for (const std::vector<double>& noise : noise_) {
        for (std::size_t g = 0; g < sums.size(); ++g) sums[g] = sizes_[g] * (difference + noise[g]);
        found += is_found(sums) ? 1 : 0;
      }
      return real(found) >= power * real(kDraws);
    };
    double low = 0;
    double high = start;
    for (int step = 0; step < 20 && !is_enough(high); ++step) high *= 2;
    if (!is_enough(high))
      return fail(ErrorKind::Invalid, "no difference would be found with this power");
    while (high - low > 1e-3 * high) {
      const double middle = (low + high) / 2;
      (is_enough(middle) ? high : low) = middle;
    }
    return high;
  }

 private:
  std::vector<double> sizes_;
  std::vector<std::vector<double>> noise_;
};

}  // namespace

Result<double> detectable_by_sign_flip(const FlipDesign& design, const TestPlan& plan) {
  const std::size_t clusters = design.sizes.size();
  if (!(plan.alpha > 0) || clusters < fewest_for_sign_flip(plan.alpha)) {
    return fail(ErrorKind::Invalid, "{} clusters are too few to find any difference", clusters);
  }
  ASSIGN_OR_RETURN(const double by_t,
                   minimum_detectable_difference(design.standard_error, design.df, plan));
  if (!(design.standard_error > 0)) return by_t;
  if (clusters <= kMostSimulated) {
    return Trials(design).smallest_found(by_t, plan.power, [&](const std::vector<double>& sums) {
      return flip_p(sums) <= plan.alpha &&
             (!design.unseen || flip_p(sums_with_unseen(sums, *design.unseen)) <= plan.alpha);
    });
  }
  if (!design.unseen || clusters > kMostWithUnseen) return by_t;
  const double critical = critical_of_t(plan.alpha, clusters);
  const double with_one_more = critical_of_t(plan.alpha, clusters + 1);
  return Trials(design).smallest_found(by_t, plan.power, [&](const std::vector<double>& sums) {
    return statistic_of(sums) >= critical &&
           statistic_of(sums_with_unseen(sums, *design.unseen)) >= with_one_more;
  });
}

Result<double> detectable_among_several(const FlipDesign& design, const SharedLevel& shared,
                                        double power) {
  const std::size_t clusters = design.sizes.size();
  if (!shared.critical)
    return fail(ErrorKind::Invalid, "{} clusters are too few to find any difference", clusters);
  ASSIGN_OR_RETURN(const double by_t,
                   minimum_detectable_difference(design.standard_error, design.df,
                                                 {.alpha = shared.level, .power = power}));
  if (!design.unseen && clusters <= kMostSimulated)
    return minimum_detectable_difference(
        design.standard_error, design.df,
        {.alpha = level_of_statistic(*shared.critical, clusters), .power = power});
  if (!design.unseen || clusters > kMostWithUnseen || !(design.standard_error > 0)) return by_t;
  return Trials(design).smallest_found(by_t, power, [&](const std::vector<double>& sums) {
    return statistic_of(sums) >= *shared.critical &&
           statistic_of(sums_with_unseen(sums, *design.unseen)) >= *shared.critical;
  });
}

}  // namespace personascope::stats
