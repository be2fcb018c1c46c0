// The line-up: the personas among which the likelihood judge must tell an answer's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace personascope::eval::personagym {

// For each of the first `own` texts, the places of its candidates, itself among them. They come in
// groups whose members are each other's candidates, so that every candidate is also read under
// answers that are not its own: else centring a persona's scores by their mean would take away the
// very thing that is looked for. A group has up to four: a persona, the one most like it, and two
// drawn by seed. With fewer than four of their own, the others are filled up from the rest.
std::vector<std::vector<std::size_t>> make_line_ups(const std::vector<std::string>& texts,
                                                    std::size_t own, std::uint64_t seed);

}  // namespace personascope::eval::personagym
