#include "llm/providers/vllm.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "llm/providers/http_error.hpp"
#include "llm/providers/rate_headers.hpp"

namespace personascope::llm {
namespace {

// What vLLM writes for minus infinity, which JSON has no word for.
constexpr double kNoChance = -9999;

// What a server writes for the bytes of a character that a token holds only in part.
constexpr std::string_view kPartOfCharacter = "\uFFFD";
// A token has at least a byte, except for a few that some tokenizers put in front.
constexpr std::size_t kMostWithoutBytes = 8;

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_ascii(char c) {
  return static_cast<unsigned char>(c) < 0x80;
}

// Gives tokens back the blanks that some tokenizers drop from a piece: the piece as it stands in
// the text, if it comes next there, else as the server wrote it.
class Aligner {
 public:
  explicit Aligner(std::string_view text) : rest_(text) {}

  std::string place(std::string piece) {
    if (piece.find(kPartOfCharacter) != std::string::npos) {
      pass_characters();
      return piece;
    }
    std::string_view rest = rest_;
    while (!rest.starts_with(piece)) {
      if (rest.empty() || !is_blank(rest.front())) return piece;
      rest.remove_prefix(1);
    }
    const std::size_t length = rest_.size() - rest.size() + piece.size();
    piece = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return piece;
  }

 private:
  // Those that come next and may be in several tokens: which of them is not known.
  void pass_characters() {
    const auto first = std::ranges::find_if_not(rest_, is_blank);
    const auto end = std::find_if(first, rest_.end(), is_ascii);
    if (first != end) rest_.remove_prefix(static_cast<std::size_t>(end - rest_.begin()));
  }

  std::string_view rest_;
};

class VllmModel : public Model {
 public:
  VllmModel(http::Client& client, std::unique_ptr<Wire> wire, HttpModelSetup setup)
      : client_(client), setup_(setup) {
    chat_ = make_http_model(client, std::move(wire), std::move(setup));
  }

  const Endpoint& endpoint() const override { return setup_.endpoint; }
  Features features() const override { return setup_.features; }

  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    if (!request.continuation) co_return co_await chat_->ask(request, std::move(delivery));
    Attempt attempt;
    attempt.reply = co_await read(request, delivery, attempt.pace);
    if (attempt.reply && attempt.reply->model.empty()) attempt.reply->model = setup_.endpoint.model;
    if (attempt.reply && delivery.on_text) delivery.on_text(attempt.reply->text);
    co_return attempt;
  }

 private:
  Task<Result<core::Reply>> read(const core::Request& request, const Delivery& delivery,
                                 sched::PaceHint& pace) {
    const auto begin = SteadyClock::now();
    const auto send = [&](std::string url, const Json& body) {
      const auto spent = std::chrono::ceil<milliseconds>(SteadyClock::now() - begin);
      return post(std::move(url), body, delivery.time_left - spent, delivery.cancel, pace);
    };
    const bool goes_on =
        !request.messages.empty() && request.messages.back().role == core::Role::Assistant;
    Json chat = {{"model", setup_.endpoint.model},
                 {"messages", Json::array()},
                 {"add_generation_prompt", !goes_on},
                 {"continue_final_message", goes_on}};
    for (const core::Message& message : request.messages)
      chat["messages"].push_back(
          {{"role", core::name_of(message.role)}, {"content", message.content}});
    CO_ASSIGN_OR_RETURN(VllmTokens prompt, read_tokens(co_await send(tokenize_url(), chat)));
    if (prompt.ids.empty())
      co_return fail(ErrorKind::Unparsable, "the server's /tokenize found nothing in the messages");
    const Json bare = {{"model", setup_.endpoint.model},
                       {"prompt", *request.continuation},
                       {"add_special_tokens", false}};
    CO_ASSIGN_OR_RETURN(const VllmTokens text, read_tokens(co_await send(tokenize_url(), bare)));
    if (request.continuation->empty())
      co_return fail(ErrorKind::Invalid, "the text to be read has no tokens");
    if (text.ids.empty() || text.ids.size() > request.continuation->size() + kMostWithoutBytes)
      co_return fail(ErrorKind::Unparsable,
                     "the server's /tokenize cut a text of {} bytes into {} tokens",
                     request.continuation->size(), text.ids.size());
    std::vector<std::int64_t>& tokens = prompt.ids;
    tokens.insert(tokens.end(), text.ids.begin(), text.ids.end());
    // It always generates one token, which is thrown away but must fit.
    if (prompt.longest && *prompt.longest > 0 && std::ssize(tokens) >= *prompt.longest)
      co_return fail(ErrorKind::ContextTooLong,
                     "prompt and text have {} tokens; with the one it adds, the server's model "
                     "holds at most {}",
                     tokens.size(), *prompt.longest);
    const Json scoring = {{"model", setup_.endpoint.model},
                          {"prompt", tokens},
                          {"prompt_logprobs", 0},
                          {"max_tokens", 1},
                          {"temperature", 0}};
    CO_ASSIGN_OR_RETURN(const Json scores, co_await send(setup_.address + "/completions", scoring));
    co_return read_vllm_scores(scores, tokens, text.ids.size(), *request.continuation);
  }

