// Simulated designs on which 95 % intervals and tests are to keep their promise: personas of
// unequal size, skewed scores, scores near the ceiling, few clusters, several runs. All of it goes
// through the functions that the commands print from. The unit tests run each case a few times,
// perf_coverage often; docs/statistics.md has its table.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "report/compare.hpp"
#include "report/sample_table_test.hpp"
#include "stats/clustered.hpp"
#include "stats/flip_claims.hpp"
#include "stats/judge_correction.hpp"
#include "stats/kappa.hpp"
#include "stats/paired.hpp"
#include "stats/resample.hpp"
#include "stats/score_mean.hpp"
#include "stats/simulation_test.hpp"

namespace personascope::report {

// One simulated run: whether it did what is counted (covered the truth, claimed a difference), and
// whether a caveat said that it may not have. Nothing: the run has no answer and is left out.
struct CaseRun {
  bool is_counted = false;
  bool has_caveat = false;
};

struct CoverageCase {
  std::string title;
  double low = 0;  // what is asked for, in percent
  double high = 100;
  std::size_t most_runs = 2000;  // in perf_coverage; fewer where a run takes long
  std::function<std::optional<CaseRun>(std::uint64_t run)> simulate;
  std::size_t quick_runs = 0;  // in the unit test; 0: not there
};

inline CoverageCase quick(std::size_t runs, CoverageCase one) {
  one.quick_runs = runs;
  return one;
}

struct CaseResult {
  double percent = 0;
  double percent_or_caveat = 0;  // counted, or not and a caveat said so
};

inline CaseResult run_case(const CoverageCase& one, std::size_t runs) {
  double all = 0;
  double counted = 0;
  double missed_with_caveat = 0;
  for (std::uint64_t run = 0; run < runs; ++run) {
    const auto result = one.simulate(run);
    if (!result) continue;
    ++all;
    counted += result->is_counted ? 1 : 0;
    missed_with_caveat += !result->is_counted && result->has_caveat ? 1 : 0;
  }
  return {.percent = 100 * counted / all,
          .percent_or_caveat = 100 * (counted + missed_with_caveat) / all};
}

namespace coverage {

using stats::Population;
using stats::Sample;

inline constexpr stats::IntervalOptions kOneToFive{.scale = {1, 5}};

// One persona holds half of the rows.
inline std::vector<std::size_t> one_half(std::size_t personas) {
  std::vector<std::size_t> sizes(personas, 10);
  sizes[0] = 10 * (personas - 1);
  return sizes;
}

// From 1 to 80 rows, each persona with a fixed times as many as the one before.
inline std::vector<std::size_t> one_to_eighty() {
  std::vector<std::size_t> sizes;
  for (int i = 0; i < 10; ++i)
    sizes.push_back(static_cast<std::size_t>(std::round(std::pow(80.0, i / 9.0))));
  return sizes;
}

inline CaseRun covering(const stats::Estimate& estimate, double truth) {
  return {.is_counted = stats::covers(estimate, truth),
          .has_caveat = estimate.has(stats::Caveat::RareClusters)};
}

inline CoverageCase mean_case(std::string title, const stats::Shares& shares, double correlation,
                              std::vector<std::size_t> sizes, double low = 93, double high = 97) {
  const Population population(shares, correlation);
  return {std::move(title), low, high, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const Sample sample = stats::draw_scores(population, sizes, "first", run);
            return covering(stats::score_mean(sample.scores, sample.personas, kOneToFive).value(),
                            population.mean());
          }};
}

inline CoverageCase paired_case(std::string title, const stats::Shares& shares, double correlation,
                                std::vector<std::size_t> sizes) {
  const Population population(shares, correlation);
  return {std::move(title), 93, 97, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const Sample x = stats::draw_scores(population, sizes, "first", run);
            const Sample y = stats::draw_scores(population, sizes, "second", run);
            return covering(
                stats::compare_paired(x.scores, y.scores, x.personas, kOneToFive)->difference, 0);
          }};
}

// A share of personas always scores 1, all others 5.
inline CoverageCase rare_case(std::string title, double share, std::size_t personas) {
  return {std::move(title), 92, 98, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            Sample sample;
            Random random(run, "rare");
            for (std::size_t persona = 0; persona < personas; ++persona) {
              const double score = random.unit() < share ? 1 : 5;
              for (int i = 0; i < 10; ++i) {
                sample.scores.push_back(score);
                sample.personas.push_back(persona);
              }
            }
            return covering(stats::score_mean(sample.scores, sample.personas, kOneToFive).value(),
                            5 - 4 * share);
          }};
}

