// The error that an answer stands for. Input: the status, "----", the body.
#include "llm/providers/http_error.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(http_error, bytes) {
  const auto [status, body] = fuzz::cut(bytes);
  const long long number = find_integer_in(status).value_or(500);
  const Error error = llm::read_http_error(static_cast<int>(number % 1000), body);
  fuzz::require_printable(error);
  fuzz::require(error.message.size() < 2000, "an error's message is short");
}
