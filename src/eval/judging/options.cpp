// The options of `judge`.
#include "judge/options.hpp"
#include "eval/judging/judge_plan.hpp"

namespace personascope::eval::judging {

using core::OptionTable;

const OptionTable<JudgeFileOptions>& judge_file_options() {
  static const OptionTable<JudgeFileOptions> table = [] {
    OptionTable<JudgeFileOptions> rows{
        {&JudgeFileOptions::input,
         {.name = "answers",
          .value = "ANSWERS",
          .required = true,
          .positional = true,
          .sentence = "a file of JSON lines, one answer per line"}},
        {&JudgeFileOptions::rubric,
         {.name = "rubric",
          .short_flag = "r",
          .value = "FILE",
          .required = true,
          .sentence = "rubric: a YAML or Markdown file"}},
        {&JudgeFileOptions::judges,
         {.name = "judges",
          .flag = "judge",
          .short_flag = "j",
          .value = "MODEL",
          .otherwise = "embedded/smollm2-135m if no key is set",
          .sentence = "model that judges: provider/model; may be repeated for a panel"}},
        {&JudgeFileOptions::base_url,
         {.name = "base_url",
          .value = "URL",
          .sentence = "address of the judges, if not their provider's usual one"}},
        {&JudgeFileOptions::output,
         {.name = "output",
          .short_flag = "o",
          .value = "FILE",
          .otherwise = "standard output",
          .sentence = "file for the verdicts; - is standard output"}}};
    rows.include(&JudgeFileOptions::judging, judge::judging_options());
    rows.add(judge::make_panel_row(&JudgeFileOptions::rule));
    rows.add({&JudgeFileOptions::escalate,
              {.name = "escalate",
               .value = "MODEL",
               .sentence = "a further judge for items on which two judges differ by 2 or more"}});
    rows.add({&JudgeFileOptions::canaries,
              {.name = "canaries",
               .value = "N",
               .least = 0,
               .most = 100000,
               .sentence = "also judge N items with canary answers (worthless test answers); "
                           "0 = off"}});
    rows.add({&JudgeFileOptions::cluster,
              {.name = "cluster",
               .value = "FIELD",
               .otherwise = "persona, if all lines have it",
               .sentence = "field that groups lines, for intervals"}});
    const OptionTable<judge::JudgeOptions> sampling{
        {&judge::JudgeOptions::temperature,
         {.name = "temperature",
          .value = "T",
          .least = 0,
          .most = 2,
          .otherwise = "0, or 1 with repeats",
          .sentence = "temperature of the judges"}},
        {&judge::JudgeOptions::max_tokens,
         {.name = "max_output_tokens",
          .value = "N",
          .least = 1,
          .most = 1000000,
          .sentence = "longest reply of a judge, in tokens"}}};
    rows.include(&JudgeFileOptions::judging, sampling);
    return rows;
  }();
  return table;
}

}  // namespace personascope::eval::judging
