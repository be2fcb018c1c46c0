#include "core/item.hpp"

#include <functional>

namespace personascope::core {
namespace {

constexpr const char* kText = "$call";
constexpr const char* kJson = "$call_json";
// A reference takes about as much space as this.
constexpr std::size_t kShortestText = 24;

// Replaces what `find` has a replacement for; what was replaced is not looked into.
void replace_values(Json& value, const std::function<std::optional<Json>(const Json&)>& find) {
  if (auto other = find(value)) {
    value = std::move(*other);
    return;
  }
  if (value.is_structured())
    for (Json& part : value) replace_values(part, find);
}

}  // namespace

Json to_json(const ItemRecord& item) {
  Json value = item.document.is_object() ? item.document : Json::object();
  value["id"] = item.id;
  value["position"] = item.position;
  value["cluster"] = item.cluster;
  value["label"] = item.label;
  value["outcome"] = name_of(item.outcome);
  value["score"] = nullptr;
  if (item.score) value["score"] = *item.score;
  if (!item.scores.is_null()) value["scores"] = item.scores;
  value["error"] = nullptr;
  if (item.error)
    value["error"] = {{"kind", name_of(item.error->kind)}, {"message", item.error->message}};
  return value;
}

void refer_to_calls(Json& document, const std::vector<std::string>& texts) {
  std::vector<Json> values(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i)
    if (texts[i].size() >= kShortestText &&
        texts[i].find_first_not_of(" \n\t") == texts[i].find('{'))
      if (auto parsed = parse_json(texts[i]); parsed && parsed->is_object())
        values[i] = std::move(*parsed);
  replace_values(document, [&](const Json& value) -> std::optional<Json> {
    if (value.is_string()) {
      const auto& text = value.get_ref<const std::string&>();
      if (text.size() < kShortestText) return std::nullopt;
      for (std::size_t i = 0; i < texts.size(); ++i)
        if (texts[i] == text) return Json{{kText, i}};
    }
    if (value.is_object())
      for (std::size_t i = 0; i < values.size(); ++i)
        if (!values[i].is_null() && values[i] == value) return Json{{kJson, i}};
    return std::nullopt;
  });
}

void resolve_calls(Json& document, const std::vector<std::string>& texts) {
  const auto find_place = [&](const Json& value, const char* name) -> std::optional<std::size_t> {
    const auto place = value.size() == 1 ? find_integer(value, name) : std::nullopt;
    if (!place) return std::nullopt;
    return *place >= 0 ? static_cast<std::size_t>(*place) : texts.size();
  };
  replace_values(document, [&](const Json& value) -> std::optional<Json> {
    if (!value.is_object()) return std::nullopt;
    if (const auto place = find_place(value, kText))
      return *place < texts.size() ? Json(texts[*place]) : Json();
    if (const auto place = find_place(value, kJson)) {
      const auto parsed = *place < texts.size() ? parse_json(texts[*place]) : Json();
      return parsed ? *parsed : Json();
    }
    return std::nullopt;
  });
}

}  // namespace personascope::core
