#include "llm/providers/http_model.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "llm/providers/rate_headers.hpp"
#include "llm/providers/sse.hpp"

namespace personascope::llm {
namespace {

constexpr std::size_t kLongestErrorText = 400;

bool contains_any(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(
      words, [&](std::string_view word) { return text.find(word) != std::string_view::npos; });
}

// Providers word it differently and give it status 400, 413 or 422.
bool says_too_long(std::string_view text) {
  return contains_any(
      text, {"context_length_exceeded", "context length", "context window", "maximum context",
             "prompt is too long", "input is too long", "too many input tokens",
             "exceeds the available context", "exceed_context_size", "too many total text bytes"});
}

bool says_filtered(std::string_view text) {
  return contains_any(text, {"content_filter", "content filtering", "content management policy",
                             "content_policy", "flagged", "moderation", "safety system"});
}

ErrorKind kind_of_status(int status, std::string_view lower_text) {
  if (status == 429 || status == 529) {
    // OpenAI says 429 too when the money is gone; no wait brings that back.
    return contains_any(lower_text, {"insufficient_quota"}) ? ErrorKind::Unauthorized
                                                            : ErrorKind::RateLimited;
  }
  if (status == 400 || status == 403 || status == 413 || status == 422) {
    if (says_too_long(lower_text)) return ErrorKind::ContextTooLong;
    if (says_filtered(lower_text)) return ErrorKind::Refused;
  }
  if (contains_any(lower_text, {"throttlingexception", "too many requests"}))
    return ErrorKind::RateLimited;
  if (status == 401 || status == 402 || status == 403 || status == 407)
    return ErrorKind::Unauthorized;
  if (status == 404 || status == 405 || status == 410 || (status >= 300 && status < 400))
    return ErrorKind::NotFound;
  if (status == 408 || status == 409 || status == 425 || status >= 500) return ErrorKind::Transient;
  if (status >= 400) return ErrorKind::Invalid;
  return ErrorKind::Transient;
}

// The sentence in an error body, whatever the provider calls it.
std::string find_error_text(std::string_view body) {
  const auto json = parse_json(body);
  if (!json) return std::string(trim(body));
  if (const Json* error = find_member(*json, "error")) {
    if (error->is_string()) return error->get<std::string>();
    std::string text = find_text(*error, "message").value_or(render_json(*error));
    if (const auto code = find_text(*error, "code")) text += " (" + *code + ")";
    return text;
  }
  for (const char* key : {"message", "Message", "detail", "title"})
    if (const auto text = find_text(*json, key)) return *text;
  return std::string(trim(body));
}

bool is_success(const http::Response& response) {
  return response.status >= 200 && response.status < 300;
}

class HttpModel : public Model {
 public:
  HttpModel(http::Client& client, std::unique_ptr<Wire> wire, HttpModelSetup setup)
      : client_(client), wire_(std::move(wire)), setup_(std::move(setup)) {}

  const Endpoint& endpoint() const override { return setup_.endpoint; }
  Features features() const override { return setup_.features; }

  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    std::unique_ptr<StreamReader> stream;
    if (delivery.on_text) stream = wire_->make_stream_reader();
    auto message = write(request, stream ? Streaming::Yes : Streaming::No);
    if (!message) co_return Attempt{std::unexpected(std::move(message).error()), {}};
    message->timeouts.total = std::min(message->timeouts.total, delivery.time_left);

    std::vector<Secret> secrets = secrets_in(message->url);
    secrets.insert(secrets.end(), message->secrets.begin(), message->secrets.end());
    Redactor redactor(secrets);  // a secret may be spread over several pieces of text
    const auto on_text = [&](std::string_view piece) {
      if (const std::string shown = redactor.feed(piece); !shown.empty()) delivery.on_text(shown);
    };
    SseReader events;
    Result<void> stream_state;
    bool has_streamed = false;
    if (stream)
      message->on_data = [&](std::string_view bytes) {
        events.feed(bytes, [&](std::string_view data) {
          has_streamed = true;
          if (!stream_state || data == "[DONE]") return;
          auto json = parse_json(make_utf8(data));
          if (json)
            stream_state = stream->read(*json, on_text);
          else
            stream_state = fail(ErrorKind::Transient, "the stream holds what is not JSON");
        });
      };

