// Anthropic's Messages.
#include <utility>

#include "http/loopback/form.hpp"

namespace personascope::http::loopback {
namespace {

bool takes(std::string_view path) {
  return path.ends_with("/messages");
}

void read_tool(const Json& body, Ask& ask) {
  const Json* choice = find_member(body, "tool_choice");
  const Json* tools = find_member(body, "tools");
  if (!choice || !tools || !tools->is_array()) return;
  const std::string type = find_text(*choice, "type").value_or("");
  for (const Json& tool : *tools) {
    const std::string name = find_text(tool, "name").value_or("");
    if (type != "any" && (type != "tool" || find_text(*choice, "name") != name)) continue;
    const Json* schema = find_member(tool, "input_schema");
    ask.tool = name;
    ask.schema = schema ? *schema : Json::object();
    return;
  }
}

Result<Ask> read(const Json& body, std::string_view) {
  Ask ask;
  ask.model = find_text(body, "model").value_or("");
  if (!find_integer(body, "max_tokens"))
    return fail(ErrorKind::Invalid, "max_tokens: Field required");
  RETURN_IF_ERROR(add_system(body, ask));
  RETURN_IF_ERROR(add_messages(body, ask));
  const Json* stream = find_member(body, "stream");
  ask.stream = stream && *stream == true;
  read_tool(body, ask);
  return ask;
}

std::string_view stop_of(const Answer& answer) {
  if (answer.ending == Ending::Length) return "max_tokens";
  if (answer.ending == Ending::Refusal) return "refusal";
  return answer.tool_input ? "tool_use" : "end_turn";
}

Json render_message(const Ask& ask, const Answer& answer) {
  return {{"id", "msg_" + answer.id},
          {"type", "message"},
          {"role", "assistant"},
          {"model", ask.model},
          {"content", Json::array()},
          {"stop_reason", nullptr},
          {"stop_sequence", nullptr},
          {"usage", {{"input_tokens", answer.prompt_tokens}, {"output_tokens", 1}}}};
}

Json render_tool_use(const Ask& ask, const Answer& answer, Json input) {
  return {{"type", "tool_use"},
          {"id", "toolu_" + answer.id},
          {"name", ask.tool},
          {"input", std::move(input)}};
}

Json render_whole(const Ask& ask, const Answer& answer) {
  Json message = render_message(ask, answer);
  if (answer.tool_input)
    message["content"].push_back(render_tool_use(ask, answer, *answer.tool_input));
  else
    message["content"].push_back({{"type", "text"}, {"text", answer.text}});
  message["stop_reason"] = stop_of(answer);
  message["usage"]["output_tokens"] = answer.completion_tokens;
  return message;
}

void add_event(LoopbackReply& reply, const char* type, Json event) {
  event["type"] = type;
  reply.chunks.push_back({fmt::format("event: {}\ndata: {}\n\n", type, render_json(event))});
}

LoopbackReply render_stream(const Ask& ask, const Answer& answer) {
  LoopbackReply reply = make_event_stream();
  const bool is_tool = answer.tool_input.has_value();
  add_event(reply, "message_start", {{"message", render_message(ask, answer)}});
  const Json block =
      is_tool ? render_tool_use(ask, answer, Json::object()) : Json{{"type", "text"}, {"text", ""}};
  add_event(reply, "content_block_start", {{"index", 0}, {"content_block", block}});
  add_event(reply, "ping", Json::object());
  const std::string text = is_tool ? render_json(*answer.tool_input) : answer.text;
  for (const std::string_view token : split_tokens(text)) {
    const Json delta = is_tool ? Json{{"type", "input_json_delta"}, {"partial_json", token}}
                               : Json{{"type", "text_delta"}, {"text", token}};
    add_event(reply, "content_block_delta", {{"index", 0}, {"delta", delta}});
  }
  add_event(reply, "content_block_stop", {{"index", 0}});
  add_event(reply, "message_delta",
            {{"delta", {{"stop_reason", stop_of(answer)}, {"stop_sequence", nullptr}}},
             {"usage", {{"output_tokens", answer.completion_tokens}}}});
  add_event(reply, "message_stop", Json::object());
  return reply;
}

std::string_view type_of(int status) {
  switch (status) {
    case 401:
      return "authentication_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
    case 529:
      return "overloaded_error";
    default:
      return status < 500 ? "invalid_request_error" : "api_error";
  }
}

LoopbackReply render_failure(const Failure& failure) {
  const std::string message = failure.cause == Cause::TooLong
                                  ? "prompt is too long: 250000 tokens > 200000 maximum"
                                  : failure.message;
  return make_json_reply(
      failure.status,
      {{"type", "error"}, {"error", {{"type", type_of(failure.status)}, {"message", message}}}});
}

LoopbackReply render(const Ask& ask, const Answer& answer) {
  // Messages has no ending for a filtered answer: it is an error there.
  if (answer.ending == Ending::Filter)
    return render_failure({400, Cause::Filter, "Output blocked by content filtering policy"});
  if (ask.stream) return render_stream(ask, answer);
  return make_json_reply(200, render_whole(ask, answer));
}

}  // namespace

const Form kAnthropicForm{takes, read, render, render_failure};

}  // namespace personascope::http::loopback
