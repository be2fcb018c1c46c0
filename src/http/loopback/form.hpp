// The forms of request and reply that the loopback server can imitate, one row of a table each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "http/loopback/message.hpp"
#include "http/loopback/scenario.hpp"

namespace personascope::http::loopback {

enum class Logprobs { No, Yes };

// What a request asks for, in whatever form it came.
struct Ask {
  std::string model;
  std::string prompt;        // every role and text, in order
  std::string instructions;  // the system's text and the last message: where directives are read
  bool stream = false;
  bool stream_usage = false;
  Logprobs logprobs = Logprobs::No;
  std::size_t top_logprobs = 0;
  std::optional<Json> schema;  // of the JSON wanted as text, or of the forced tool's input
  std::string tool;            // the forced tool, if any
};

// Stands in an answer's text, which JSON keeps valid, for the bytes to put there after rendering.
inline constexpr std::string_view kInvalidUtf8Mark = "(invalid-utf8)";

struct Answer {
  std::string id;  // the same for the same prompt
  std::string text;
  std::optional<Json> tool_input;  // the forced tool's, in place of text
  Ending ending = Ending::Stop;
  std::size_t prompt_tokens = 0;
  std::size_t completion_tokens = 0;
};

enum class Cause { Status, TooLong, Key, Model, Request, Filter };

struct Failure {
  int status = 500;  // a form may have its own for a cause
  Cause cause = Cause::Status;
  std::string message;
};

struct Form {
  // Whether this form's requests are posted to that path.
  bool (*takes)(std::string_view path);
  // Fails as Invalid.
  Result<Ask> (*read)(const Json& body, std::string_view path);
  // The status, headers and body.
  LoopbackReply (*render)(const Ask& ask, const Answer& answer);
  LoopbackReply (*render_failure)(const Failure& failure);
};

extern const Form kOpenAiForm;
extern const Form kAnthropicForm;
extern const Form kBedrockForm;

// The form whose requests are posted to that path, else null.
const Form* find_form(std::string_view path);

// The answer to `ask`: a pure function of its model and prompt, bent by the scenario.
Answer make_answer(const Ask& ask, const Scenario& scenario);

// Adds a message's role and text to the prompt. Content is text or a list of parts with text.
// Fails as Invalid on other content.
Result<void> add_message(const Json& message, Ask& ask);
// Adds all of the body's "messages", and the last of them to the instructions.
Result<void> add_messages(const Json& body, Ask& ask);
// Adds the "system" text of the body, if any, to prompt and instructions.
Result<void> add_system(const Json& body, Ask& ask);

// The text in pieces of a word each, which joined are the text.
std::vector<std::string_view> split_tokens(std::string_view text);

LoopbackReply make_json_reply(int status, const Json& body);
LoopbackReply make_json_reply(int status, std::string rendered_body);
LoopbackReply make_event_stream();

}  // namespace personascope::http::loopback