// A judge that is one off in a fifth of its scores, and labels of `labels` items drawn at random;
// as calibrate corrects it.
inline CoverageCase calibrated_case(std::string title, std::size_t personas, std::size_t questions,
                                    std::size_t labels, double correlation) {
  const Population population({0.005, 0.01, 0.015, 0.02, 0.95}, correlation);
  return {std::move(title), 92, 98, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const Sample human = stats::draw_scores(
                population, std::vector<std::size_t>(personas, questions), "first", run);
            Random random(run, "judge");
            std::vector<double> judge;
            for (const double score : human.scores)
              judge.push_back(random.unit() < 0.2 ? (score > 1 ? score - 1 : 2) : score);
            std::vector<std::size_t> order(judge.size());
            for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
            for (std::size_t i = 0; i < labels; ++i)
              std::swap(order[i], order[i + random.below(order.size() - i)]);
            std::vector<double> labelled, judged, others;
            std::vector<std::size_t> labelled_keys, other_keys;
            for (std::size_t i = 0; i < order.size(); ++i) {
              (i < labels ? judged : others).push_back(judge[order[i]]);
              (i < labels ? labelled_keys : other_keys).push_back(human.personas[order[i]]);
              if (i < labels) labelled.push_back(human.scores[order[i]]);
            }
            stats::LabelledSample sample{labelled, judged, others, {}, {}};
            if (questions > 1) {
              sample.human_clusters = labelled_keys;
              sample.judge_only_clusters = other_keys;
            }
            const auto corrected = stats::correct_judge(sample, {.bounds = kOneToFive});
            if (!corrected) return std::nullopt;  // labels that look chosen: refused
            return covering(corrected->corrected, population.mean());
          }};
}

// Answers identified or not, a tenth more and less surely by persona.
inline CoverageCase identification_case(std::string title, double rate, std::size_t personas) {
  const Population population({1 - rate, 0, 0, 0, rate}, 0.15);
  return {
      std::move(title), 92, 98, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
        Sample sample =
            stats::draw_scores(population, std::vector<std::size_t>(personas, 10), "first", run);
        for (double& score : sample.scores) score = score > 1 ? 1 : 0;
        return covering(
            stats::score_mean(sample.scores, sample.personas, {.scale = stats::kUnitScale}).value(),
            rate);
      }};
}

// Every persona meets every question; both are easy or hard.
inline CoverageCase two_way_case(std::string title, double rate, std::size_t personas,
                                 std::size_t questions) {
  const double cut = stats::normal_quantile(1 - rate);
  return {std::move(title), 93, 97, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            Random random(run, "two ways");
            std::vector<double> of_persona(personas), of_question(questions), passes;
            for (double& level : of_persona) level = stats::draw_normal(random);
            for (double& level : of_question) level = stats::draw_normal(random);
            std::vector<std::size_t> persona_keys, question_keys;
            for (std::size_t p = 0; p < personas; ++p)
              for (std::size_t q = 0; q < questions; ++q) {
                const double level = std::sqrt(0.15) * of_persona[p] +
                                     std::sqrt(0.15) * of_question[q] +
                                     std::sqrt(0.7) * stats::draw_normal(random);
                passes.push_back(level > cut ? 1 : 0);
                persona_keys.push_back(p);
                question_keys.push_back(q);
              }
            return covering(stats::two_way_score_mean(passes, persona_keys, question_keys,
                                                      {.scale = stats::kUnitScale})
                                .value(),
                            rate);
          }};
}

struct Rated {
  std::vector<int> first, second;
  std::vector<std::size_t> clusters;
};

// Two raters who see the same item, which is like its cluster's others.
inline Rated draw_ratings(std::size_t clusters, std::size_t items, std::uint64_t run) {
  Rated rated;
  Random random(run, "ratings");
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    const double shared = stats::draw_normal(random);
    for (std::size_t item = 0; item < items; ++item) {
      const double truth = std::sqrt(0.3) * shared + std::sqrt(0.7) * stats::draw_normal(random);
      const auto rate = [&] {
        const double seen = 3 + 1.1 * truth + 0.7 * stats::draw_normal(random);
        return static_cast<int>(std::clamp(std::round(seen), 1.0, 5.0));
      };
      rated.first.push_back(rate());
      rated.second.push_back(rate());
      rated.clusters.push_back(cluster);
    }
  }
  return rated;
}

