#include "core/option.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

#include "base/text.hpp"

namespace personascope::core {
namespace {

std::string shown(const Json& value) {
  const std::string text = value.is_string() ? value.get<std::string>() : render_json(value);
  return printable(shorten(text, 60));
}

std::string describe_bounds(const OptionSpec& spec, double widest) {
  const bool has_least = spec.least && *spec.least > -widest;
  const bool has_most = spec.most && *spec.most < widest;
  if (has_least && has_most)
    return fmt::format(" from {:.15g} to {:.15g}", *spec.least, *spec.most);
  if (has_least) return fmt::format(" of at least {:.15g}", *spec.least);
  if (has_most) return fmt::format(" of at most {:.15g}", *spec.most);
  return "";
}

bool is_in_range(const OptionSpec& spec, double number) {
  return std::isfinite(number) && (!spec.least || number >= *spec.least) &&
         (!spec.most || number <= *spec.most);
}

Result<void> check_number(const OptionSpec& spec, const Json& value, const std::string& subject) {
  constexpr double kWidest = 1e15;
  const bool whole = spec.kind == OptionKind::Integer;
  const bool is_choice =
      spec.choices.empty() || std::ranges::find(spec.choices, shown(value)) != spec.choices.end();
  if (!is_choice)
    return fail(ErrorKind::Invalid, "{} must be one of {}, not {}", subject,
                join(spec.choices, ", "), shown(value));
  const bool fits = whole ? value.is_number_integer() : value.is_number();
  if (fits && is_in_range(spec, value.get<double>())) return {};
  return fail(ErrorKind::Invalid, "{} must be a {}number{}, not {}", subject, whole ? "whole " : "",
              describe_bounds(spec, kWidest), shown(value));
}

Result<void> check_choice(const OptionSpec& spec, const Json& value, const std::string& subject) {
  if (value.is_string() &&
      std::ranges::find(spec.choices, value.get_ref<const std::string&>()) != spec.choices.end())
    return {};
  return fail(ErrorKind::Invalid, "{} must be one of {}, not {}", subject, join(spec.choices, ", "),
              shown(value));
}

std::optional<Json> find_switch(std::string_view text) {
  const std::string word = lower(text);
  for (const char* yes : {"1", "true", "yes", "on"})
    if (word == yes) return Json(true);
  for (const char* no : {"0", "false", "no", "off"})
    if (word == no) return Json(false);
  return std::nullopt;
}

// As JSON; the text itself if it is no number.
Json read_number(const OptionSpec& spec, std::string_view text) {
  if (spec.kind == OptionKind::Number) {
    const auto number = find_number_in(text);
    return number ? Json(*number) : Json(text);
  }
  std::uint64_t large = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), large);
  if (error == std::errc{} && end == text.data() + text.size()) return large;
  const auto number = find_integer_in(text);
  return number ? Json(static_cast<std::int64_t>(*number)) : Json(text);
}

bool is_given(const Json& given, const std::string& name) {
  const Json* value = find_member(given, name);
  return value && *value != false;
}

}  // namespace

std::string flag_of(const OptionSpec& spec) {
  return "--" + (spec.flag.empty() ? replace_all(spec.name, "_", "-") : spec.flag);
}

std::string variable_of(const OptionSpec& spec) {
  return "PERSONASCOPE_" + upper(replace_all(flag_of(spec).substr(2), "-", "_"));
}

std::string describe(const OptionSpec& spec) {
  if (!spec.otherwise.empty())
    return fmt::format("{} (default{} {})", spec.sentence,
                       std::isdigit(static_cast<unsigned char>(spec.otherwise[0])) ? "" : ":",
                       spec.otherwise);
  if (!spec.shows_default || spec.default_text.empty()) return spec.sentence;
  return fmt::format("{} (default {})", spec.sentence, spec.default_text);
}

Result<void> check_value(const OptionSpec& spec, const Json& value, const std::string& subject) {
  if (value.is_null()) return {};
  switch (spec.kind) {
    case OptionKind::Text:
      if (!spec.choices.empty()) return check_choice(spec, value, subject);
      if (value.is_string() || value.is_number_integer()) return {};
      return fail(ErrorKind::Invalid, "{} must be a text, not {}", subject, shown(value));
    case OptionKind::Texts:
      if (!value.is_array())
        return fail(ErrorKind::Invalid, "{} must be a list of texts, not {}", subject,
                    shown(value));
      for (std::size_t i = 0; i < value.size(); ++i)
        if (!value[i].is_string())
          return fail(ErrorKind::Invalid, "`{}[{}]` must be a text, not {}", spec.name, i,
                      shown(value[i]));
      return {};
    case OptionKind::Switch:
      if (value.is_boolean()) return {};
      return fail(ErrorKind::Invalid, "{} must be true or false, not {}", subject, shown(value));
    case OptionKind::Choice:
      return check_choice(spec, value, subject);
    case OptionKind::Integer:
    case OptionKind::Number:
      break;
  }
  return check_number(spec, value, subject);
}

Result<Json> parse_option_text(const OptionSpec& spec, std::string_view text,
                               const std::string& subject) {
  Json value = std::string(text);
  if (spec.kind == OptionKind::Texts) value = Json::array({std::string(text)});
  if (spec.kind == OptionKind::Switch) value = find_switch(text).value_or(value);
  if (spec.kind == OptionKind::Integer || spec.kind == OptionKind::Number)
    value = read_number(spec, text);
  RETURN_IF_ERROR(check_value(spec, value, subject));
  return value;
}

Result<void> check_given(const Json& given, std::span<const OptionSpec> known) {
  if (!given.is_object()) return fail(ErrorKind::Invalid, "options must be an object of names");
  for (const auto& [name, value] : given.items()) {
    if (std::ranges::find(known, name, &OptionSpec::name) != known.end()) continue;
    std::vector<std::string> names;
    for (const OptionSpec& spec : known) names.push_back(spec.name);
    const auto near = near_matches(shorten(name, 60), names);
    return fail(ErrorKind::Invalid, "there is no option {}{}", printable(shorten(name, 60)),
                near.empty() ? "" : fmt::format("; did you mean `{}`?", near.front()));
  }
  for (const OptionSpec& spec : known) {
    if (spec.required && !find_member(given, spec.name))
      return fail(ErrorKind::Invalid, "`{}` is missing: {}", spec.name, spec.sentence);
    for (const std::string& other : spec.excludes)
      if (is_given(given, spec.name) && is_given(given, other))
        return fail(ErrorKind::Invalid, "`{}` and `{}` cannot be given together", spec.name, other);
  }
  return {};
}

std::string rename_options(
    std::string_view text,
    const std::function<std::optional<std::string>(std::string_view name)>& rename) {
  constexpr char kQuote = '`';
  std::string renamed;
  while (!text.empty()) {
    const std::size_t open = text.find(kQuote);
    const std::size_t close = open == text.npos ? text.npos : text.find(kQuote, open + 1);
    if (close == text.npos) break;
    const std::string_view name = text.substr(open + 1, close - open - 1);
    renamed += text.substr(0, open);
    const auto found = rename(name.substr(0, name.find('[')));
    renamed += found ? *found : std::string(text.substr(open, close + 1 - open));
    text.remove_prefix(close + 1);
  }
  renamed += text;
  return renamed;
}

}  // namespace personascope::core
