#include "llm/providers/http_model.hpp"

#include <algorithm>

#include "base/text.hpp"
#include "llm/providers/http_error.hpp"
#include "llm/providers/rate_headers.hpp"
#include "llm/providers/sse.hpp"

namespace personascope::llm {
namespace {

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
            stream_state = fail(ErrorKind::Transient, "the stream contains data that is not JSON");
        });
      };

    const std::string url = message->url;
    auto response = co_await client_.send(std::move(*message), delivery.cancel);
    if (!response) co_return Attempt{std::unexpected(std::move(response).error()), {}};
    StreamReader* const streamed = has_streamed ? stream.get() : nullptr;
    Attempt attempt{read(*response, url, streamed, stream_state), {}};
    // Bedrock does not say what answered; then it is what was asked.
    if (attempt.reply && attempt.reply->model.empty()) attempt.reply->model = setup_.endpoint.model;
    if (attempt.reply && stream) {
      if (const std::string rest = redactor.finish(); !rest.empty()) delivery.on_text(rest);
      attempt.reply->text = redactor.redact(attempt.reply->text);
      attempt.reply->thinking = redactor.redact(attempt.reply->thinking);
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

  // `stream` is null if no event came: a server that cannot stream answers with the whole reply.
  Result<core::Reply> read(const http::Response& response, const std::string& url,
                           StreamReader* stream, const Result<void>& stream_state) const {
    const auto type = http::find_header(response, "content-type");
    if (stream && is_success(response) && !(type && type->starts_with("application/json"))) {
      RETURN_IF_ERROR(stream_state);
      return stream->finish();
    }
    ASSIGN_OR_RETURN(const Json json, read_json(response, url));
    return wire_->read_reply(json);
  }

  http::Client& client_;
  std::unique_ptr<Wire> wire_;
  HttpModelSetup setup_;
};

}  // namespace

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
