#include "llm/json_schema.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::llm {
namespace {

// A schema may refer to itself without end, and in several places at once.
constexpr int kDeepest = 100;
constexpr int kMostSteps = 50'000;

bool is_type(const std::string& type, const Json& value) {
  if (type == "object") return value.is_object();
  if (type == "array") return value.is_array();
  if (type == "string") return value.is_string();
  if (type == "boolean") return value.is_boolean();
  if (type == "null") return value.is_null();
  if (type == "number") return value.is_number();
  if (type == "integer") return find_integer(Json{{"v", value}}, "v").has_value();
  return true;  // not a type the standard knows
}

std::size_t length_of(const std::string& text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

class Checker {
 public:
  explicit Checker(const Json& root) : root_(root) {}

  Result<void> check(const Json& schema, const Json& value, const std::string& place, int depth) {
    if (depth > kDeepest || ++steps_ > kMostSteps) return wrong(place, "is nested too deep");
    if (schema.is_boolean())
      return schema.get<bool>() ? Result<void>{} : wrong(place, "is not allowed");
    if (!schema.is_object()) return {};
    if (const auto reference = find_text(schema, "$ref")) {
      const Json* target = find_target(*reference);
      if (target) RETURN_IF_ERROR(check(*target, value, place, depth + 1));
    }
    RETURN_IF_ERROR(check_kind(schema, value, place));
    RETURN_IF_ERROR(check_bounds(schema, value, place));
    if (value.is_object()) RETURN_IF_ERROR(check_members(schema, value, place, depth));
    if (value.is_array()) RETURN_IF_ERROR(check_items(schema, value, place, depth));
    return check_combinations(schema, value, place, depth);
  }

 private:
  static std::unexpected<Error> wrong(const std::string& place, const std::string& what) {
    return fail(ErrorKind::Unparsable, "{} {}", place.empty() ? "the answer" : place,
                printable(what));
  }

  const Json* find_target(const std::string& reference) const {
    if (!reference.starts_with('#')) return nullptr;
    try {
      const Json::json_pointer pointer(reference.substr(1));
      return root_.contains(pointer) ? &root_.at(pointer) : nullptr;
    } catch (const Json::exception&) {
      return nullptr;  // not a pointer
    }
  }

  static Result<void> check_kind(const Json& schema, const Json& value, const std::string& place) {
    if (const Json* type = find_member(schema, "type")) {
      const Json types = type->is_array() ? *type : Json::array({*type});
      const bool fits = std::ranges::any_of(types, [&](const Json& one) {
        return one.is_string() && is_type(one.get<std::string>(), value);
      });
      if (!fits) return wrong(place, "must be of type " + render_json(*type));
    }
    if (const Json* choices = find_member(schema, "enum"); choices && choices->is_array())
      if (std::ranges::find(*choices, value) == choices->end())
        return wrong(place, "must be one of " + shorten(render_json(*choices), 200));
    if (schema.contains("const") && schema["const"] != value)
      return wrong(place, "must be " + shorten(render_json(schema["const"]), 200));
    return {};
  }

  static Result<void> check_bounds(const Json& schema, const Json& value,
                                   const std::string& place) {
    const auto bound = [&](const char* name) { return find_number(schema, name); };
    if (value.is_number()) {
      const double number = value.get<double>();
      if (const auto least = bound("minimum"); least && number < *least)
        return wrong(place, fmt::format("must be at least {}", *least));
      if (const auto most = bound("maximum"); most && number > *most)
        return wrong(place, fmt::format("must be at most {}", *most));
      if (const auto least = bound("exclusiveMinimum"); least && number <= *least)
        return wrong(place, fmt::format("must be more than {}", *least));
      if (const auto most = bound("exclusiveMaximum"); most && number >= *most)
        return wrong(place, fmt::format("must be less than {}", *most));
    }
    const auto check_size = [&](std::size_t size, const char* least_name,
                                const char* most_name) -> Result<void> {
      if (const auto least = bound(least_name); least && static_cast<double>(size) < *least)
        return wrong(place, fmt::format("is too short ({} of at least {})", size, *least));
      if (const auto most = bound(most_name); most && static_cast<double>(size) > *most)
        return wrong(place, fmt::format("is too long ({} of at most {})", size, *most));
      return {};
    };
    if (value.is_string())
      return check_size(length_of(value.get_ref<const std::string&>()), "minLength", "maxLength");
    if (value.is_array()) return check_size(value.size(), "minItems", "maxItems");
    return {};
  }

  Result<void> check_members(const Json& schema, const Json& value, const std::string& place,
                             int depth) {
    if (const Json* required = find_member(schema, "required"); required && required->is_array())
      for (const Json& name : *required)
        if (name.is_string() && !value.contains(name.get<std::string>()))
          return wrong(place, "lacks \"" + name.get<std::string>() + "\"");
    const Json* properties = find_member(schema, "properties");
    const Json* others = find_member(schema, "additionalProperties");
    for (const auto& [name, member] : value.items()) {
      const std::string shown = shorten(printable(name), 60);
      const std::string inner =
          place.empty() ? fmt::format("\"{}\"", shown) : fmt::format("{}.{}", place, shown);
      const Json* property = properties ? find_member(*properties, name) : nullptr;
      if (!property && schema.contains("patternProperties")) continue;  // may be one of those
      if (!property && others && *others == false) return wrong(inner, "is not allowed");
      if (const Json* rule = property ? property : others)
        RETURN_IF_ERROR(check(*rule, member, inner, depth + 1));
    }
    return {};
  }

  Result<void> check_items(const Json& schema, const Json& value, const std::string& place,
                           int depth) {
    const Json* items = find_member(schema, "items");
    if (!items) return {};
    for (std::size_t i = 0; i < value.size(); ++i)
      RETURN_IF_ERROR(check(*items, value[i], fmt::format("{}[{}]", place, i), depth + 1));
    return {};
  }

  Result<void> check_combinations(const Json& schema, const Json& value, const std::string& place,
                                  int depth) {
    const auto count_fitting = [&](const Json& list) {
      return std::ranges::count_if(
          list, [&](const Json& one) { return check(one, value, place, depth + 1).has_value(); });
    };
    if (const Json* all = find_member(schema, "allOf"); all && all->is_array())
      for (const Json& one : *all) RETURN_IF_ERROR(check(one, value, place, depth + 1));
    if (const Json* any = find_member(schema, "anyOf"); any && any->is_array())
      if (count_fitting(*any) == 0) return wrong(place, "fits none of the allowed forms");
    if (const Json* one = find_member(schema, "oneOf"); one && one->is_array())
      if (count_fitting(*one) != 1)
        return wrong(place, "must fit exactly one of the allowed forms");
    return {};
  }

  const Json& root_;
  int steps_ = 0;
};

}  // namespace

Result<void> check_schema(const Json& schema, const Json& value) {
  return Checker(schema).check(schema, value, "", 0);
}

}  // namespace personascope::llm