inline CoverageCase agreement_case(std::string title, std::size_t clusters) {
  const std::vector<int> places{1, 2, 3, 4, 5};
  static const double truth = [&] {
    const Rated many = draw_ratings(20'000, 5, 1'000'000);
    return stats::cohen_kappa(many.first, many.second, places, stats::AgreementWeights::Quadratic)
        ->value;
  }();
  return {std::move(title), 92, 98, 1000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const Rated rated = draw_ratings(clusters, 10, run);
            const auto kappa = [&](std::span<const std::size_t> rows) -> Result<double> {
              std::vector<int> first, second;
              for (const std::size_t row : rows) {
                first.push_back(rated.first[row]);
                second.push_back(rated.second[row]);
              }
              ASSIGN_OR_RETURN(
                  const stats::Estimate value,
                  stats::cohen_kappa(first, second, places, stats::AgreementWeights::Quadratic));
              return value.value;
            };
            return covering(stats::resample(rated.clusters, kappa, {.seed = run}).value(), truth);
          }};
}

// Runs in columns, as compare takes them.
inline ScoreTable table_of(const std::vector<Sample>& samples) {
  ScoreTable table;
  for (const Sample& sample : samples) {
    ScoreColumn column{fmt::format("run {}", table.columns.size()), {}};
    for (const double score : sample.scores) column.cells.emplace_back(score);
    table.columns.push_back(std::move(column));
  }
  table.clusters = samples.front().personas;
  for (std::size_t i = 0; i < table.clusters.size(); ++i) table.ids.push_back(std::to_string(i));
  table.cluster_column = "persona";
  return table;
}

// Runs with equal means and other shapes: how often a difference is claimed.
inline CoverageCase false_claim_case(std::string title, std::size_t personas,
                                     std::size_t most_runs) {
  const Population few_bad({0.06, 0.02, 0.02, 0.05, 0.85}, 0.8);
  const Population even({0, 0, 0, 0.39, 0.61}, 0.8);
  return {std::move(title), 0, 6, most_runs, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const std::vector<std::size_t> sizes(personas, 20);
            const Sample first = stats::draw_scores(few_bad, sizes, "first", run);
            const Sample second = stats::draw_scores(even, sizes, "second", run);
            const auto input = stats::make_flip_input(first.scores, second.scores, first.personas,
                                                      kOneToFive.scale, stats::Weight::Row);
            const auto tested = stats::test_flips({&input}, {.seed = run}).value();
            return CaseRun{.is_counted = tested.front().p_value <= 0.05};
          }};
}

// `runs` runs against one, all alike but the last, which is better by what compare calls detectable
// on a typical sample: how often it is found.
inline CoverageCase power_case(std::string title, std::size_t personas, std::size_t runs,
                               std::size_t most_runs) {
  return {std::move(title), 75, 87, most_runs, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const auto draw = [&](std::uint64_t seed, double gain) {
              std::vector<Sample> samples(runs + 1);
              for (std::size_t column = 0; column <= runs; ++column)
                for (std::size_t persona = 0; persona < personas; ++persona) {
                  Random random(seed, "power", {}, 1000 * column + persona);
                  const double level = stats::draw_normal(random) / 2;
                  for (int i = 0; i < 5; ++i) {
                    samples[column].scores.push_back(level + stats::draw_normal(random) +
                                                     (column == runs ? gain : 0));
                    samples[column].personas.push_back(persona);
                  }
                }
              return table_of(samples);
            };
            // The difference's true error: both runs vary between and within personas.
            const double error = std::sqrt(2 * (0.25 + 1.0 / 5) / static_cast<double>(personas));
            const auto first = compare_runs(draw(run + 500'000, 0), {}).value();
            const auto& typical = *first.differences.back().comparison;
            if (!typical.minimum_detectable) return std::nullopt;
            const double gain = *typical.minimum_detectable / *typical.difference.standard_error;
            const auto compared = compare_runs(draw(run, gain * error), {.seed = run}).value();
            return CaseRun{.is_counted = compared.differences.back().verdict == Verdict::Better};
          }};
}

// All intervals of several equal runs at once.
inline CoverageCase simultaneous_case(std::string title, std::size_t personas, std::size_t runs) {
  const Population population({0.08, 0.24, 0.36, 0.24, 0.08}, 0.3);
  return {
      std::move(title), 93, 97, 500, [=](std::uint64_t run) -> std::optional<CaseRun> {
        const std::vector<std::size_t> sizes(personas, 10);
        std::vector<Sample> samples;
        for (std::size_t i = 0; i <= runs; ++i)
          samples.push_back(stats::draw_scores(population, sizes, fmt::format("run {}", i), run));
        const auto compared =
            compare_runs(table_of(samples), {.scale = stats::Scale{1, 5}, .seed = run}).value();
        bool all = true;
        for (const RunDifference& difference : compared.differences)
          all = all && stats::covers(difference.comparison->difference, 0);
        return CaseRun{.is_counted = all};
      }};
}

// Labels that were drawn at random: how often the check of calibrate says that they were not.
inline CoverageCase honest_labels_case(std::string title) {
  const Population population({0.01, 0.02, 0.02, 0.06, 0.89}, 0.5);
  return {std::move(title), 0, 1.7, 2000, [=](std::uint64_t run) -> std::optional<CaseRun> {
            const Sample sample =
                stats::draw_scores(population, std::vector<std::size_t>(20, 20), "first", run);
            Random random(run, "labels");
            std::vector<double> labelled, others;
            std::vector<std::size_t> labelled_keys, other_keys;
            for (std::size_t i = 0; i < sample.scores.size(); ++i) {
              const bool is_labelled = random.unit() < 0.15;
              (is_labelled ? labelled : others).push_back(sample.scores[i]);
              (is_labelled ? labelled_keys : other_keys).push_back(sample.personas[i]);
            }
            const auto corrected = stats::correct_judge(
                {labelled, labelled, others, labelled_keys, other_keys}, {.bounds = kOneToFive});
            return CaseRun{.is_counted = !corrected};
          }};
}

}  // namespace coverage

