#include "app/ask.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <iostream>
#include <iterator>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
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

Json to_json(const app::AskOutcome& outcome) {
  Json value = core::to_json(outcome.reply);
  value["outcome"] = core::is_refusal(outcome.reply) ? "refused" : "ok";
  value["from_journal"] = outcome.from_journal;
  value["cost_usd"] = nullptr;
  if (outcome.cost_usd) value["cost_usd"] = *outcome.cost_usd;
  return value;
}

int ask(AskFlags& flags) {
  auto request = make_request(flags);
  if (!request) return report(request.error(), flags.common);
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  flags.command.request = std::move(*request);
  if (!flags.common.json) flags.command.on_text = print_piece;
  const auto outcome = app::ask(**context, flags.command);
  if (!outcome) {
    const int code = report(outcome.error(), flags.common);
    // The model did not manage; nothing that was typed is wrong.
    const ErrorKind kind = outcome.error().kind;
    return kind == ErrorKind::Refused || kind == ErrorKind::Unparsable ? kNotDone : code;
  }
  if (flags.common.json) {
    print_json(to_json(*outcome));
    return kDone;
  }
  fmt::print("\n");
  if (outcome->from_journal && !flags.common.quiet)
    fmt::print(stderr, "{}\n",
               paint(stderr, Colour::Grey, "(answered before; --fresh asks again)"));
  return kDone;
}

}  // namespace

void add_ask(CLI::App& program) {
  const auto flags = std::make_shared<AskFlags>();
  core::Sampling& sampling = flags->command.request.sampling;
  CLI::App* command = add_command(program, "ask", "Ask a model one thing and stream its answer",
                                  kExamples, [flags] { return ask(*flags); });
  command->add_option("prompt", flags->prompt, "what to ask; - reads standard input")
      ->required()
      ->type_name("TEXT");
  add_model_flags(*command, flags->command.model, flags->command.base_url);
  add_flag_with_value(*command, "-s,--system", flags->system, "a system message")
      ->type_name("TEXT");
  add_flag_with_value(*command, "--temperature", sampling.temperature, "how random: 0 to 2")
      ->check(CLI::Range(0.0, 2.0));
  add_flag_with_value(*command, "--top-p", sampling.top_p, "the share of likely words to draw from")
      ->check(CLI::Range(0.0, 1.0));
  add_flag_with_value(*command, "--seed", sampling.seed, "for providers that know one");
  add_flag_with_value(*command, "--max-output-tokens", sampling.max_tokens, "the longest answer")
      ->check(CLI::Range(1, 10'000'000));
  add_flag_with_value(*command, "--schema", flags->schema, "a JSON schema that the answer must fit")
      ->type_name("FILE");
  add_engine_flags(*command, flags->command.engine);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
