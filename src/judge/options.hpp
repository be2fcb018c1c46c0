// How judges are asked, as options that every command with judges shares.
#pragma once

#include <string>
#include <vector>

#include "core/option_table.hpp"
#include "judge/judge.hpp"
#include "judge/panel.hpp"

namespace personascope::judge {

// verdicts, judge_repeats and both_orders.
const core::OptionTable<JudgeOptions>& judging_options();
// judge_temperature and judge_max_output_tokens.
const core::OptionTable<JudgeOptions>& judge_sampling_options();

core::ChoiceNames<PanelRule> panel_rules();

// The row of the option `panel`.
template <class Options>
core::OptionRow<Options> make_panel_row(PanelRule Options::* member,
                                        const std::vector<std::string>& stages = {}) {
  return {member, panel_rules(),
          core::OptionSpec{.name = "panel",
                           .value = "RULE",
                           .stages = stages,
                           .sentence = "how the scores of several judges become one"}};
}

}  // namespace personascope::judge
