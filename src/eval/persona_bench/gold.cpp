#include "eval/persona_bench/gold.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "base/text.hpp"
#include "files/line_reader.hpp"
#include "files/row_reader.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::pair<GoldKind, std::string_view> kGoldKinds[] = {{GoldKind::Choice, "choice"},
                                                                {GoldKind::Number, "number"},
                                                                {GoldKind::Set, "set"},
                                                                {GoldKind::Open, "open"}};
constexpr const char* kUsers[] = {"a", "b"};

bool is_word(const Json& value) {
  return value.is_string() || value.is_number();
}

// Options and golds that are numbers are the texts of these.
Json number_texts(const Json& value) {
  if (value.is_number()) return files::cell_text(value);
  if (!value.is_array()) return value;
  Json words = Json::array();
  for (const Json& one : value) words.push_back(number_texts(one));
  return words;
}

Result<Persona> parse_user(const Json& line, const char* member) {
  const Json* value = find_member(line, member);
  Persona persona;
  if (value && value->is_object())
    for (const auto& [name, text] : value->items()) {
      if (!is_word(text))
        return fail(ErrorKind::Invalid, "\"{}\" of \"{}\" must be a text or a number",
                    printable(name), member);
      persona.attributes.emplace_back(name, files::cell_text(text));
    }
  if (persona.attributes.empty())
    return fail(ErrorKind::Invalid, "\"{}\" must be a user: attributes with texts", member);
  sort_attributes(persona);
  return persona;
}

std::set<std::string> read_set(const Json& list) {
  std::set<std::string> set;
  for (const Json& entry : list)
    if (entry.is_string()) set.insert(entry.get<std::string>());
  return set;
}

// Whether the gold is of the pair's kind, and among its options.
bool fits(const ComparisonPair& pair, const Json& gold) {
  const auto is_option = [&](const Json& text) {
    return text.is_string() &&
           std::ranges::find(pair.options, text.get<std::string>()) != pair.options.end();
  };
  switch (pair.kind) {
    case GoldKind::Choice:
      return is_option(gold);
    case GoldKind::Number:
      return gold.is_number();
    case GoldKind::Set:
      return gold.is_array() && std::ranges::all_of(gold, is_option);
    case GoldKind::Open:
      break;
  }
  return gold.is_string() && !trim(gold.get<std::string>()).empty();
}

}  // namespace

std::string_view name_of(GoldKind kind) {
  return std::ranges::find(kGoldKinds, kind, [](const auto& entry) { return entry.first; })->second;
}

Result<ComparisonPair> parse_comparison(const Json& line) {
  ComparisonPair pair;
  pair.id = find_text(line, "id").value_or("");
  pair.question = find_text(line, "question").value_or("");
  if (trim(pair.id).empty() || trim(pair.question).empty())
    return fail(ErrorKind::Invalid, "\"id\" and \"question\" must be texts");
  const std::string kind = find_text(line, "kind").value_or("");
  const auto known =
      std::ranges::find(kGoldKinds, kind, [](const auto& entry) { return entry.second; });
  if (known == std::end(kGoldKinds))
    return fail(ErrorKind::Invalid, "\"kind\" must be choice, number, set or open");
  pair.kind = known->first;
  if (const Json* options = find_member(line, "options"); options && !options->is_null()) {
    if (!options->is_array() || !std::ranges::all_of(*options, is_word))
      return fail(ErrorKind::Invalid, "\"options\" must be a list of texts or numbers");
    for (const Json& option : *options) pair.options.push_back(files::cell_text(option));
  }
  pair.unit = find_text(line, "unit").value_or("");
  if (const Json* tolerance = find_member(line, "tolerance"); tolerance && !tolerance->is_null()) {
    if (!tolerance->is_number() || *tolerance < 0)
      return fail(ErrorKind::Invalid, "\"tolerance\" must be a number of 0 or more");
    pair.tolerance = tolerance->get<double>();
  }
  const Json* gold = find_member(line, "gold");
  for (std::size_t user = 0; user < 2; ++user) {
    ASSIGN_OR_RETURN(pair.users[user], parse_user(line, kUsers[user]));
    const Json* given = gold ? find_member(*gold, kUsers[user]) : nullptr;
    const bool in_words = pair.kind == GoldKind::Choice || pair.kind == GoldKind::Set;
    Json own = given ? *given : Json(nullptr);
    if (in_words) own = number_texts(own);
    if (!fits(pair, own))
      return fail(ErrorKind::Invalid, "the gold of \"{}\" is not a {}{}", kUsers[user], kind,
                  pair.options.empty() ? "" : " out of the options");
    pair.gold[user] = std::move(own);
  }
  if (is_right(pair, 0, pair.gold[1]).value_or(pair.gold[0] == pair.gold[1]))
    return fail(ErrorKind::Invalid, "both users have the same gold");
  return pair;
}

Result<std::vector<ComparisonPair>> load_comparisons(const std::string& path) {
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(path));
  std::vector<ComparisonPair> pairs;
  std::set<std::string> ids;
  for (;;) {
    ASSIGN_OR_RETURN(const auto line, reader.next());
    if (!line) break;
    const auto value = parse_json(*line);
    auto pair = value ? parse_comparison(*value)
                      : Result<ComparisonPair>(fail(ErrorKind::Invalid, "this is not JSON"));
    if (pair && !ids.insert(pair->id).second)
      pair = fail(ErrorKind::Invalid, "the id {} is used twice", printable(pair->id));
    if (!pair)
      return fail(ErrorKind::Invalid, "{}, line {}: {}", printable(path), reader.line_number(),
                  pair.error().message);
    pairs.push_back(std::move(*pair));
  }
  if (pairs.empty()) return fail(ErrorKind::Invalid, "{} has no pairs", printable(path));
  return pairs;
}

std::optional<bool> is_right(const ComparisonPair& pair, std::size_t user, const Json& answer) {
  const Json& gold = pair.gold[user];
  switch (pair.kind) {
    case GoldKind::Choice:
      return answer == gold;
    case GoldKind::Number:
      // Room for the rounding of decimals, beyond what the pair allows.
      return answer.is_number() && std::abs(answer.get<double>() - gold.get<double>()) <=
                                       pair.tolerance + 1e-9 * std::abs(gold.get<double>());
    case GoldKind::Set:
      return answer.is_array() && read_set(answer) == read_set(gold);
    case GoldKind::Open:
      break;
  }
  return std::nullopt;
}

bool is_same_answer(const Json& one, const Json& other) {
  if (one.is_array() && other.is_array()) return read_set(one) == read_set(other);
  return one == other;
}

Json make_gold_schema(const ComparisonPair& pair, bool bounded) {
  Json text = {{"type", "string"}};
  if (bounded) text["maxLength"] = 200;
  Json answer = text;
  if (pair.kind == GoldKind::Choice) answer = {{"type", "string"}, {"enum", pair.options}};
  if (pair.kind == GoldKind::Number) answer = {{"type", "number"}};
  if (pair.kind == GoldKind::Set)
    answer = {{"type", "array"},
              {"items", {{"type", "string"}, {"enum", pair.options}}},
              {"maxItems", pair.options.size()}};
  return {{"type", "object"},
          {"properties", {{"reason", text}, {"answer", answer}}},
          {"required", {"reason", "answer"}},
          {"additionalProperties", false}};
}

std::string render_gold(const Json& gold) {
  return gold.is_string() ? gold.get<std::string>() : render_json(gold);
}

}  // namespace personascope::eval::persona_bench
