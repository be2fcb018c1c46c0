#include "run/explain.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::run {
namespace {

constexpr std::int64_t kCompared = 100;
constexpr std::size_t kExcerpt = 60;

// Endpoint, request and replicate as one value, with a pointer for each leaf.
Json flatten(const std::string& endpoint, const std::string& request,
             const std::string& replicate) {
  Json whole = Json::object();
  const auto add = [&whole](const char* name, const std::string& text) {
    if (auto value = parse_json(text)) whole[name] = std::move(*value);
  };
  add("endpoint", endpoint);
  add("request", request);
  add("replicate", replicate);
  return whole.flatten();
}

// The part of `text` where it begins to differ from `other`.
std::string excerpt(const std::string& text, const std::string& other) {
  if (text.size() <= 2 * kExcerpt) return text;
  const auto [end, unused] = std::ranges::mismatch(text, other);
  const auto at = static_cast<std::size_t>(end - text.begin());
  const std::size_t start = at > kExcerpt / 2 ? at - kExcerpt / 2 : 0;
  return (start > 0 ? "…" : "") + shorten(make_utf8(text.substr(start)), kExcerpt);
}

std::vector<Difference> compare(const Json& stored, const Json& wanted) {
  std::vector<Difference> differences;
  const auto text_of = [](const Json& flat, const std::string& place) {
    return flat.contains(place) ? render_json(flat[place]) : std::string();
  };
  const auto note = [&](const std::string& place) {
    const std::string a = text_of(stored, place);
    const std::string b = text_of(wanted, place);
    if (a != b) differences.push_back({place.substr(1), excerpt(a, b), excerpt(b, a)});
  };
  for (const auto& [place, value] : wanted.items()) note(place);
  for (const auto& [place, value] : stored.items())
    if (!wanted.contains(place)) note(place);
  return differences;
}

}  // namespace

Json to_json(const MissExplanation& explanation) {
  Json value = {{"item", explanation.item},
                {"role", explanation.role},
                {"nearest_item", nullptr},
                {"differences", Json::array()}};
  if (explanation.has_nearest) value["nearest_item"] = explanation.nearest_item;
  for (const Difference& difference : explanation.differences)
    value["differences"].push_back({{"place", difference.place},
                                    {"stored", difference.stored},
                                    {"wanted", difference.wanted}});
  return value;
}

Result<MissExplanation> explain_miss(store::Store& store, const llm::Miss& miss) {
  MissExplanation explanation;
  explanation.item = miss.draw.item;
  explanation.role = miss.draw.role;
  ASSIGN_OR_RETURN(auto candidates,
                   store.reader().load_calls(miss.draw.item, miss.draw.role, kCompared));
  if (candidates.empty()) {
    ASSIGN_OR_RETURN(candidates, store.reader().load_calls("", miss.draw.role, kCompared));
  }
  const Json wanted = flatten(miss.call.endpoint, miss.call.request, miss.call.replicate);
  for (const store::StoredCall& call : candidates) {
    auto differences = compare(flatten(call.endpoint, call.request, call.replicate), wanted);
    if (explanation.has_nearest && differences.size() >= explanation.differences.size()) continue;
    explanation.has_nearest = true;
    explanation.nearest_item = call.item;
    explanation.differences = std::move(differences);
  }
  return explanation;
}

}  // namespace personascope::run
