// Reads the results that a run stored, which may be of another version or damaged: members that are
// missing or of another type are read as nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "core/findings.hpp"
#include "core/metric.hpp"

namespace personascope::core {

// The member, or null.
const Json& get_member(const Json& value, std::string_view key);
// The text, or an empty one.
std::string get_text(const Json& value, std::string_view key);

// The texts of a list.
std::vector<std::string> list_texts(const Json& value, std::string_view key);

// An estimate as summaries store it: its number is "mean", "rate", "value", "delta" or
// "difference" (the last two are differences), its interval "ci95" or "interval".
Metric read_estimate(const Json& estimate, std::string name, std::string group, std::string unit);

// {"mean": estimate or null, "counts", "bounds", "why_no_mean"}, as judges' scores are stored.
Metric read_judged_score(const Json& score, std::string name, std::string group);

// The "caveats" of an estimate as warnings about `subject`.
void add_caveats(Findings& findings, const Json& estimate, const std::string& subject = "");

// The "notes" of results.
void add_stored_notes(Findings& findings, const Json& results);

}  // namespace personascope::core
