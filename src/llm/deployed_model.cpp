#include "llm/deployed_model.hpp"

#include <utility>

namespace personascope::llm {
namespace {

class DeployedModel final : public Model {
 public:
  DeployedModel(Model& model, const std::string& deployment)
      : model_(model), endpoint_(model.endpoint()) {
    endpoint_.version += (endpoint_.version.empty() ? "" : " ") + deployment;
  }

  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override { return model_.features(); }
  Json describe() const override { return model_.describe(); }
  Task<Attempt> ask(const core::Request& request, Delivery delivery) override {
    return model_.ask(request, std::move(delivery));
  }

 private:
  Model& model_;
  Endpoint endpoint_;
};

}  // namespace

std::unique_ptr<Model> make_deployed(Model& model, const std::string& deployment) {
  return std::make_unique<DeployedModel>(model, deployment);
}

}  // namespace personascope::llm
