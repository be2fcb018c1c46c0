#include "cli/catalog_command.hpp"
#include "cli/estimate_table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kLiftExamples =
    R"(  personascope lift answers.jsonl
  personascope lift answers.jsonl --personas data/gym/personas.jsonl --distractors 7
  personascope lift answers.jsonl --control answers-without-persona.jsonl -o readings.jsonl
  personascope estimate lift answers.jsonl

A line of the answers: {"id": "a1", "persona": "…", "question": "…", "answer": "…"}
A line of the control: {"id": "a1", "answer": "…"}, the same question answered without a persona
A line of the personas: {"id": "p1", "persona": "…"}; answers may then name a persona by its id
A line of the output: {"id", "kind": "answer|control|content_free", "persona", "lift", "candidates", …}
Nothing is asked: a model inside the program reads how likely each answer is.)";

int run_lift(const CatalogFlags& flags) {
  if (!flags.estimate) return carry_out_command(flags);
  return show_with_store(
      flags.common, print_estimate, [&](app::Context& context) -> Result<app::Estimate> {
        ASSIGN_OR_RETURN(auto estimates, flags.command->estimate(context, flags.given));
        return std::move(estimates.front());
      });
}

}  // namespace

void add_lift(CLI::App& program) {
  add_catalog_command(program, "lift", kLiftExamples, run_lift);
}

}  // namespace personascope::cli
