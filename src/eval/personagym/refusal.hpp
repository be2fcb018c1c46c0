// Answers in which the model leaves its role and declines. A persona may say no; only phrases that
// speak as a program, or about what a program may not do, count, and for a persona that is itself a
// machine only the latter. An answer that leaves the role and then plays it anyway breaks character
// but does not decline, and text in quotation marks does not count. The rules are phrases, most of
// them English: of the 25 refusals in data/gym/refusals.jsonl they find 18. Judges are asked too.
#pragma once

#include <string_view>

namespace personascope::eval::personagym {

bool declines_role(std::string_view answer, std::string_view persona);

}  // namespace personascope::eval::personagym
