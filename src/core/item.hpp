// An item of a run as it is stored: small fields to filter, sort and page by, and a document with
// all its contents.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "core/outcome.hpp"

namespace personascope::core {

struct ItemRecord {
  std::int64_t position = 0;  // from 0, in the order of the run's items
  std::string id;             // unique within the run
  std::string cluster;        // the persona or user that it belongs to; empty: none
  std::string label;          // what it is grouped by: a task, a mode, a domain
  Outcome outcome = Outcome::Answered;
  std::optional<double> score{};
  Json scores{};                 // by name, where an item has several: {"personalization": 3}
  Json judges{};                 // by judge, where several scored it: {"openai/gpt-4o": 4}
  std::optional<Error> error{};  // of a Failed; of a Refused, the reason if one is known
  // A JSON object: question, answer or dialogue, persona, judgements. Items of one evaluation have
  // the same members; what does not apply is null.
  Json document{};
};

// Copies of id, outcome, score(s), judge scores and error, as members beside the document's own:
// {"id", "position", "cluster", "label", "outcome", "score", "error", ...}. Every item of one
// evaluation has the same members.
Json to_json(const ItemRecord& item);

// A call that an item was made from.
struct CallLink {
  Digest key{};
  std::string purpose;  // what it was asked for, if not simply the item: "canary/empty/p1/2"
};

// A document need not repeat what the journal has. refer_to_calls() replaces every string
// that equals texts[n] by {"$call": n}, and every object whose JSON is texts[n] by
// {"$call_json": n}; resolve_calls() reverses this. A reference to a missing text becomes
// null.
void refer_to_calls(Json& document, const std::vector<std::string>& texts);
void resolve_calls(Json& document, const std::vector<std::string>& texts);

}  // namespace personascope::core
