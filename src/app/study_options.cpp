#include "app/study.hpp"

namespace personascope::app {

const core::OptionTable<StudyHead>& study_options() {
  static const core::OptionTable<StudyHead> table{
      {&StudyHead::name,
       {.name = "name", .value = "NAME", .sentence = "every run of the study has it as a tag"}},
      {&StudyHead::tags, {.name = "tags", .value = "TAG", .sentence = "further tags of every run"}},
      {&StudyHead::output,
       {.name = "output",
        .value = "FOLDER",
        .sentence = "folder for the items of every run and for the leaderboard"}},
      {&StudyHead::max_cost_usd,
       {.name = "max_cost",
        .value = "USD",
        .least = 0,
        .sentence = "stop when all runs together have cost this much"}},
      {&StudyHead::max_calls,
       {.name = "max_calls",
        .value = "N",
        .least = 0,
        .sentence = "stop after this many calls of all runs together"}},
      {&StudyHead::max_tokens,
       {.name = "max_tokens",
        .value = "N",
        .least = 0,
        .sentence = "stop after this many tokens of all runs together"}},
  };
  return table;
}

const core::OptionTable<RunGates>& gate_options() {
  static const core::OptionTable<RunGates> table{
      {&RunGates::fail_under,
       {.name = "fail_under", .value = "SCORE", .sentence = "missed if the score is below"}},
      {&RunGates::fail_under_lower,
       {.name = "fail_under_lower",
        .value = "SCORE",
        .sentence = "missed if the lower end of the score's 95 % interval is below"}},
      {&RunGates::max_refused,
       {.name = "max_refused",
        .value = "N",
        .least = 0,
        .sentence = "missed if more items were refused (below 1: a fraction)"}},
      {&RunGates::max_failed,
       {.name = "max_failed",
        .value = "N",
        .least = 0,
        .sentence = "undecided if more items failed (below 1: a fraction)"}},
      {&RunGates::unscored,
       core::ChoiceNames<report::Unscored>{{"worst", report::Unscored::Worst},
                                           {"drop", report::Unscored::Drop}},
       {.name = "unscored",
        .sentence =
            "refused, empty and abstained items count as the worst score, or are left out"}},
      {&RunGates::score,
       {.name = "score", .value = "NAME", .sentence = "of items with several scores: which"}},
      {&RunGates::allow_cached,
       {.name = "allow_cached",
        .sentence = "pass even if all answers of the model are from earlier runs"}},
  };
  return table;
}

}  // namespace personascope::app
