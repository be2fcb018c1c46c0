// The bench's stored results as findings.
#pragma once

#include <string>

#include "base/json.hpp"
#include "core/findings.hpp"

namespace personascope::eval::persona_bench {

// Of all modes, of both protocols, and of written personas ("bench/personas").
core::Findings describe_bench(const Json& results);

// [{"first", "second", an estimate of second minus first}] as a list of differences.
void add_comparisons(core::Findings& findings, std::string title, const Json& rows);

// The part that belongs to the mode.
void add_mode(core::Findings& findings, const Json& results);

}  // namespace personascope::eval::persona_bench
