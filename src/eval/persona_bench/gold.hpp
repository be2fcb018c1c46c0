// Comparison pairs: two users, a question whose right answer differs between them, and the right
// answers, which are checked without a judge where they are a choice, a number or a set.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {

enum class GoldKind { Choice, Number, Set, Open };
// "choice", "number", "set", "open".
std::string_view name_of(GoldKind kind);

struct ComparisonPair {
  std::string id;
  std::array<Persona, 2> users;
  std::string question;
  GoldKind kind = GoldKind::Open;
  std::vector<std::string> options;  // of a choice or a set
  std::array<Json, 2> gold;
  std::string unit;
  double tolerance = 0;
};

// A JSONL file of pairs, as data/README.md describes it. Fails as NotFound or Invalid with the
// line.
Result<std::vector<ComparisonPair>> load_comparisons(const std::string& path);
// One of its lines.
Result<ComparisonPair> parse_comparison(const Json& line);

// Whether the answer is the right one for user 0 or 1; nothing where that takes a judge.
std::optional<bool> is_right(const ComparisonPair& pair, std::size_t user, const Json& answer);

// Whether two answers to the pair's question are one; a set has no order.
bool is_same_answer(const Json& one, const Json& other);

// The JSON schema of an answer, {"reason", "answer"}.
Json make_gold_schema(const ComparisonPair& pair, bool bounded);

// The right answer in words, for a judge.
std::string render_gold(const Json& gold);

}  // namespace personascope::eval::persona_bench
