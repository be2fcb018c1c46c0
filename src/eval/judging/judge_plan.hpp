// What `judge` is told: answers, rubric, judges and how they are asked.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/option_table.hpp"
#include "eval/input_file.hpp"
#include "files/paths.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"
#include "judge/rubric.hpp"

namespace personascope::eval::judging {

// As the user gives them; a text that is empty was not given.
struct JudgeFileOptions {
  std::string input;
  std::string output{files::kStandardOutput};
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

struct JudgePlan {
  InputFile input;
  std::string rubric;  // its file
  std::string rubric_sha256;
  std::vector<std::string> judges;      // "provider/model" each
  std::optional<std::string> escalate;  // asked too where two judges differ by 2 or more
  judge::JudgeOptions options;
  judge::PanelRule rule = judge::PanelRule::Mean;
  std::int64_t canaries = 2;           // how many items are also asked about with canary answers
  std::optional<std::string> cluster;  // the field that groups lines
};

Json to_json(const JudgePlan& plan);
// Fails as Invalid if it is not a judge's plan.
Result<JudgePlan> parse_judge_plan(const Json& value);

// The panel, and the judge for escalations behind it if there is one.
std::vector<std::string> list_judges(const JudgePlan& plan);

// What lines must have, whichever of the rubric's prompts a judge is asked with.
std::vector<std::string> list_judged_fields(const judge::Rubric& rubric);

// Fails as Invalid if the judges cannot work together, or not at one address if they have one.
Result<void> check_judges(const JudgePlan& plan, bool has_address);

struct JudgeSetup {
  JudgePlan plan;
  judge::Rubric rubric;
  std::vector<std::string> notes{};  // what to know before anything is sent
};

// Loads the rubric and checks every line of `input` against it; fills in input, rubric_sha256 and,
// where none is named, the cluster: "persona" if every line has one.
Result<JudgeSetup> fill_judge_plan(JudgePlan plan, const std::string& input);

}  // namespace personascope::eval::judging