    auto response = co_await client_.send(std::move(*message), delivery.cancel);
    if (!response) co_return Attempt{std::unexpected(std::move(response).error()), {}};
    Attempt attempt{read(*response, stream.get(), stream_state), {}};
    // Bedrock does not say what answered; then it is what was asked.
    if (attempt.reply && attempt.reply->model.empty()) attempt.reply->model = setup_.endpoint.model;
    if (attempt.reply && stream) {
      if (const std::string rest = redactor.finish(); !rest.empty()) delivery.on_text(rest);
      attempt.reply->text = redactor.redact(attempt.reply->text);
    }
    attempt.pace = read_rate_headers(*response, std::chrono::system_clock::now());
    attempt.is_unavailable = response->status >= 502 && response->status <= 504;
    if (attempt.reply && delivery.on_text && !has_streamed) delivery.on_text(attempt.reply->text);
    co_return attempt;
  }

 private:
  Result<http::Request> write(const core::Request& request, Streaming streaming) const {
    ASSIGN_OR_RETURN(const Json body, wire_->make_body(request, setup_.endpoint.model, streaming));
    return make_message(setup_, setup_.address + wire_->path(setup_.endpoint.model, streaming),
                        body);
  }

  Result<core::Reply> read(const http::Response& response, StreamReader* stream,
                           const Result<void>& stream_state) const {
    // A server that cannot stream answers with the whole reply.
    const auto type = http::find_header(response, "content-type");
    if (stream && is_success(response) && !(type && type->starts_with("application/json"))) {
      RETURN_IF_ERROR(stream_state);
      return stream->finish();
    }
    ASSIGN_OR_RETURN(const Json json, read_json(response));
    return wire_->read_reply(json);
  }

  http::Client& client_;
  std::unique_ptr<Wire> wire_;
  HttpModelSetup setup_;
};

}  // namespace

Error read_http_error(int status, std::string_view body) {
  const std::string text = find_error_text(make_utf8(body.substr(0, 16384)));
  const ErrorKind kind = kind_of_status(status, lower(make_utf8(body.substr(0, 16384))));
  if (status >= 300 && status < 400)
    return {kind,
            fmt::format("HTTP {}: the server redirects elsewhere; correct the base URL", status)};
  if (text.empty()) return {kind, fmt::format("HTTP {}", status)};
  return {kind, fmt::format("HTTP {}: {}", status, printable(shorten(text, kLongestErrorText)))};
}

Result<http::Request> make_message(const HttpModelSetup& setup, std::string url, const Json& body) {
  http::Request message;
  message.url = std::move(url);
  message.headers = setup.headers;
  message.headers.push_back({"Content-Type", "application/json"});
  message.body = render_json(body);
  message.timeouts = setup.timeouts;
  RETURN_IF_ERROR(setup.authorize(message));
  return message;
}

Result<Json> read_json(const http::Response& response) {
  if (!is_success(response))
    return std::unexpected(read_http_error(response.status, response.body));
  auto json =
      is_utf8(response.body) ? parse_json(response.body) : parse_json(make_utf8(response.body));
  if (!json) return fail(ErrorKind::Transient, "the server's answer is {}", json.error().message);
  return json;
}

Authorize make_key_header(std::string header, std::string prefix, Secret key) {
  return [header = std::move(header), prefix = std::move(prefix),
          key = std::move(key)](http::Request& request) -> Result<void> {
    if (key.empty()) return {};
    request.headers.push_back({header, prefix + key.reveal()});
    request.secrets.push_back(key);
    return {};
  };
}

std::unique_ptr<Model> make_http_model(http::Client& client, std::unique_ptr<Wire> wire,
                                       HttpModelSetup setup) {
  return std::make_unique<HttpModel>(client, std::move(wire), std::move(setup));
}

}  // namespace personascope::llm
