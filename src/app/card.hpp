// Benchmark cards: what an evaluation is, on what data, with what risks, and what a run really
// used.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "app/context.hpp"
#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::app {

struct Card {
  std::string evaluation;  // "gym"
  Json head;               // name, version, licence, languages, sizes
  std::string text;        // Markdown: details, purpose, data, methodology, risks, ethics
  Json used;               // of a run: sizes, sources, hashes, models, judges; null without one
};

// The card of "gym", "bench" or "lens", and of the run if one is named: by default the newest of
// that evaluation that is done. Fails as NotFound or Invalid.
Result<Card> load_card(Context& context, const std::string& evaluation,
                       std::optional<std::int64_t> run);
Json to_json(const Card& card);

}  // namespace personascope::app
