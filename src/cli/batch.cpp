#include "cli/catalog_command.hpp"
#include "cli/estimate_table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kBatchExamples =
    R"(  personascope batch requests.jsonl --model openai/gpt-4o -o answers.jsonl
  personascope batch requests.jsonl --model scripted/examples/replies.yaml
  personascope batch requests.jsonl --model vllm/my-model --base-url http://gpu1:8000/v1 \
      --max-connections 200 -o answers.jsonl
  personascope batch requests.jsonl --model openai/gpt-4o --max-cost 5 -o answers.jsonl
  personascope estimate batch requests.jsonl --model openai/gpt-4o

A line of the input: {"id": "a1", "messages": [{"role": "user", "content": "Hello"}], "max_tokens": 64}
A line of the output: {"id", "outcome": "ok|refused|failed", "text", "model", "usage", "error"}
Running it again asks only what has no answer yet.)";

int run_batch(const CatalogFlags& flags) {
  if (!flags.estimate) return carry_out_command(flags);
  return show_with_store(
      flags.common, print_estimate, [&](app::Context& context) -> Result<app::Estimate> {
        ASSIGN_OR_RETURN(auto estimates, flags.command->estimate(context, flags.given));
        return std::move(estimates.front());
      });
}

}  // namespace

void add_batch(CLI::App& program) {
  add_catalog_command(program, "batch", kBatchExamples, run_batch);
}

}  // namespace personascope::cli