  static Result<VllmTokens> read_tokens(const Result<Json>& answer) {
    if (answer) return read_vllm_tokens(*answer);
    if (answer.error().kind != ErrorKind::NotFound) return std::unexpected(answer.error());
    return fail(ErrorKind::NotFound,
                "reading a text takes vLLM's /tokenize, which is looked for beside the base URL's "
                "/v1: {}",
                answer.error().message);
  }

  std::string tokenize_url() const {
    std::string_view root = setup_.address;
    if (root.ends_with("/v1")) root.remove_suffix(3);
    return fmt::format("{}/tokenize", root);
  }

  Task<Result<Json>> post(std::string url, Json body, milliseconds time_left, sched::Cancel* cancel,
                          sched::PaceHint& pace) {
    if (time_left <= milliseconds(0))
      co_return fail(ErrorKind::Timeout, "there was no time left to read the text");
    CO_ASSIGN_OR_RETURN(http::Request message, make_message(setup_, url, body));
    message.timeouts.total = std::min(message.timeouts.total, time_left);
    CO_ASSIGN_OR_RETURN(const auto response, co_await client_.send(std::move(message), cancel));
    pace = read_rate_headers(response, std::chrono::system_clock::now());
    auto json = read_json(response, url);
    const Json* error = json ? find_member(*json, "error") : nullptr;
    if (error) co_return std::unexpected(read_reported_error(*error));
    co_return json;
  }

  http::Client& client_;
  HttpModelSetup setup_;
  std::unique_ptr<Model> chat_;
};

}  // namespace

std::unique_ptr<Model> make_vllm_model(http::Client& client, std::unique_ptr<Wire> wire,
                                       HttpModelSetup setup) {
  return std::make_unique<VllmModel>(client, std::move(wire), std::move(setup));
}

Result<VllmTokens> read_vllm_tokens(const Json& body) {
  const Json* tokens = find_member(body, "tokens");
  const auto is_token = [](const Json& token) {
    return token.is_number_unsigned() && std::in_range<std::int64_t>(token.get<std::uint64_t>());
  };
  if (!tokens || !tokens->is_array() || !std::ranges::all_of(*tokens, is_token))
    return fail(ErrorKind::Unparsable, "the answer of the server's /tokenize holds no tokens");
  return VllmTokens{tokens->get<std::vector<std::int64_t>>(), find_integer(body, "max_model_len")};
}

Result<core::Reply> read_vllm_scores(const Json& body, const std::vector<std::int64_t>& tokens,
                                     std::size_t text_tokens, const std::string& text) {
  const Json* choices = find_member(body, "choices");
  const Json* scores = choices && choices->is_array() && !choices->empty()
                           ? find_member(choices->front(), "prompt_logprobs")
                           : nullptr;
  if (!scores || !scores->is_array())
    return fail(ErrorKind::Unsupported,
                "the server gave no prompt_logprobs, so it cannot say how likely a text is: is it "
                "vLLM?");
  if (scores->size() != tokens.size())
    return fail(ErrorKind::Unparsable, "the server was sent {} tokens and scored {}", tokens.size(),
                scores->size());
  core::Reply reply;
  Aligner aligner(text);
  const std::size_t begin = tokens.size() - text_tokens;
  for (std::size_t i = begin; i < tokens.size(); ++i) {
    const std::size_t place = i - begin + 1;  // as people count
    const Json* score = find_member((*scores)[i], std::to_string(tokens[i]));
    if (!score)
      return fail(ErrorKind::Unparsable,
                  "the server did not score token {} of the text's {}, but another or none", place,
                  text_tokens);
    const auto logprob = find_number(*score, "logprob");
    if (!logprob || !(*logprob <= 0))
      return fail(ErrorKind::Unparsable,
                  "the server gave no log-probability for token {} of the text's {}", place,
                  text_tokens);
    if (*logprob <= kNoChance)
      return fail(ErrorKind::Invalid,
                  "to this model token {} of the text's {} is impossible, so the text has no "
                  "likelihood",
                  place, text_tokens);
    std::string piece = aligner.place(find_text(*score, "decoded_token").value_or(""));
    reply.logprobs.push_back({{std::move(piece), *logprob}, {}});
  }
  reply.text = text;
  reply.model = find_text(body, "model").value_or("");
  const Json* usage = find_member(body, "usage");
  reply.usage = {find_count(usage, "prompt_tokens"), find_count(usage, "completion_tokens"), {}};
  return reply;
}

}  // namespace personascope::llm
