// How well raters agree: every usual coefficient with an interval, or the reason it is undefined.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "report/score_table.hpp"
#include "stats/estimate.hpp"
#include "stats/krippendorff.hpp"

namespace personascope::report {

struct AgreementOptions {
  stats::Level level = stats::Level::Ordinal;
  std::optional<stats::Scale> scale = {};  // kappa and AC need it, unless scores are names
  double confidence = 0.95;
  std::uint64_t seed = 0;
  unsigned threads = 1;  // affects only the time, not the result
};

struct Coefficient {
  std::string name;
  Result<stats::Estimate> estimate;
};

struct RaterPair {
  std::string first;
  std::string second;
  std::size_t items = 0;  // that both rated
  std::vector<Coefficient> coefficients;
};

struct Agreement {
  std::size_t items = 0;
  std::size_t ratings = 0;
  std::size_t missing = 0;         // empty cells
  std::size_t complete_items = 0;  // rated by all
  std::vector<std::string> raters;
  std::optional<std::string> cluster_column;
  AgreementOptions options;
  std::vector<Coefficient> overall;
  std::vector<RaterPair> pairs;       // none above 8 raters
  std::vector<std::string> warnings;  // about all of it, a sentence each
};

// One column per rater. Intervals come from resampling items (or whole clusters). By level: nominal
// has Krippendorff's alpha, Fleiss' kappa, AC1 and Cohen's kappa; the others also AC2, ICC(A,1),
// ICC(A,k), weighted kappa, Spearman and Kendall. Alpha uses the items with two ratings, AC those
// with one, Fleiss and ICC those that all have rated. Fails on scores off the scale; what is
// undefined says so in its place.
Result<Agreement> measure_agreement(const ScoreTable& table, const AgreementOptions& options);

// Krippendorff's alpha of all columns alone.
Result<stats::Estimate> measure_alpha(const ScoreTable& table, const AgreementOptions& options);

// The coefficients of two columns alone.
RaterPair measure_pair(const ScoreTable& table, std::size_t first, std::size_t second,
                       const AgreementOptions& options);

std::string_view name_of(stats::Level level);

Json to_json(const Coefficient& coefficient);
Json to_json(const Agreement& agreement);

}  // namespace personascope::report
