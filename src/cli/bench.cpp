#include "cli/bench.hpp"

#include "cli/catalog_command.hpp"
#include "cli/gate_flags.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kBenchExamples =
    R"(  personascope bench main --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench main -n 3                        # our own personas and questions, no key needed
  personascope bench loo --help

Does an answer fit this user? A critic says whether it needs a revision; the score is the share of
answers that need none.)";

constexpr const char* kMainExamples =
    R"(  personascope bench main --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench main --mode all --model openai/gpt-4o-mini --judge openai/gpt-4o -n 100
  personascope bench main --personas mine.csv --questions mine.jsonl --model vllm/my-model \
      --base-url http://localhost:8000/v1 --judge openai/gpt-4o -o items.jsonl
  personascope bench main --critic all --model openai/gpt-4o-mini --judge openai/gpt-4o -n 100
  personascope bench main --protocol reference --prompts persona_bench/tooling --model gpt-4o-mini --judge gpt-4o
  personascope estimate bench main --model openai/gpt-4o-mini --judge openai/gpt-4o)";

constexpr const char* kLooExamples =
    R"(  personascope bench loo --attribute religion --attribute income --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench loo --attributes examples/example_loo.json --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench loo --reader embedded/smollm2-135m --model openai/gpt-4o-mini --judge openai/gpt-4o

Each question is answered for the whole persona, and again without each attribute. The critic always
sees the whole persona. Without --attribute and --attributes: every attribute. With --reader the
answers to the whole persona are also read without each attribute: how much less likely they get.)";

constexpr const char* kIntersectionalityExamples =
    R"(  personascope bench intersectionality --population 'age 18-34 & sex=Female' --population 'employment status=Retired|Student' \
      --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench intersectionality --populations examples/example_intersections.json \
      --model openai/gpt-4o-mini --judge openai/gpt-4o

Each population is compared with everyone who is not in it.)";

constexpr const char* kPassAtKExamples =
    R"(  personascope bench pass-at-k -k 16 -n 50 --model openai/gpt-4o-mini --judge openai/gpt-4o --csv curve.csv

k drafts a question, independent of each other and each judged alone.)";

constexpr const char* kComparisonExamples =
    R"(  personascope bench comparison --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope bench comparison --model openai/gpt-4o-mini --judge none    # without the open answers

Questions whose right answer differs between two users. Choices, numbers and sets are checked
without a judge.)";

}  // namespace

void add_bench(CLI::App& program) {
  CLI::App* bench = add_group(program, "bench", "Does an answer fit this user?", kBenchExamples);
  add_gated_command(*bench, "bench main", kMainExamples);
  add_catalog_command(*bench, "bench loo", kLooExamples);
  add_catalog_command(*bench, "bench intersectionality", kIntersectionalityExamples);
  add_catalog_command(*bench, "bench pass-at-k", kPassAtKExamples);
  add_catalog_command(*bench, "bench comparison", kComparisonExamples);
  add_bench_personas(*bench);
}

}  // namespace personascope::cli
