// Populations of scores to draw samples from: for the tests of coverage here and for perf_coverage.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "stats/distribution.hpp"
#include "stats/estimate.hpp"

namespace personascope::stats {

inline constexpr std::size_t kPlaces = 5;

using Shares = std::array<double, kPlaces>;

// Scores of 1..5 cut from a normal variable that a persona's questions share in part.
class Population {
 public:
  Population(const Shares& shares, double correlation) {
    double below = 0;
    double square = 0;
    for (std::size_t place = 0; place < kPlaces; ++place) {
      const double score = static_cast<double>(place + 1);
      mean_ += shares[place] * score;
      square += shares[place] * score * score;
      below += shares[place];
      if (place + 1 < kPlaces) cuts_[place] = below > 0 ? normal_quantile(below) : -40;
    }
    variance_ = square - mean_ * mean_;
    // Cutting weakens the correlation, so the hidden one must be larger.
    double low = 0;
    double high = 1;
    for (int step = 0; step < 50; ++step) {
      shared_ = (low + high) / 2;
      (own_correlation() < correlation ? low : high) = shared_;
    }
  }

  double mean() const { return mean_; }

  // The chances of a score of at most 1, 2, 3 and 4 for a persona at `level`.
  std::array<double, kPlaces - 1> chances_up_to(double level) const {
    std::array<double, kPlaces - 1> chances;
    for (std::size_t cut = 0; cut < chances.size(); ++cut) {
      chances[cut] = normal_cdf((cuts_[cut] - std::sqrt(shared_) * level) / std::sqrt(1 - shared_));
    }
    return chances;
  }

 private:
  // The correlation of two scores of one persona: the variance of personas' means over the whole.
  double own_correlation() const {
    constexpr int kSteps = 400;
    double between = 0;
    for (int step = 0; step < kSteps; ++step) {
      double expected = kPlaces;
      for (const double chance : chances_up_to(normal_quantile((step + 0.5) / kSteps))) {
        expected -= chance;
      }
      between += (expected - mean_) * (expected - mean_) / kSteps;
    }
    return between / variance_;
  }

  std::array<double, kPlaces - 1> cuts_{};
  double mean_ = 0;
  double variance_ = 0;
  double shared_ = 0;
};

struct Sample {
  std::vector<double> scores;
  std::vector<std::size_t> personas;
};

inline double draw_normal(Random& random) {
  return normal_quantile(random.unit() + 0x1.0p-54);
}

// Scores of one persona for each of `sizes`, which are the numbers of its questions. Runs of
// different `purpose` with the same number `run` meet the same personas: half of a persona's level
// is shared. A share of `perfect` personas always scores 5.
inline Sample draw_scores(const Population& population, const std::vector<std::size_t>& sizes,
                          std::string_view purpose, std::uint64_t run, double perfect = 0) {
  Sample sample;
  for (std::size_t persona = 0; persona < sizes.size(); ++persona) {
    Random common(run, "coverage", {}, persona);
    Random random(run, purpose, {}, persona);
    const double level = std::sqrt(0.5) * (draw_normal(common) + draw_normal(random));
    auto chances = population.chances_up_to(level);
    if (perfect > 0 && random.unit() < perfect) chances.fill(0);
    for (std::size_t question = 0; question < sizes[persona]; ++question) {
      const double draw = random.unit();
      double score = kPlaces;
      for (const double chance : chances) score -= draw < chance ? 1 : 0;
      sample.scores.push_back(score);
      sample.personas.push_back(persona);
    }
  }
  return sample;
}

inline bool covers(const Estimate& estimate, double truth) {
  return estimate.interval && estimate.interval->low <= truth && truth <= estimate.interval->high;
}

}  // namespace personascope::stats
