// A run's progress on standard error: a live line on a terminal, a plain line now and then in a
// pipe.
#pragma once

#include "app/run_types.hpp"
#include "base/clock.hpp"

namespace personascope::cli {

enum class Verbosity { Normal, Quiet };

class ProgressBar {
 public:
  explicit ProgressBar(Verbosity verbosity);
  void show(const app::Progress& progress);
  // Takes the live line away, so that other text can follow.
  void clear();

 private:
  bool quiet_;
  bool live_;
  TimePoint next_line_;
};

// The live line, at most `columns` wide. Exposed for tests.
std::string render_bar(const app::Progress& progress, std::size_t columns);
// The plain line.
std::string render_progress_line(const app::Progress& progress);

}  // namespace personascope::cli
