// Answers in which the model steps out and declines. A persona may well say no; only words that
// speak as a program or of what it may not do count, and from a persona that is itself a machine
// only the latter. An answer that leaves the role and then plays it all the same breaks character
// and does not decline, and what stands in quotation marks does not count. The rules are phrases,
// most of them English: of the 25 refusals in data/gym/refusals.jsonl they find 18. Judges are asked
// as well.
#pragma once

#include <string_view>

namespace personascope::eval::personagym {

bool declines_role(std::string_view answer, std::string_view persona);

}  // namespace personascope::eval::personagym
