// Anthropic's Messages API.
#pragma once

#include <memory>

#include "llm/providers/wire.hpp"

namespace personascope::llm {

std::unique_ptr<Wire> make_anthropic_wire();

}  // namespace personascope::llm
