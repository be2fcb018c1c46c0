#include "llm/providers/model_traits.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "llm/thinking.hpp"

namespace personascope::llm {
namespace {

bool ends_word(std::string_view name, std::size_t place) {
  return place == name.size() || std::string_view("-.:@").find(name[place]) != std::string::npos;
}

// Whether the name is that family's: "o3" and "o3-mini", not "o365".
bool is_family(std::string_view name, std::string_view family) {
  return name.starts_with(family) && ends_word(name, family.size());
}

bool is_any_family(std::string_view name, std::initializer_list<std::string_view> families) {
  return std::ranges::any_of(families,
                             [&](std::string_view family) { return is_family(name, family); });
}

// 307 of "claude-3-7-sonnet-20250219", 406 of "claude-opus-4-6"; 0 if it has no number.
int claude_version(std::string_view name) {
  std::vector<long long> numbers;
  std::size_t start = 0;
  for (std::size_t end = 0; end <= name.size() && numbers.size() < 2; ++end) {
    if (!ends_word(name, end)) continue;
    const auto number = find_integer_in(name.substr(start, end - start));
    const bool is_version = number && *number >= 0 && *number < 100;
    if (is_version) numbers.push_back(*number);
    if (!is_version && !numbers.empty()) break;
    start = end + 1;
  }
  if (numbers.empty()) return 0;
  return static_cast<int>(numbers[0] * 100 + (numbers.size() > 1 ? numbers[1] : 0));
}

ModelTraits traits_of_claude(std::string_view name) {
  ModelTraits traits;
  const int version = claude_version(name);
  if (version == 0) return traits;
  traits.thinks = version >= 307;
  traits.one_randomness = version >= 401;
  traits.adaptive = version >= 406;
  traits.budget = version < 407;
  traits.sampling = version < 407;
  return traits;
}

std::string effort_for(std::int64_t budget) {
  if (budget <= 2048) return "low";
  return budget <= 8192 ? "medium" : "high";
}

}  // namespace

ModelTraits traits_of(std::string_view model) {
  const std::string whole = lower(model);
  if (const std::size_t claude = whole.find("claude-"); claude != std::string::npos)
    return traits_of_claude(std::string_view(whole).substr(claude));
  const std::string_view name = std::string_view(whole).substr(whole.rfind('/') + 1);
  ModelTraits traits;
  if (is_any_family(name, {"gpt-3", "gpt-4", "gpt-4o", "chatgpt-4o", "deepseek-reasoner"}) ||
      name.starts_with("gpt-5-chat"))
    traits.thinks = false;
  traits.logprobs = !is_family(name, "deepseek-reasoner");
  if (name.find("-chat") == std::string_view::npos &&
      is_any_family(name, {"o1", "o3", "o4", "gpt-5"})) {
    traits.sampling = false;
    traits.logprobs = false;
    traits.completion_limit = true;
    traits.stop = is_family(name, "o1");
    const bool is_first = is_any_family(name, {"o1-mini", "o1-preview"});
    traits.thinks = !is_first;
    traits.system = !is_first;
  }
  return traits;
}

Json make_claude_thinking(const core::Request& request, const ModelTraits& traits) {
  Json members = Json::object();
  if (!wants_thinking(request)) return members;
  const core::Thinking& thinking = request.thinking;
  const bool by_effort = traits.adaptive && (thinking.effort || !traits.budget);
  if (!by_effort) {
    members["thinking"] = {{"type", "enabled"}, {"budget_tokens", thinking_room(request)}};
    return members;
  }
  std::string effort = thinking.effort.value_or(effort_for(thinking.budget.value_or(0)));
  if (effort == "minimal") effort = "low";
  members["thinking"] = {{"type", "adaptive"}};
  members["output_config"] = {{"effort", effort}};
  return members;
}

}  // namespace personascope::llm
