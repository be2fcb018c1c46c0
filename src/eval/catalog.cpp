#include "eval/catalog.hpp"

#include <array>

#include "eval/batch/batch.hpp"
#include "eval/exam/exam.hpp"
#include "eval/judging/judging.hpp"
#include "eval/lift/lift.hpp"
#include "eval/persona_bench/describe.hpp"
#include "eval/persona_bench/planning.hpp"
#include "eval/persona_name/naming.hpp"
#include "eval/personagym/describe.hpp"
#include "eval/personagym/planning.hpp"
#include "eval/personalens/describe.hpp"
#include "eval/personalens/planning.hpp"
#include "judge/describe.hpp"

namespace personascope::eval {
namespace {

constexpr std::array kCatalog{
    CatalogRow{"gym", "run", "Write questions, answer them and grade the answers",
               personagym::list_gym_options, personagym::prepare_gym, personagym::load_gym,
               personagym::describe_gym},
    CatalogRow{"gym", "questions", "Only write the questions", personagym::list_gym_options,
               personagym::prepare_gym, personagym::load_gym, personagym::describe_gym},
    CatalogRow{"gym", "answer", "Only answer the questions", personagym::list_gym_options,
               personagym::prepare_gym, personagym::load_gym, personagym::describe_gym},
    CatalogRow{"gym", "grade", "Only grade answers", personagym::list_gym_options,
               personagym::prepare_gym, personagym::load_gym, personagym::describe_gym},
    CatalogRow{"bench", "main", "How many answers fit their users",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench, persona_bench::describe_bench},
    CatalogRow{"bench", "loo", "How much each attribute adds (leave one out)",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench, persona_bench::describe_bench},
    CatalogRow{"bench", "intersectionality", "For whom it works less well",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench, persona_bench::describe_bench},
    CatalogRow{"bench", "pass-at-k", "How many drafts are needed",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench, persona_bench::describe_bench},
    CatalogRow{"bench", "comparison", "Whether the answer changes with the user when it should",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench, persona_bench::describe_bench},
    CatalogRow{"lens", "run", "Run dialogues and judge them", personalens::list_lens_options,
               personalens::prepare_lens, personalens::load_lens, personalens::describe_lens},
    CatalogRow{"lens", "generate", "Only run the dialogues", personalens::list_lens_options,
               personalens::prepare_lens, personalens::load_lens, personalens::describe_lens},
    CatalogRow{"lens", "evaluate", "Only judge existing dialogues", personalens::list_lens_options,
               personalens::prepare_lens, personalens::load_lens, personalens::describe_lens},
    CatalogRow{"name", "run", "Does an agent give its persona's name?",
               persona_name::list_naming_options, persona_name::prepare_naming,
               persona_name::load_naming, persona_name::describe_naming},
    CatalogRow{"exam", "run", "Which judge may judge what?", exam::list_exam_options,
               exam::prepare_exam, exam::load_exam, exam::describe_exam},
    CatalogRow{"batch", "", "Answer a file of chat requests", batch::list_batch_options,
               batch::prepare_batch, batch::load_batch, batch::describe_batch},
    CatalogRow{"judge", "", "Score a file of answers by a rubric", judging::list_judging_options,
               judging::prepare_judging, judging::load_judging, judge::describe_judging, "rubric"},
    CatalogRow{"lift", "", "Measure how much of its persona shows in each answer",
               lift::list_lift_options, lift::prepare_lift, lift::load_lift, judge::describe_lift,
               "reader"},
};

}  // namespace

std::span<const CatalogRow> catalog() {
  return kCatalog;
}

}  // namespace personascope::eval
