#include "app/evaluation.hpp"
#include "cli/command.hpp"
#include "cli/run_command.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kResumeExamples =
    R"(  personascope resume 7
  personascope resume 7 --max-cost 10     # with another limit than before
  personascope resume 7 --retry-failed    # ask again for all that failed

Answers that are stored are not asked for again. Items that failed because of the network, the key,
the account or a wrong address are. --retry-failed also asks again where the server called the
request bad or too long. Flags that are not given stay as they were.)";

constexpr const char* kRescoreExamples =
    R"(  personascope rescore 7 -o judged-again.jsonl

Makes a new run with the answers of run 7, in which only the judge is asked again.)";

struct ResumeFlags {
  CommonFlags common;
  std::int64_t run = 0;
  std::optional<std::string> base_url;
  std::optional<std::string> output;
  bool trust_addresses = false;
  app::EngineOptions engine;

  Questions questions() const { return trust_addresses ? Questions::AnswerYes : Questions::Ask; }
};

void add_run_flags(CLI::App& command, ResumeFlags& flags) {
  add_run_argument(command, flags.run);
  add_flag_with_value(command, "--base-url", flags.base_url,
                      "address of the model, if not its provider's usual one")
      ->type_name("URL");
  command.add_flag("--trust-addresses", flags.trust_addresses,
                   "send keys to the address in the stored run without asking");
  add_engine_flags(command, flags.engine);
  add_common_flags(command, flags.common);
}

}  // namespace

void add_resume(CLI::App& program) {
  const auto flags = std::make_shared<ResumeFlags>();
  CLI::App* command =
      add_command(program, "resume", "Continue a run that stopped", kResumeExamples, [flags] {
        return watch_run(
            flags->common,
            [&](app::Context& context, const app::Listener& listener) {
              return app::resume_run(context, flags->run, flags->engine, flags->base_url, listener);
            },
            flags->questions());
      });
  command
      ->add_flag_callback(
          "--retry-failed", [flags] { flags->engine.retry_failed = true; },
          "also retry requests that the server rejected as invalid or too long")
      ->envname(variable_of("--retry-failed"));
  add_run_flags(*command, *flags);
}

void add_rescore(CLI::App& program) {
  const auto flags = std::make_shared<ResumeFlags>();
  CLI::App* command = add_command(
      program, "rescore", "Judge the stored answers of a run again", kRescoreExamples, [flags] {
        return watch_run(
            flags->common,
            [&](app::Context& context, const app::Listener& listener) {
              return app::rescore_run(context, flags->run, flags->output, flags->engine,
                                      flags->base_url, listener);
            },
            flags->questions());
      });
  add_flag_with_value(*command, "-o,--output", flags->output,
                      "file to write, not the old run's; - is standard output")
      ->type_name("FILE");
  add_run_flags(*command, *flags);
}

}  // namespace personascope::cli
