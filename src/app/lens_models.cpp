#include "app/lens.hpp"
#include "files/safe_name.hpp"
#include "llm/providers/bedrock.hpp"

namespace personascope::app {

std::string route_lens_model(const std::string& name) {
  const std::string id = llm::bedrock_model_id(name);
  return id == name ? name : "bedrock/" + id;
}

std::string label_lens_model(const std::string& name) {
  return files::make_safe_name(name);
}

}  // namespace personascope::app
