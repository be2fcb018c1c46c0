#include "eval/catalog.hpp"

#include <array>

#include "eval/persona_bench/planning.hpp"
#include "eval/personagym/planning.hpp"
#include "eval/personalens/planning.hpp"

namespace personascope::eval {
namespace {

constexpr std::array kCatalog{
    CatalogRow{"gym", "run", "Write questions, answer them and grade the answers",
               personagym::list_gym_options, personagym::prepare_gym, personagym::load_gym},
    CatalogRow{"gym", "questions", "Only write the questions", personagym::list_gym_options,
               personagym::prepare_gym, personagym::load_gym},
    CatalogRow{"gym", "answer", "Only answer the questions", personagym::list_gym_options,
               personagym::prepare_gym, personagym::load_gym},
    CatalogRow{"gym", "grade", "Only grade answers", personagym::list_gym_options,
               personagym::prepare_gym, personagym::load_gym},
    CatalogRow{"bench", "main", "How many answers fit their users",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench},
    CatalogRow{"bench", "loo", "How much each attribute adds (leave one out)",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench},
    CatalogRow{"bench", "intersectionality", "For whom it works less well",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench},
    CatalogRow{"bench", "pass-at-k", "How many drafts are needed",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench},
    CatalogRow{"bench", "comparison", "Whether the answer changes with the user when it should",
               persona_bench::list_bench_options, persona_bench::prepare_bench,
               persona_bench::load_bench},
    CatalogRow{"lens", "run", "Run dialogues and judge them", personalens::list_lens_options,
               personalens::prepare_lens, personalens::load_lens},
    CatalogRow{"lens", "generate", "Only run the dialogues", personalens::list_lens_options,
               personalens::prepare_lens, personalens::load_lens},
    CatalogRow{"lens", "evaluate", "Only judge existing dialogues", personalens::list_lens_options,
               personalens::prepare_lens, personalens::load_lens},
};

}  // namespace

std::span<const CatalogRow> catalog() {
  return kCatalog;
}

}  // namespace personascope::eval
