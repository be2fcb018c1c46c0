// Tables for tests, made by hand or at random.
#pragma once

#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "report/score_table.hpp"

namespace personascope::report {

using CellList = std::vector<std::optional<double>>;

// Columns called a, b, c, ...; `per_cluster` rows share a cluster, 0: each stands alone.
inline ScoreTable make_table(std::vector<CellList> columns, std::size_t per_cluster = 0) {
  ScoreTable table;
  for (std::size_t row = 0; row < columns.front().size(); ++row) {
    table.clusters.push_back(per_cluster == 0 ? row : row / per_cluster);
  }
  if (per_cluster > 0) table.cluster_column = "persona";
  for (CellList& cells : columns) {
    table.columns.push_back(
        {std::string(1, static_cast<char>('a' + table.columns.size())), std::move(cells)});
  }
  return table;
}

// A whole score of 1..5 around `level`.
inline double make_score(Random& random, double level, double noise) {
  const double score = std::round(level + noise * 2 * (random.unit() - 0.5));
  return std::min(5.0, std::max(1.0, score));
}

// What is planted in a judge: how it errs, and in what.
struct Planted {
  double noise = 0.4;
  double shift = 0;
  double per_length = 0;  // points from the shortest to the longest answer
  double reversed = 0;
  double repeat_noise = 0.3;
  std::size_t items = 160;
};

// Columns: judge, human, again, reversed, length; personas with 10 answers, all labelled.
inline ScoreTable make_judged(const Planted& planted) {
  std::vector<CellList> columns(5);
  for (std::size_t i = 0; i < planted.items; ++i) {
    Random random(3, "judged", {}, i);
    const double truth = 1 + 4 * random.unit();
    const double length = random.unit();
    const double seen = truth + planted.shift + planted.per_length * (length - 0.5);
    columns[0].push_back(make_score(random, seen, planted.noise));
    columns[1].push_back(make_score(random, truth, 0.3));
    columns[2].push_back(make_score(random, seen, planted.repeat_noise));
    columns[3].push_back(make_score(random, seen + planted.reversed, planted.noise));
    columns[4].push_back(length);
  }
  return make_table(std::move(columns), 10);
}

}  // namespace personascope::report
