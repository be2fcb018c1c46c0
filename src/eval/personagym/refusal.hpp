// Answers in which the model steps out and declines. A persona may well say no; only words that
// speak as a program or of what it may not do count, and from a persona that is itself a machine
// only the latter. An answer that leaves the role and then plays it all the same breaks character
// and does not decline. The rules are phrases, most of them English, and find about two refusals in
// three (refusal_test.cpp has the figures); judges are asked as well.
#pragma once

#include <string_view>

namespace personascope::eval::personagym {

bool declines_role(std::string_view answer, std::string_view persona);

}  // namespace personascope::eval::personagym
