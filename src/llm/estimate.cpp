#include "llm/estimate.hpp"

#include <algorithm>

#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

constexpr std::int64_t kBytesPerToken = 3;
constexpr std::int64_t kTokensPerMessage = 6;  // role marks and separators of a chat template
constexpr std::int64_t kAssumedOutput = 4096;  // what providers that need a limit are given too
constexpr std::int64_t kLikelyOutput = 1024;
constexpr std::int64_t kMostOutput = 1'000'000'000;  // sums of sizes must not overflow

}  // namespace

CallSize estimate_size(const core::Request& request) {
  std::int64_t bytes = 0;
  for (const core::Message& message : request.messages)
    bytes += static_cast<std::int64_t>(message.content.size());
  if (request.output)
    bytes += static_cast<std::int64_t>(render_json(request.output->schema).size());
  if (request.continuation) bytes += static_cast<std::int64_t>(request.continuation->size());
  const bool is_only_read = request.continuation || !request.choices.empty();
  const auto messages = static_cast<std::int64_t>(request.messages.size());
  return {bytes / kBytesPerToken + messages * kTokensPerMessage + 1,
          is_only_read
              ? 0
              : std::min(request.sampling.max_tokens.value_or(kAssumedOutput), kMostOutput) +
                    thinking_room(request)};
}

std::int64_t likely_tokens(const CallSize& size) {
  return size.input_tokens + std::min(size.output_tokens, kLikelyOutput);
}

}  // namespace personascope::llm
