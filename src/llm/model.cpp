#include "llm/model.hpp"

namespace personascope::llm {

Json to_json(const Endpoint& endpoint) {
  Json value = {{"provider", endpoint.provider}, {"model", endpoint.model}};
  if (!endpoint.base_url.empty()) value["base_url"] = endpoint.base_url;
  if (!endpoint.weights.empty()) value["weights"] = endpoint.weights;
  return value;
}

std::string render_name(const Endpoint& endpoint) {
  return endpoint.provider + "/" + endpoint.model;
}

std::string render_account(const Endpoint& endpoint) {
  return endpoint.provider + " " + endpoint.base_url;
}

}  // namespace personascope::llm
