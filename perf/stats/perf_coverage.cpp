// Simulates how often 95 % intervals cover the truth. First the cases of coverage_cases_test.hpp:
// what the commands print on unequal, skewed and near-ceiling populations. Then the mean score of
// equal personas: naive, cluster bootstrap, CR2 with t and score_mean (what the commands show, with
// its mean width), for 10 to 200 personas; and that of a paired difference. In the middle of the
// scale, near its end and at it; with many questions a persona and with one; for scores and for
// rates.
//
// Constants were chosen by the first six populations and those marked "seen", with other seeds; the
// ones "held out" were looked at only afterwards.
//
//     perf_coverage [runs per row, 2000] [cases|means; both]
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <thread>
#include <vector>

#include "report/coverage_cases_test.hpp"
#include "stats/bootstrap.hpp"
#include "stats/clustered.hpp"
#include "stats/paired.hpp"
#include "stats/score_mean.hpp"
#include "stats/simulation_test.hpp"

namespace personascope::stats {
namespace {

// What is simulated: a population and how many questions each persona answers.
struct Study {
  const char* title;
  Shares shares;
  double correlation = 0.26;
  std::size_t questions = 50;
  std::uint64_t first_seed = 0;
  double perfect = 0;  // the share of personas that always score 5, beside the population's
};

double mean_of(const Population& population, const Study& study) {
  return study.perfect * kPlaces + (1 - study.perfect) * population.mean();
}

Sample draw(const Population& population, const Study& study, std::size_t personas,
            std::string_view purpose, std::uint64_t run) {
  const std::vector<std::size_t> sizes(personas, study.questions);
  return draw_scores(population, sizes, purpose, run, study.perfect);
}

constexpr IntervalOptions kBounds{.scale = {1, kPlaces}};

void print_row(const Population& population, const Study& study, std::size_t personas,
               std::size_t runs) {
  const double truth = mean_of(population, study);
  std::array<std::size_t, 4> covering{};
  double width = 0;
  for (std::size_t run = 0; run < runs; ++run) {
    const Sample sample = draw(population, study, personas, "first", study.first_seed + run);
    const BootstrapOptions options{.replicates = 999,
                                   .seed = run,
                                   .threads = std::max(1u, std::thread::hardware_concurrency()),
                                   .interval = BootstrapInterval::Percentile,
                                   .bounds = kBounds};
    const std::vector<Result<Estimate>> estimates{
        naive_mean(sample.scores, kBounds), bootstrap_mean(sample.scores, sample.personas, options),
        clustered_mean(sample.scores, sample.personas, kBounds),
        score_mean(sample.scores, sample.personas, kBounds)};
    for (std::size_t i = 0; i < estimates.size(); ++i) {
      covering[i] += estimates[i] && covers(*estimates[i], truth);
    }
    const Interval shown = estimates.back().value().interval.value();
    width += (shown.high - shown.low) / static_cast<double>(runs);
  }
  fmt::print("{:>9}", personas);
  for (const std::size_t count : covering) {
    fmt::print("{:>12.1f}", 100 * static_cast<double>(count) / static_cast<double>(runs));
  }
  fmt::print("{:>9.2f}\n", width);
}

constexpr std::array kPersonas{10u, 20u, 50u, 100u, 200u};

void print_table(const Study& study, std::size_t runs) {
  const Population population(study.shares, study.correlation);
  fmt::print("{}: mean {:.2f}, {} questions, correlation {}, perfect personas {}\n", study.title,
             mean_of(population, study), study.questions, study.correlation, study.perfect);
  fmt::print("{:>9}{:>12}{:>12}{:>12}{:>12}{:>9}\n", "personas", "naive", "bootstrap", "CR2 t",
             "score_mean", "width");
  for (const std::size_t personas : kPersonas) print_row(population, study, personas, runs);
}

void print_pairs(const Study& first, const Study& second, std::size_t runs) {
  const Population a(first.shares, first.correlation);
  const Population b(second.shares, second.correlation);
  fmt::print("paired difference, {} and {}: CR2 t\n", first.title, second.title);
  for (const std::size_t personas : kPersonas) {
    std::size_t covering = 0;
    for (std::size_t run = 0; run < runs; ++run) {
      const Sample x = draw(a, first, personas, "first", run);
      const Sample y = draw(b, second, personas, "second", run);
      const auto compared = compare_paired(x.scores, y.scores, x.personas, kBounds);
      covering += compared && covers(compared->difference, b.mean() - a.mean());
    }
    fmt::print("{:>9}{:>12.1f}\n", personas,
               100 * static_cast<double>(covering) / static_cast<double>(runs));
  }
}

void print_all(std::size_t runs) {
  const Study middle{"mid-scale", {0.08, 0.24, 0.36, 0.24, 0.08}};
  const Study high{"high", {0.02, 0.03, 0.08, 0.17, 0.70}};
  const Study higher{"higher", {0.01, 0.02, 0.02, 0.06, 0.89}};
  const Study ceiling{"ceiling", {0, 0, 0.01, 0.02, 0.97}};
  Study few = higher;
  few.title = "one question a persona";
  few.questions = 1;
  const Study passes{"rate of 95 %", {0.05, 0, 0, 0, 0.95}};
  for (const Study& study : {middle, high, higher, ceiling, few, passes}) print_table(study, runs);
  constexpr std::uint64_t kOther = 1'000'000;
  const Study others[]{
      {"seen: mid-scale, mean 3", {0.08, 0.24, 0.36, 0.24, 0.08}, 0.4, 20, kOther},
      {"seen: even judges", {0, 0.02, 0.05, 0.13, 0.80}, 0.10, 20, kOther},
      {"seen: few bad personas", {0.03, 0, 0.02, 0.05, 0.90}, 0.5, 10, kOther},
      {"seen: near the lower end", {0.60, 0.25, 0.10, 0.04, 0.01}, 0.26, 30, kOther},
      {"seen: rate of 90 %", {0.10, 0, 0, 0, 0.90}, 0.15, 25, kOther},
      {"seen: ceiling, 100 questions", {0, 0, 0.005, 0.01, 0.985}, 0.3, 100, kOther},
      {"seen: 7 in 10 perfect", {0.15, 0.15, 0.15, 0.2, 0.35}, 0.05, 40, kOther, 0.7},
      {"seen: 19 in 20 perfect", {0.1, 0.1, 0.2, 0.2, 0.4}, 0.05, 20, kOther, 0.95},
      {"seen: between the methods", {0.03, 0.07, 0.15, 0.27, 0.48}, 0.26, 20, kOther},
      {"seen: even and high", {0.01, 0.01, 0.02, 0.01, 0.95}, 0.35, 8, kOther},
      {"seen: rate of 97 %", {0.03, 0, 0, 0, 0.97}, 0.2, 12, kOther},
      {"seen: at the lower end", {0.87, 0.08, 0.03, 0.015, 0.005}, 0.45, 60, kOther},
      {"seen: half perfect", {0.05, 0.05, 0.1, 0.15, 0.65}, 0.2, 15, kOther, 0.5},
      {"held out: ceiling, even personas", {0, 0, 0.01, 0.03, 0.96}, 0.15, 30, kOther},
      {"held out: high, few questions", {0.02, 0.03, 0.05, 0.1, 0.8}, 0.35, 5, kOther},
      {"held out: rate of 98 %", {0.02, 0, 0, 0, 0.98}, 0.3, 40, kOther},
      {"held out: lowest end", {0.94, 0.03, 0.015, 0.01, 0.005}, 0.3, 25, kOther},
      {"held out: 4 in 5 perfect", {0.05, 0.1, 0.2, 0.25, 0.4}, 0.1, 12, kOther, 0.8}};
  for (const Study& study : others) print_table(study, runs);
  print_pairs(middle, middle, runs);
  print_pairs(ceiling, ceiling, runs);
  print_pairs(ceiling, higher, runs);
}

}  // namespace
}  // namespace personascope::stats

namespace personascope::report {
namespace {

void print_cases(std::size_t runs) {
  fmt::print("{:<66}{:>9}{:>9}{:>11}\n", "case", "percent", "asked", "or caveat");
  for (const CoverageCase& one : list_coverage_cases()) {
    const CaseResult result = run_case(one, std::min(runs, one.most_runs));
    fmt::print("{:<66}{:>9.1f}{:>4.0f}-{:<4.0f}{:>11.1f}\n", one.title, result.percent, one.low,
               one.high, result.percent_or_caveat);
    std::fflush(stdout);
  }
}

}  // namespace
}  // namespace personascope::report

int main(int argc, char** argv) {
  const std::size_t runs = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 2000ul;
  const std::string_view part = argc > 2 ? argv[2] : "";
  if (part != "means") personascope::report::print_cases(runs);
  if (part != "cases") personascope::stats::print_all(runs);
}
