#include "store/sqlite/logprobs_codec.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>

namespace personascope::store {
namespace {

// For every token: the chosen one, the number of alternatives, the alternatives. Each choice is the
// length of its token, the token, the logprob. Numbers are little-endian.
static_assert(std::endian::native == std::endian::little, "swap the bytes of numbers on this CPU");

template <class Number>
void put(std::string& bytes, Number number) {
  char raw[sizeof(Number)];
  std::memcpy(raw, &number, sizeof(Number));
  bytes.append(raw, sizeof(Number));
}

void put(std::string& bytes, const core::TokenChoice& choice) {
  put(bytes, static_cast<std::uint32_t>(choice.token.size()));
  bytes += choice.token;
  put(bytes, choice.logprob);
}

template <class Number>
std::optional<Number> take(std::string_view& bytes) {
  if (bytes.size() < sizeof(Number)) return std::nullopt;
  Number number;
  std::memcpy(&number, bytes.data(), sizeof(Number));
  bytes.remove_prefix(sizeof(Number));
  return number;
}

std::optional<core::TokenChoice> take_choice(std::string_view& bytes) {
  const auto size = take<std::uint32_t>(bytes);
  if (!size || bytes.size() < *size) return std::nullopt;
  core::TokenChoice choice;
  choice.token = bytes.substr(0, *size);
  bytes.remove_prefix(*size);
  const auto logprob = take<double>(bytes);
  if (!logprob) return std::nullopt;
  choice.logprob = *logprob;
  return choice;
}

std::optional<core::TokenLogprobs> take_token(std::string_view& bytes) {
  auto chosen = take_choice(bytes);
  if (!chosen) return std::nullopt;
  core::TokenLogprobs token{std::move(*chosen), {}};
  const auto count = take<std::uint32_t>(bytes);
  if (!count) return std::nullopt;
  for (std::uint32_t i = 0; i < *count; ++i) {
    auto choice = take_choice(bytes);
    if (!choice) return std::nullopt;
    token.top.push_back(std::move(*choice));
  }
  return token;
}

}  // namespace

std::string render_logprobs(const std::vector<core::TokenLogprobs>& tokens) {
  std::string bytes;
  for (const core::TokenLogprobs& token : tokens) {
    put(bytes, token.chosen);
    put(bytes, static_cast<std::uint32_t>(token.top.size()));
    for (const core::TokenChoice& choice : token.top) put(bytes, choice);
  }
  return bytes;
}

Result<std::vector<core::TokenLogprobs>> parse_logprobs(std::string_view bytes) {
  std::vector<core::TokenLogprobs> tokens;
  while (!bytes.empty()) {
    auto token = take_token(bytes);
    if (!token) return fail(ErrorKind::Storage, "stored log-probabilities are damaged");
    tokens.push_back(std::move(*token));
  }
  return tokens;
}

}  // namespace personascope::store
