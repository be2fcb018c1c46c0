#include "judge/options.hpp"

namespace personascope::judge {

const core::OptionTable<JudgeOptions>& judging_options() {
  static const core::OptionTable<JudgeOptions> table{
      {&JudgeOptions::form,
       core::ChoiceNames<ReplyForm>{{"auto", ReplyForm::Auto},
                                    {"text", ReplyForm::Text},
                                    {"schema", ReplyForm::Schema},
                                    {"expected", ReplyForm::Expected}},
       {.name = "verdicts",
        .value = "FORM",
        .sentence = "form of a verdict: text, JSON by a schema, the mean of the judge's "
                    "probabilities (expected), or what the model can do best (auto)"}},
      {&JudgeOptions::repeats,
       {.name = "judge_repeats",
        .old_names = {"repeats"},
        .value = "N",
        .least = 1,
        .most = 1000,
        .sentence = "verdicts per judge, which are averaged"}},
      {&JudgeOptions::orders,
       Orders::Ascending,
       Orders::Both,
       {.name = "both_orders",
        .sentence = "show the scale in both orders, average the scores, and report the gap"}}};
  return table;
}

const core::OptionTable<JudgeOptions>& judge_sampling_options() {
  static const core::OptionTable<JudgeOptions> table{
      {&JudgeOptions::temperature,
       {.name = "judge_temperature",
        .value = "T",
        .least = 0,
        .most = 2,
        .otherwise = "0, or 1 with repeats",
        .sentence = "temperature of the judges"}},
      {&JudgeOptions::max_tokens,
       {.name = "judge_max_output_tokens",
        .value = "N",
        .least = 1,
        .most = 1000000,
        .sentence = "longest reply of a judge, in tokens"}}};
  return table;
}

core::ChoiceNames<PanelRule> panel_rules() {
  return {{"mean", PanelRule::Mean}, {"median", PanelRule::Median}};
}

}  // namespace personascope::judge
