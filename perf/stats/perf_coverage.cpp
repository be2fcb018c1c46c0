// Simulates how often 95 % intervals of a mean score cover the truth: naive, cluster bootstrap, CR1
// with t(G-1) and bounded_mean, for 10 to 200 personas with 50 questions and a correlation of .26
// between the scores of one persona; in the middle of the scale and at its ceiling.
//
//     perf_coverage [runs per row, 2000]
#include <fmt/format.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <thread>
#include <vector>

#include "base/random.hpp"
#include "stats/bootstrap.hpp"
#include "stats/clustered.hpp"
#include "stats/distribution.hpp"
#include "stats/proportion.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kQuestions = 50;
constexpr double kCorrelation = 0.26;
constexpr std::size_t kPlaces = 5;

using Shares = std::array<double, kPlaces>;

// Scores of 1..5 cut from a normal variable that a persona's questions share in part.
class Population {
 public:
  explicit Population(const Shares& shares) {
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
      (correlation() < kCorrelation ? low : high) = shared_;
    }
  }

  double mean() const { return mean_; }
  double standard_deviation() const { return std::sqrt(variance_); }

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
  double correlation() const {
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

Sample draw(const Population& population, std::size_t personas, std::uint64_t run) {
  Sample sample;
  for (std::size_t persona = 0; persona < personas; ++persona) {
    Random random(run, "coverage", {}, persona);
    const auto chances = population.chances_up_to(normal_quantile(random.unit() + 0x1.0p-54));
    for (std::size_t question = 0; question < kQuestions; ++question) {
      const double draw = random.unit();
      double score = kPlaces;
      for (const double chance : chances) score -= draw < chance ? 1 : 0;
      sample.scores.push_back(score);
      sample.personas.push_back(persona);
    }
  }
  return sample;
}

bool covers(const Result<Estimate>& estimate, double truth) {
  return estimate && estimate->interval && estimate->interval->low <= truth &&
         truth <= estimate->interval->high;
}

void print_row(const Population& population, std::size_t personas, std::size_t runs) {
  const IntervalOptions bounds{.scale = {1, kPlaces}};
  std::size_t naive = 0;
  std::size_t resampled = 0;
  std::size_t clustered = 0;
  std::size_t bounded = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const Sample sample = draw(population, personas, run);
    const BootstrapOptions options{.replicates = 999,
                                   .seed = run,
                                   .threads = std::max(1u, std::thread::hardware_concurrency()),
                                   .interval = BootstrapInterval::Percentile,
                                   .bounds = bounds};
    naive += covers(naive_mean(sample.scores, bounds), population.mean());
    resampled += covers(bootstrap_mean(sample.scores, sample.personas, options), population.mean());
    bounded += covers(bounded_mean(sample.scores, sample.personas, bounds), population.mean());
    clustered += covers(clustered_mean(sample.scores, sample.personas, bounds), population.mean());
  }
  const auto percent = [&](std::size_t count) {
    return 100 * static_cast<double>(count) / static_cast<double>(runs);
  };
  fmt::print("{:>9}{:>9.1f}{:>12.1f}{:>13.1f}{:>10.1f}\n", personas, percent(naive),
             percent(resampled), percent(clustered), percent(bounded));
}

void print_table(const char* title, const Shares& shares, std::size_t runs) {
  const Population population(shares);
  fmt::print("{}: mean {:.2f}, standard deviation {:.2f}, {} questions, correlation {}\n", title,
             population.mean(), population.standard_deviation(), kQuestions, kCorrelation);
  fmt::print("{:>9}{:>9}{:>12}{:>13}{:>10}\n", "personas", "naive", "bootstrap", "CR1 t(G-1)",
             "bounded");
  for (const std::size_t personas : {10u, 20u, 30u, 50u, 100u, 200u}) {
    print_row(population, personas, runs);
  }
}

}  // namespace
}  // namespace personascope::stats

int main(int argc, char** argv) {
  const auto runs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000ul;
  personascope::stats::print_table("mid-scale", {0.08, 0.24, 0.36, 0.24, 0.08}, runs);
  personascope::stats::print_table("ceiling", {0, 0, 0.01, 0.02, 0.97}, runs);
}
