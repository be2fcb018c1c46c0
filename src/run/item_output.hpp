// A run's output of items: lines that the evaluation writes while it works, or an export of the
// stored items at the end.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "run/environment.hpp"
#include "run/ordered_lines.hpp"
#include "run/output.hpp"

namespace personascope::run {

class ItemOutput {
 public:
  // `path` is kStandardOutput or a file, nothing if no output is wanted; `lines` is what the
  // evaluation's own lines are ("answers"), empty if it writes none. Fails as Invalid if it cannot
  // be written there, or not in the form that its name tells.
  static Result<ItemOutput> create(const std::optional<std::string>& path, std::string_view lines,
                                   const RunEnvironment& environment);

  // An own line; it is written when those before it are.
  Result<void> put(std::int64_t position, std::string line);
  // Whether so much waits for an earlier line that no further piece should be begun.
  bool is_full() const { return target_ && target_->lines.is_full(); }

  // When every item has its outcome: the file is whole, or becomes so from the stored items of the
  // run, in the form that its name tells (without one, JSON lines).
  Result<void> finish(const RunEnvironment& environment, std::int64_t run);

 private:
  struct Target {
    Output output;
    OrderedLines lines{[this](std::string_view text) { return output.write(text); }};
    explicit Target(Output opened) : output(std::move(opened)) {}
  };

  std::unique_ptr<Target> target_;  // at one place, for its lines; null: no output
  std::string path_;
  bool has_own_lines_ = false;
};

}  // namespace personascope::run
