// Log-probabilities as bytes. JSON would lose what models really give: tokens that are a part of a
// character, and minus infinity.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/reply.hpp"

namespace personascope::store {

std::string render_logprobs(const std::vector<core::TokenLogprobs>& tokens);
// Fails as Storage on bytes that render_logprobs() did not make.
Result<std::vector<core::TokenLogprobs>> parse_logprobs(std::string_view bytes);

}  // namespace personascope::store
