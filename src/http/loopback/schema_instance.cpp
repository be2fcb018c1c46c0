#include "http/loopback/schema_instance.hpp"

#include <algorithm>
#include <cmath>

#include "base/random.hpp"

namespace personascope::http::loopback {
namespace {

constexpr int kMostDepth = 16;
constexpr int kMostValues = 1'000;
constexpr std::int64_t kMostItems = 100;
constexpr double kMostBound = 1e15;
constexpr double kMostRange = 10;

class Instance {
 public:
  Instance(const Json& root, std::uint64_t seed) : root_(root), random_(seed, "schema instance") {}

  Json make(const Json& schema, int depth) {
    if (depth > kMostDepth || ++values_ > kMostValues || !schema.is_object()) return nullptr;
    if (const Json* value = find_member(schema, "const")) return *value;
    if (const Json* values = find_list(schema, "enum"))
      return (*values)[random_.below(values->size())];
    for (const char* const choice : {"anyOf", "oneOf"})
      if (const Json* options = find_list(schema, choice)) return make(options->front(), depth + 1);
    if (const auto reference = find_text(schema, "$ref")) return make_referred(*reference, depth);
    return make_typed(type_of(schema), schema, depth);
  }

 private:
  static const Json* find_list(const Json& schema, std::string_view key) {
    const Json* list = find_member(schema, key);
    return list && list->is_array() && !list->empty() ? list : nullptr;
  }

  static std::string type_of(const Json& schema) {
    if (const Json* types = find_list(schema, "type"))
      return types->front().is_string() ? types->front().get<std::string>() : "null";
    return find_text(schema, "type").value_or(schema.contains("properties") ? "object" : "null");
  }

  Json make_referred(const std::string& reference, int depth) {
    if (!reference.starts_with("#")) return nullptr;
    try {
      const Json::json_pointer pointer(reference.substr(1));
      return root_.contains(pointer) ? make(root_.at(pointer), depth + 1) : Json();
    } catch (const Json::exception&) {
      return nullptr;
    }
  }

  Json make_typed(const std::string& type, const Json& schema, int depth) {
    if (type == "object") return make_object(schema, depth);
    if (type == "array") return make_array(schema, depth);
    if (type == "string") return "text " + std::to_string(random_.below(1000));
    if (type == "boolean") return random_.below(2) == 1;
    if (type == "integer" || type == "number") return make_integer(schema);
    return nullptr;
  }

  Json make_object(const Json& schema, int depth) {
    Json object = Json::object();
    const Json* properties = find_member(schema, "properties");
    if (properties && properties->is_object())
      for (const auto& [name, property] : properties->items())
        object[name] = make(property, depth + 1);
    return object;
  }

  Json make_array(const Json& schema, int depth) {
    Json array = Json::array();
    const Json* items = find_member(schema, "items");
    if (!items) return array;
    const auto count =
        std::clamp<std::int64_t>(find_integer(schema, "minItems").value_or(1), 1, kMostItems);
    for (std::int64_t i = 0; i < count; ++i) array.push_back(make(*items, depth + 1));
    return array;
  }

  // A whole number is a number too.
  Json make_integer(const Json& schema) {
    const auto bound = [&](const char* key, double otherwise) {
      return std::clamp(find_number(schema, key).value_or(otherwise), -kMostBound, kMostBound);
    };
    const double most = bound("maximum", kMostBound);
    const double low = std::ceil(bound("minimum", std::min(0.0, most)));
    const double range = std::clamp(std::floor(most) - low, 0.0, kMostRange);
    return static_cast<std::int64_t>(low) +
           static_cast<std::int64_t>(random_.below(static_cast<std::uint64_t>(range) + 1));
  }

  const Json& root_;
  Random random_;
  int values_ = 0;
};

}  // namespace

Json make_instance(const Json& schema, std::uint64_t seed) {
  return Instance(schema, seed).make(schema, 0);
}

}  // namespace personascope::http::loopback
