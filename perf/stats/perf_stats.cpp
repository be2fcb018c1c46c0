// Times the statistics that a large run needs, one "name seconds value" line each; compare.py reads
// them and runs the same with scipy and krippendorff.
#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <thread>
#include <vector>

#include "stats/bootstrap.hpp"
#include "stats/clustered.hpp"
#include "stats/krippendorff.hpp"
#include "stats/rank.hpp"

namespace personascope::stats {
namespace {

constexpr std::size_t kPersonas = 200;
constexpr std::size_t kRows = 10'000;
constexpr std::size_t kReplicates = 10'000;
constexpr std::size_t kRaters = 5;
constexpr std::size_t kItems = 100'000;

// A score of 1..5 that compare.py can make as well.
double score(std::size_t key) {
  const auto hashed = static_cast<std::uint32_t>(key * 2654435761u);
  return 1 + (hashed >> 16) % 5;
}

template <class Work>
void time_it(const char* name, const Work& work) {
  double best = 1e9;
  Result<Estimate> result;
  for (int run = 0; run < 3; ++run) {
    const auto start = std::chrono::steady_clock::now();
    result = work();
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  fmt::print("{} {:.6f} {:.15g}\n", name, best, result ? result->value : 0);
}

void run() {
  std::vector<double> scores;
  std::vector<std::size_t> personas;
  for (std::size_t i = 0; i < kRows; ++i) {
    scores.push_back(score(i));
    personas.push_back(i / (kRows / kPersonas));
  }
  BootstrapOptions options{.replicates = kReplicates,
                           .threads = std::max(1u, std::thread::hardware_concurrency())};
  options.interval = BootstrapInterval::Percentile;
  time_it("bootstrap_percentile", [&] { return bootstrap_mean(scores, personas, options); });
  options.interval = BootstrapInterval::Bca;
  time_it("bootstrap_bca", [&] { return bootstrap_mean(scores, personas, options); });
  time_it("clustered_mean", [&] { return clustered_mean(scores, personas); });

  std::vector<Rating> ratings;
  std::vector<double> first;
  std::vector<double> second;
  for (std::size_t rater = 0; rater < kRaters; ++rater) {
    for (std::size_t item = 0; item < kItems; ++item) {
      // Every fourth rating is the rater's own, the others are the item's.
      const bool own = (item + rater) % 4 == 0;
      const double value = score(own ? item * kRaters + rater + 7 : item);
      ratings.push_back({item, rater, value});
      if (rater < 2) (rater == 0 ? first : second).push_back(value);
    }
  }
  time_it("krippendorff_ordinal", [&] { return krippendorff_alpha(ratings, Level::Ordinal); });
  time_it("krippendorff_nominal", [&] { return krippendorff_alpha(ratings, Level::Nominal); });
  time_it("kendall_tau_b", [&] { return kendall_tau_b(first, second); });
}

}  // namespace
}  // namespace personascope::stats

int main() {
  personascope::stats::run();
}
