#include "llm/providers/bot_template.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"
#include "llm/providers/access.hpp"
#include "llm/providers/sigv4.hpp"

namespace personascope::llm {
namespace {

constexpr std::string_view kVariablePrefix = "BOT_";
constexpr std::array<std::string_view, 3> kTextGaps{"message", "system", "session"};
constexpr std::array<std::string_view, 4> kValueGaps{"history", "messages", "temperature",
                                                     "max_tokens"};

bool is_in(std::string_view name, const auto& names) {
  return std::ranges::find(names, name) != names.end();
}

std::string list_gaps() {
  std::vector<std::string> names;
  for (const std::string_view name : kTextGaps) names.push_back(fmt::format("{{{}}}", name));
  for (const std::string_view name : kValueGaps) names.push_back(fmt::format("{{{}}}", name));
  return join(names, ", ");
}

// The name in the braces that `text` begins with, if it is made of such characters.
template <class IsPart>
std::optional<std::string_view> find_braced(std::string_view text, IsPart is_part) {
  if (!text.starts_with('{')) return std::nullopt;
  const std::size_t close = text.find('}');
  if (close == std::string_view::npos || close == 1) return std::nullopt;
  const std::string_view name = text.substr(1, close - 1);
  if (!std::ranges::all_of(name, is_part)) return std::nullopt;
  return name;
}

bool is_of_placeholder(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}

bool is_of_variable(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
}

Result<void> check_gap(std::string_view name) {
  if (is_in(name, kTextGaps)) return {};
  if (is_in(name, kValueGaps))
    return fail(ErrorKind::Invalid, "{{{}}} must stand alone as a value of the body", name);
  return fail(ErrorKind::Invalid, "there is no {{{}}}; there are {}", printable(shorten(name, 60)),
              list_gaps());
}

std::string render_value(const BotValues& values, std::string_view name) {
  const auto value = values.find(name);
  return value != values.end() && value->second.is_string() ? value->second.get<std::string>() : "";
}

}  // namespace

Result<std::string> BotVariables::take(std::string_view name, BotPlace place) {
  if (!name.starts_with(kVariablePrefix))
    return fail(ErrorKind::Invalid,
                "${{{}}}: a bot file gets only variables whose names begin with {}",
                printable(shorten(name, 60)), kVariablePrefix);
  auto value = environment_.find(name);
  // Set where a model is made and never asked.
  if (!value) value = environment_.find(place == BotPlace::Address ? kAnyServer : kAnyKey);
  if (!value)
    return fail(ErrorKind::Misconfigured, "the variable {} is not set: set it in the environment",
                printable(name));
  RETURN_IF_ERROR(check_key(std::string(name), Secret(*value)));
  if (!is_in(name, names_)) names_.emplace_back(name);
  return std::move(*value);
}

Result<BotText> BotText::parse(std::string_view text, BotPlace place, BotVariables& variables) {
  BotText result;
  result.place_ = place;
  result.parts_.emplace_back();
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = text.substr(i);
    if (const auto name = find_braced(rest.substr(rest.starts_with('$') ? 1 : 0), is_of_variable);
        name && rest.starts_with('$')) {
      const BotPlace here = place == BotPlace::Url && i == 0 ? BotPlace::Address : place;
      ASSIGN_OR_RETURN(const std::string value, variables.take(*name, here));
      if (i == 0) result.first_variable_ = *name;
      const bool is_raw = here != BotPlace::Url;
      result.parts_.back().text += is_raw ? value : percent_encode(value);
      i += name->size() + 2;
    } else if (const auto gap = find_braced(rest, is_of_placeholder)) {
      RETURN_IF_ERROR(check_gap(*gap));
      result.parts_.back().placeholder = *gap;
      result.parts_.emplace_back();
      i += gap->size() + 1;
    } else {
      result.parts_.back().text += text[i];
    }
  }
  return result;
}

std::string BotText::fill(const BotValues& values) const {
  std::string text;
  for (const Part& part : parts_) {
    text += part.text;
    if (part.placeholder.empty()) continue;
    const std::string value = render_value(values, part.placeholder);
    text += place_ == BotPlace::Url ? percent_encode(value) : value;
  }
  return text;
}

bool BotText::uses(std::string_view placeholder) const {
  return std::ranges::find(parts_, placeholder, &Part::placeholder) != parts_.end();
}

std::size_t BotText::gaps() const {
  return parts_.empty() ? 0 : parts_.size() - 1;
}

Result<BotBody> BotBody::parse(const Json& value, BotVariables& variables) {
  BotBody body;
  body.shape_ = value;
  RETURN_IF_ERROR(body.read(value, Json::json_pointer(), variables));
  return body;
}

Result<void> BotBody::read(const Json& value, const Json::json_pointer& where,
                           BotVariables& variables) {
  if (value.is_object())
    for (const auto& [name, member] : value.items())
      RETURN_IF_ERROR(read(member, where / name, variables));
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      RETURN_IF_ERROR(read(value[i], where / i, variables));
  if (!value.is_string()) return {};
  const std::string text = value.get<std::string>();
  const auto whole = find_braced(text, is_of_placeholder);
  if (whole && whole->size() + 2 == text.size() && is_in(*whole, kValueGaps)) {
    gaps_.push_back({where, {}, std::string(*whole)});
    return {};
  }
  ASSIGN_OR_RETURN(BotText gap, BotText::parse(text, BotPlace::Body, variables));
  gaps_.push_back({where, std::move(gap), ""});
  return {};
}

Json BotBody::fill(const BotValues& values) const {
  Json body = shape_;
  for (const Gap& gap : gaps_) {
    if (gap.value.empty()) {
      body[gap.where] = gap.text.fill(values);
      continue;
    }
    const auto value = values.find(gap.value);
    body[gap.where] = value == values.end() ? Json() : value->second;
  }
  return body;
}

bool BotBody::uses(std::string_view placeholder) const {
  return std::ranges::any_of(gaps_, [&](const Gap& gap) {
    return gap.value == placeholder || gap.text.uses(placeholder);
  });
}

std::size_t BotBody::gaps() const {
  std::size_t count = 0;
  for (const Gap& gap : gaps_) count += gap.value.empty() ? gap.text.gaps() : 1;
  return count;
}

}  // namespace personascope::llm
