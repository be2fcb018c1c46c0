// The options of the commands that work through a file of lines: batch, judge and lift.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/option_table.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"
#include "run/output.hpp"

namespace personascope::run {

// Paths are as the user gave them; a text that is empty was not given.
struct BatchOptions {
  std::string input;
  std::string output{kStandardOutput};
  std::string model;
  std::optional<std::string> base_url;
};
const core::OptionTable<BatchOptions>& batch_options();

struct JudgeFileOptions {
  std::string input;
  std::string output{kStandardOutput};
  std::string rubric;
  std::vector<std::string> judges;
  std::optional<std::string> escalate;
  std::optional<std::string> base_url;  // of all judges
  judge::JudgeOptions judging;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 2;
  std::optional<std::string> cluster;
};
const core::OptionTable<JudgeFileOptions>& judge_file_options();

struct LiftOptions {
  std::string input;
  std::optional<std::string> control;
  std::optional<std::string> personas;
  std::optional<std::string> output;  // nothing: only the summary
  std::string model;
  std::optional<std::string> base_url;
  std::size_t distractors = 7;  // half of them near, half far
  std::uint64_t seed = 0;
  bool content_free = false;
};
const core::OptionTable<LiftOptions>& lift_options();

}  // namespace personascope::run
