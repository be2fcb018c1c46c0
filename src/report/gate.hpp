// Gates: conditions that a run must meet, for scripts and CI. A gate that cannot be decided is not
// passed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/outcome.hpp"

namespace personascope::report {

enum class GateEnd { Passed, Missed, Undecided };
std::string_view name_of(GateEnd end);

struct GateCheck {
  std::string name;  // "score", "refused"
  GateEnd end = GateEnd::Passed;
  std::string sentence;  // with the number and the limit
};

// What the checks amount to: undecided if one is, else missed if one is, else passed.
GateEnd end_of(const std::vector<GateCheck>& checks);

// A limit of items: below 1 a share of them, else a number.
bool exceeds(std::int64_t count, std::int64_t items, double limit);

// "4 of 100 items were refused (4 %), limit 2 %". `outcome` is missed above its limit: Undecided
// for failures, Missed for the rest.
GateCheck check_share(const std::string& subject, core::Outcome outcome, std::int64_t count,
                      std::int64_t items, double limit);

Json to_json(const std::vector<GateCheck>& checks);

// A JUnit document with a test case for each check; undecided ones are errors, missed ones
// failures.
std::string render_junit(const std::string& suite, const std::vector<GateCheck>& checks);

}  // namespace personascope::report
