#include "cli/catalog_command.hpp"
#include "cli/gate_flags.hpp"
#include "cli/lens_table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kLensExamples =
    R"(  personascope lens run --users 0-4 --tasks-per-user 2 --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope lens run --limit 2 --max-turns 3            # our own users and tasks, no key needed
  personascope lens gather output

Does an assistant serve this person? A simulated user with a profile talks with the assistant under test;
judges rate the dialogues.)";

constexpr const char* kGenerateExamples =
    R"(  personascope lens generate --sample 30 --model openai/gpt-4o-mini --user-model openai/gpt-4o -d -p
  personascope lens generate --multi-domain --users 0-99 --model vllm/my-agent --base-url http://localhost:8000/v1
  personascope lens generate --pack personalens --protocol reference -s3 -si -m claude-3-sonnet-v1 -u claude-3-sonnet-v1
  personascope lens generate --context-sweep none,d,p,dps --sample 20 --tasks-per-user 3 --model openai/gpt-4o-mini

Dialogues go to DIR/dialogue/userN/<assistant>[_d][_p][_s]/<task>_dialogue.json, DIR being --output.)";

constexpr const char* kEvaluateExamples =
    R"(  personascope lens evaluate --sample 30 --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope lens evaluate --pack personalens --protocol reference --output PersonaLens/output -m claude-3-sonnet-v1 -d personalization -i claude-3-5-sonnet-v2
  personascope lens evaluate --sample 30 --model openai/gpt-4o-mini --judge openai/gpt-4o -d all)";

constexpr const char* kLensRunExamples =
    R"(  personascope lens run --sample 30 --tasks-per-user 3 --model openai/gpt-4o-mini --judge openai/gpt-4o --demographics
  personascope lens run --context-sweep all --sample 20 --tasks-per-user 2 --model openai/gpt-4o-mini --judge openai/gpt-4o
  personascope estimate lens run --sample 30 --model openai/gpt-4o-mini --judge openai/gpt-4o)";

void add_whole(CLI::App& lens) {
  const auto has_d = std::make_shared<bool>(false);
  CLI::App* command =
      add_gated_command(lens, "lens run", kLensRunExamples, [has_d]() -> Result<void> {
        if (!*has_d) return {};
        return fail(
            ErrorKind::Invalid,
            "-d means --demographics in lens generate and --dimension in lens evaluate; in lens "
            "run write one of these");
      });
  command->add_flag("-d", *has_d)->group("");
}

void add_evaluate(CLI::App& lens) {
  CLI::App* command = add_gated_command(lens, "lens evaluate", kEvaluateExamples);
  // The published program's flag for the user's model, which judging does not need.
  const auto unused = std::make_shared<std::string>();
  command
      ->add_option_function<std::string>("-u,--model_id_user",
                                         [unused](const std::string& name) { *unused = name; })
      ->group("");
}

}  // namespace

void add_lens(CLI::App& program) {
  CLI::App* lens =
      add_group(program, "lens", "Does an assistant serve this person?", kLensExamples);
  add_whole(*lens);
  add_catalog_command(*lens, "lens generate", kGenerateExamples);
  add_evaluate(*lens);
  add_lens_gather(*lens);
  add_lens_profiles(*lens);
}

}  // namespace personascope::cli
