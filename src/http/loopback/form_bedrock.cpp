// AWS Bedrock's Converse.
#include <utility>

#include "http/loopback/form.hpp"

namespace personascope::http::loopback {
namespace {

constexpr std::string_view kPrefix = "/model/";
constexpr std::string_view kSuffix = "/converse";
constexpr int kLatencyMs = 1;

bool takes(std::string_view path) {
  return path.size() > kPrefix.size() + kSuffix.size() && path.starts_with(kPrefix) &&
         path.ends_with(kSuffix);
}

// Model ids hold colons and, as ARNs, slashes, which clients percent-encode in the path.
std::string decode_percent(std::string_view text) {
  const auto value_of = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string decoded;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = i + 2 < text.size() && text[i] == '%' ? value_of(text[i + 1]) : -1;
    const int low = high < 0 ? -1 : value_of(text[i + 2]);
    decoded += low < 0 ? text[i] : static_cast<char>(high * 16 + low);
    if (low >= 0) i += 2;
  }
  return decoded;
}

void read_tool(const Json& body, Ask& ask) {
  const Json* config = find_member(body, "toolConfig");
  const Json* choice = config ? find_member(*config, "toolChoice") : nullptr;
  const Json* tools = config ? find_member(*config, "tools") : nullptr;
  if (!choice || !tools || !tools->is_array()) return;
  const Json* named = find_member(*choice, "tool");
  if (!named && !find_member(*choice, "any")) return;
  for (const Json& tool : *tools) {
    const Json* specification = find_member(tool, "toolSpec");
    if (!specification) continue;
    const std::string name = find_text(*specification, "name").value_or("");
    if (named && find_text(*named, "name") != name) continue;
    const Json* input = find_member(*specification, "inputSchema");
    const Json* schema = input ? find_member(*input, "json") : nullptr;
    ask.tool = name;
    ask.schema = schema ? *schema : Json::object();
    return;
  }
}

Result<Ask> read(const Json& body, std::string_view path) {
  path.remove_prefix(kPrefix.size());
  path.remove_suffix(kSuffix.size());
  Ask ask;
  ask.model = decode_percent(path);
  RETURN_IF_ERROR(add_system(body, ask));
  RETURN_IF_ERROR(add_messages(body, ask));
  read_tool(body, ask);
  return ask;
}

std::string_view stop_of(const Answer& answer) {
  switch (answer.ending) {
    case Ending::Length:
      return "max_tokens";
    case Ending::Refusal:
      return "content_filtered";
    case Ending::Filter:
      return "guardrail_intervened";
    case Ending::Error:
    case Ending::Stop:
      break;
  }
  return answer.tool_input ? "tool_use" : "end_turn";
}

LoopbackReply render(const Ask& ask, const Answer& answer) {
  Json block = {{"text", answer.text}};
  if (answer.tool_input)
    block = {{"toolUse",
              {{"toolUseId", "tooluse_" + answer.id},
               {"name", ask.tool},
               {"input", *answer.tool_input}}}};
  const Json message = {{"role", "assistant"}, {"content", Json::array({std::move(block)})}};
  return make_json_reply(200, {{"output", {{"message", message}}},
                               {"stopReason", stop_of(answer)},
                               {"usage",
                                {{"inputTokens", answer.prompt_tokens},
                                 {"outputTokens", answer.completion_tokens},
                                 {"totalTokens", answer.prompt_tokens + answer.completion_tokens}}},
                               {"metrics", {{"latencyMs", kLatencyMs}}}});
}

std::string_view type_of(const Failure& failure) {
  if (failure.cause == Cause::Key) return "UnrecognizedClientException";
  switch (failure.status) {
    case 400:
      return "ValidationException";
    case 403:
      return "AccessDeniedException";
    case 404:
      return "ResourceNotFoundException";
    case 408:
      return "ModelTimeoutException";
    case 424:
      return "ModelErrorException";
    case 429:
      return "ThrottlingException";
    case 503:
      return "ServiceUnavailableException";
    default:
      return failure.status < 500 ? "ValidationException" : "InternalServerException";
  }
}

LoopbackReply render_failure(const Failure& failure) {
  const bool too_long = failure.cause == Cause::TooLong;
  // AWS answers 403 to a key it does not know.
  LoopbackReply reply = make_json_reply(
      failure.cause == Cause::Key ? 403 : failure.status,
      {{"message", too_long ? "Input is too long for requested model." : failure.message}});
  reply.headers.emplace_back("x-amzn-ErrorType", type_of(failure));
  return reply;
}

}  // namespace

const Form kBedrockForm{takes, read, render, render_failure};

}  // namespace personascope::http::loopback
