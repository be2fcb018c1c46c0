// Answers in which the model steps out and declines. A persona may well say no; only words that
// speak as a program or of what it may not do count.
#pragma once

#include <string_view>

namespace personascope::eval::personagym {

bool declines_role(std::string_view answer);

}  // namespace personascope::eval::personagym
