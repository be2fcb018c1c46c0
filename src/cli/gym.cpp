#include "cli/catalog_command.hpp"
#include "cli/gate_flags.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kGymExamples =
    R"(  personascope gym run --persona "a high school physics teacher" --model together/meta-llama/Llama-3.3-70B-Instruct-Turbo --judge openai/gpt-4o
  personascope gym run --limit 2 --questions-per-task 2       # our own personas and questions, no key needed
  personascope gym questions --help

Does an agent act as its persona would? Five tasks, each scored 1 to 5; their mean is the PersonaScore.)";

constexpr const char* kGymRunExamples =
    R"(  personascope gym run --persona "a high school physics teacher" --persona "a retired con artist" \
      --model openai/gpt-4o-mini --judge openai/gpt-4o --judge anthropic/claude-sonnet-4
  personascope gym run --model vllm/my-agent --base-url http://localhost:8000/v1 --judge openai/gpt-4o
  personascope gym run --personas mine.yaml --model openai/gpt-4o-mini --judge openai/gpt-4o -o items.jsonl
  personascope gym run --benchmark benchmark-v1 --protocol reference --model meta-llama/Llama-2-70b-chat-hf \
      --judge gpt-4o-2024-05-13 --judge meta-llama/Llama-3-70b-chat-hf
  personascope estimate gym run --model openai/gpt-4o-mini --judge openai/gpt-4o

Without --persona and --personas: the pack's personas that have ready-made questions. For a persona that has
none, --question-model writes them.)";

constexpr const char* kQuestionsExamples =
    R"(  personascope gym questions --persona "a lighthouse keeper" --question-model openai/gpt-4o --questions my-questions
  personascope gym questions --fresh --limit 5 --question-model openai/gpt-4o --questions private-split)";

constexpr const char* kAnswerExamples =
    R"(  personascope gym answer --questions my-questions --model openai/gpt-4o-mini --responses results/mini)";

constexpr const char* kGradeExamples =
    R"(  personascope gym grade --responses results/mini --judge openai/gpt-4o --scores scores.json
  personascope gym grade --responses results/gpt35 --protocol reference --judge gpt-4o --judge meta-llama/Llama-3-70b-chat-hf)";

}  // namespace

void add_gym(CLI::App& program) {
  CLI::App* gym =
      add_group(program, "gym", "Does an agent act as its persona would?", kGymExamples);
  add_gated_command(*gym, "gym run", kGymRunExamples);
  add_catalog_command(*gym, "gym questions", kQuestionsExamples);
  add_catalog_command(*gym, "gym answer", kAnswerExamples);
  add_gated_command(*gym, "gym grade", kGradeExamples);
  add_gym_leaderboard(*gym);
}

}  // namespace personascope::cli
