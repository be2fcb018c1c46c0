#include "llm/model.hpp"

#include "base/text.hpp"

namespace personascope::llm {

Json to_json(const Endpoint& endpoint) {
  Json value = {{"provider", endpoint.provider}, {"model", endpoint.model}};
  if (!endpoint.base_url.empty()) value["base_url"] = endpoint.base_url;
  if (!endpoint.weights.empty()) value["weights"] = endpoint.weights;
  if (!endpoint.version.empty()) value["version"] = endpoint.version;
  return value;
}

std::string render_name(const Endpoint& endpoint) {
  return endpoint.provider + "/" + endpoint.model;
}

std::string render_account(const Endpoint& endpoint) {
  return endpoint.provider + " " + endpoint.base_url;
}

Result<void> check_support(const Model& model, const core::Request& request) {
  const Features features = model.features();
  if (!request.choices.empty() && !features.choices)
    return fail(ErrorKind::Unsupported, "{} cannot compute the likelihood of given labels",
                printable(render_name(model.endpoint())));
  if (request.continuation && !features.likelihood)
    return fail(ErrorKind::Unsupported, "{} cannot compute the likelihood of a given text",
                printable(render_name(model.endpoint())));
  const core::Thinking& thinking = request.thinking;
  if ((thinking.effort || thinking.budget) && !features.thinking)
    return fail(ErrorKind::Misconfigured,
                "{} cannot be told how much to think: leave out `reasoning_effort` and "
                "`thinking_budget`",
                printable(render_name(model.endpoint())));
  return {};
}

}  // namespace personascope::llm
