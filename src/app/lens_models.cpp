#include <array>

#include "app/lens.hpp"
#include "files/safe_name.hpp"

namespace personascope::app {
namespace {

struct ShortName {
  std::string_view name;
  std::string_view bedrock;
};

// The names that the published program's users type.
constexpr std::array kShortNames{
    ShortName{"claude-3-haiku-v1", "us.anthropic.claude-3-haiku-20240307-v1:0"},
    ShortName{"claude-3-sonnet-v1", "anthropic.claude-3-sonnet-20240229-v1:0"},
    ShortName{"claude-3-5-haiku-v1", "us.anthropic.claude-3-5-haiku-20241022-v1:0"},
    ShortName{"claude-3-5-sonnet-v2", "us.anthropic.claude-3-5-sonnet-20241022-v2:0"},
    ShortName{"llama-3-1-8b-instruct-v1", "us.meta.llama3-1-8b-instruct-v1:0"},
    ShortName{"llama-3-1-70b-instruct-v1", "us.meta.llama3-1-70b-instruct-v1:0"},
    ShortName{"mistral-7b-instruct-v2", "mistral.mistral-7b-instruct-v0:2"},
    ShortName{"mixtral-8x7b-instruct-v1", "mistral.mixtral-8x7b-instruct-v0:1"},
};

}  // namespace

std::string route_lens_model(const std::string& name) {
  for (const ShortName& known : kShortNames)
    if (known.name == name) return "bedrock/" + std::string(known.bedrock);
  return name;
}

std::string label_lens_model(const std::string& name) {
  return files::make_safe_name(name);
}

}  // namespace personascope::app
