// `ask`: one prompt, one answer.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <string>
#include <string_view>

#include "app/context.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"
#include "core/request.hpp"
#include "run/options.hpp"

namespace personascope::app {

// The functions are called on the thread that calls ask().
struct AskCommand {
  std::string model;
  std::optional<std::string> base_url;
  core::Request request;
  run::EngineOptions engine;
  std::function<void(std::string_view)> on_text;  // the text as it comes; may be empty
  // What is waited for, in words, now and then while no text comes; may be empty.
  std::function<void(const std::string&)> on_wait;
  std::stop_token stop{};  // a stop may be requested from any thread: the call ends as Cancelled
};

struct AskOutcome {
  Result<core::Reply> reply;  // or why the call gave none
  bool from_journal = false;
  std::optional<double> cost_usd;
};

// A JSON schema from a file; Invalid if it is none.
Result<core::OutputSchema> load_output_schema(const std::string& path);

// Equal prompts get the journalled answer, unless the engine options ask for a fresh one. Fails if
// the call could not even be made.
Result<AskOutcome> ask(Context& context, const AskCommand& given);

}  // namespace personascope::app