inline std::vector<CoverageCase> list_coverage_cases() {
  using namespace coverage;
  const stats::Shares middle{0.08, 0.24, 0.36, 0.24, 0.08};
  const stats::Shares high{0.02, 0.03, 0.08, 0.17, 0.70};
  return {
      quick(100, mean_case("mean, one persona half of the rows, ICC .3, 10 personas", middle, 0.3,
                           one_half(10))),
      mean_case("mean, one persona half of the rows, ICC .3, 30 personas", middle, 0.3,
                one_half(30)),
      mean_case("mean, one persona half of the rows, ICC .3, 100 personas", middle, 0.3,
                one_half(100), 93, 98),
      quick(100,
            mean_case("mean, 1 to 80 rows, ICC .3, 10 personas", middle, 0.3, one_to_eighty())),
      mean_case("mean, 1 to 80 rows, ICC .8, 10 personas", middle, 0.8, one_to_eighty()),
      mean_case("mean 4.5, 1 to 80 rows, ICC .3, 10 personas", high, 0.3, one_to_eighty(), 93, 100),
      mean_case("mean 4.5, one persona half, ICC .3, 30 personas", high, 0.3, one_half(30), 93, 98),
      quick(100, paired_case("paired, one persona half of the rows, 10 personas", middle, 0.3,
                             one_half(10))),
      paired_case("paired, one persona half of the rows, 30 personas", middle, 0.3, one_half(30)),
      paired_case("paired, one persona half of the rows, 100 personas", middle, 0.3, one_half(100)),
      quick(40, rare_case("2 % of personas at 1, the rest at 5, 100 personas", 0.02, 100)),
      rare_case("1 % of personas at 1, the rest at 5, 200 personas", 0.01, 200),
      calibrated_case("calibrated mean 4.9, 30 personas of 20, 150 labels", 30, 20, 150, 0.26),
      calibrated_case("calibrated mean 4.9, 100 personas of 20, 500 labels", 100, 20, 500, 0.26),
      quick(20,
            calibrated_case("calibrated mean 4.9, rows alone, 50 labels of 500", 500, 1, 50, 0.26)),
      quick(60, identification_case("identification rate .97, 30 personas of 10", 0.97, 30)),
      quick(20, two_way_case("bench, rate .7, 30 personas x 50 questions", 0.7, 30, 50)),
      two_way_case("bench, rate .95, 30 personas x 50 questions", 0.95, 30, 50),
      quick(20, agreement_case("weighted kappa, 10 clusters of 10", 10)),
      agreement_case("weighted kappa, 30 clusters of 10", 30),
      quick(100, false_claim_case("equal means, other shapes: claims, 10 personas", 10, 2000)),
      false_claim_case("equal means, other shapes: claims, 30 personas", 30, 400),
      power_case("detectable difference found, 1 run, 8 personas", 8, 1, 1000),
      power_case("detectable difference found, 8 runs, 6 personas", 6, 8, 1000),
      power_case("detectable difference found, 8 runs, 12 personas", 12, 8, 1000),
      power_case("detectable difference found, 8 runs, 30 personas", 30, 8, 100),
      quick(20, simultaneous_case("simultaneous intervals, 8 runs, 8 personas", 8, 8)),
      simultaneous_case("simultaneous intervals, 8 runs, 12 personas", 12, 8),
      quick(20, honest_labels_case("honest labels refused as not random (level 1 %)")),
  };
}

}  // namespace personascope::report
