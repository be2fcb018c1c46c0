#include "app/ask.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <stop_token>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/interrupts.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kAskExamples =
    R"(  personascope ask "Who are you?" --model openai/gpt-4o --system "You are a lighthouse keeper."
  personascope ask "Say hello" --model scripted/examples/replies.yaml
  git diff | personascope ask - --model anthropic/claude-3-5-sonnet-20241022
  personascope ask "A name and an age" --model openai/gpt-4o --schema person.json)";

struct AskFlags {
  CommonFlags common;
  std::string prompt;
  std::optional<std::string> system;
  std::optional<std::string> schema;
  app::AskCommand command;
};

Result<core::Request> make_request(const AskFlags& flags) {
  core::Request request = flags.command.request;
  if (flags.system) request.messages.push_back({core::Role::System, *flags.system});
  std::string prompt = flags.prompt;
  if (prompt == "-") {
    prompt.assign(std::istreambuf_iterator<char>(std::cin), {});
    prompt = make_utf8(prompt);
  }
  if (trim(prompt).empty())
    return fail(ErrorKind::Invalid, "the prompt is empty; write what to ask");
  request.messages.push_back({core::Role::User, prompt});
  if (flags.schema) {
    ASSIGN_OR_RETURN(request.output, app::load_output_schema(*flags.schema));
  }
  return request;
}

// Text from a model goes to a terminal without its control characters, and to a pipe as it is.
void print_piece(std::string_view text) {
  const std::string shown =
      is_terminal(stdout) ? printable(text, Newlines::Keep) : std::string(text);
  std::fwrite(shown.data(), 1, shown.size(), stdout);
  std::fflush(stdout);
}

// On standard error: what is waited for, when it changes and every ten seconds.
class WaitLines {
 public:
  void operator()(const std::string& wait) {
    const TimePoint now = SteadyClock::now();
    // The time in it is news only now and then.
    const std::string what = wait.substr(0, wait.find(','));
    if (what == what_ && now < next_) return;
    what_ = what;
    next_ = now + seconds(10);
    say("{}\n", paint(stderr, Colour::Grey, printable(wait)));
  }

 private:
  std::string what_;
  TimePoint next_{};
};

Json to_json(const app::AskOutcome& outcome) {
  Json value = outcome.reply ? core::to_json(*outcome.reply) : Json::object();
  value["outcome"] = core::name_of(core::outcome_of(outcome.reply));
  value["from_journal"] = outcome.from_journal;
  value["cost_usd"] = nullptr;
  if (outcome.cost_usd) value["cost_usd"] = *outcome.cost_usd;
  if (!outcome.reply)
    value["error"] = {{"kind", name_of(outcome.reply.error().kind)},
                      {"message", outcome.reply.error().message}};
  return value;
}

// As a batch of one line would end: a refusal is an outcome, a failure leaves it not done.
int exit_code_of(const Result<core::Reply>& reply) {
  if (core::outcome_of(reply) != core::Outcome::Failed) return kDone;
  return reply.error().kind == ErrorKind::Cancelled ? kInterrupted : kNotDone;
}

int ask(AskFlags& flags) {
  auto request = make_request(flags);
  if (!request) return report(request.error(), flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  flags.command.request = std::move(*request);
  if (!flags.common.json) flags.command.on_text = print_piece;
  if (!flags.common.quiet) flags.command.on_wait = WaitLines{};
  std::stop_source stop;
  flags.command.stop = stop.get_token();
  const auto outcome = [&] {
    const Interrupts interrupts([&stop] { stop.request_stop(); });
    return app::ask(**context, flags.command);
  }();
  if (!outcome) return report(outcome.error(), flags.common);
  if (!outcome->reply) report(outcome->reply.error(), {});
  if (flags.common.json) print_json(to_json(*outcome));
  const int code = exit_code_of(outcome->reply);
  if (flags.common.json || !outcome->reply) return code;
  fmt::print("\n");
  if (outcome->from_journal && !flags.common.quiet)
    say("{}\n", paint(stderr, Colour::Grey, "(stored answer; --fresh asks again)"));
  return code;
}

}  // namespace

void add_ask(CLI::App& program) {
  const auto flags = std::make_shared<AskFlags>();
  core::Sampling& sampling = flags->command.request.sampling;
  CLI::App* command = add_command(program, "ask", "Ask a model one question and print its answer",
                                  kAskExamples, [flags] { return ask(*flags); });
  command->add_option("PROMPT", flags->prompt, "the prompt; - reads standard input")->required();
  add_model_flags(*command, flags->command.model, flags->command.base_url);
  add_flag_with_value(*command, "-s,--system", flags->system, "a system message")
      ->type_name("TEXT");
  add_flag_with_value(*command, "--temperature", sampling.temperature,
                      "sampling temperature, 0 to 2")
      ->type_name("X")
      ->check(CLI::Range(0.0, 2.0));
  add_flag_with_value(*command, "--top-p", sampling.top_p,
                      "draw from the most likely tokens that have this probability together")
      ->type_name("X")
      ->check(CLI::Range(0.0, 1.0));
  add_flag_with_value(*command, "--seed", sampling.seed,
                      "seed of the sampling, for providers that support one")
      ->type_name("N");
  add_flag_with_value(*command, "--max-output-tokens", sampling.max_tokens,
                      "longest answer, in tokens")
      ->type_name("N")
      ->check(CLI::Range(1, 10'000'000));
  add_flag_with_value(*command, "--schema", flags->schema,
                      "file with a JSON schema that the answer must match")
      ->type_name("FILE");
  add_engine_flags(*command, flags->command.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
