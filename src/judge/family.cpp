#include "judge/family.hpp"

#include <array>
#include <utility>

#include "base/text.hpp"

namespace personascope::judge {
namespace {

// A part of the name, in lower case, and the family it tells. The first that fits counts, so what
// was made from another family's model stands before it.
constexpr std::array<std::pair<std::string_view, std::string_view>, 26> kFamilies{
    {{"claude", "claude"},     {"gpt", "gpt"},           {"chatgpt", "gpt"},
     {"/o1", "gpt"},           {"/o3", "gpt"},           {"/o4", "gpt"},
     {"gemini", "gemini"},     {"gemma", "gemini"},      {"mixtral", "mistral"},
     {"mistral", "mistral"},   {"ministral", "mistral"}, {"magistral", "mistral"},
     {"codestral", "mistral"}, {"deepseek", "deepseek"}, {"qwen", "qwen"},
     {"qwq", "qwen"},          {"smollm", "smollm"},     {"llama", "llama"},
     {"phi-", "phi"},          {"command", "command"},   {"grok", "grok"},
     {"nova", "nova"},         {"kimi", "kimi"},         {"glm", "glm"},
     {"olmo", "olmo"},         {"granite", "granite"}}};

}  // namespace

std::optional<std::string> find_family(std::string_view model) {
  const std::string name = "/" + lower(model);
  for (const auto& [part, family] : kFamilies)
    if (name.find(part) != std::string::npos) return std::string(family);
  return std::nullopt;
}

bool are_kin(std::string_view first, std::string_view second) {
  if (first == second) return true;
  const auto family = find_family(first);
  return family && family == find_family(second);
}

}  // namespace personascope::judge
