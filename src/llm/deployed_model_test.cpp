#include "llm/deployed_model.hpp"

#include <gtest/gtest.h>

#include "llm/call.hpp"

namespace personascope::llm {
namespace {

class PlainModel final : public Model {
 public:
  explicit PlainModel(std::string version) : endpoint_{"openai", "", "bot", "", version} {}
  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override { return {.logprobs = true}; }
  Task<Attempt> ask(const core::Request&, Delivery) override { co_return Attempt{}; }

 private:
  Endpoint endpoint_;
};

Digest key_of(const Model& model) {
  return make_call(model.endpoint(), core::Request{}, {.item = "i"}, "").key;
}

TEST(DeployedModel, KeysDependOnTheDeployment) {
  PlainModel model("");
  PlainModel other("2");
  EXPECT_NE(key_of(*make_deployed(model, "b1")), key_of(model));
  EXPECT_NE(key_of(*make_deployed(model, "b1")), key_of(*make_deployed(model, "b2")));
  EXPECT_EQ(key_of(*make_deployed(model, "b1")), key_of(*make_deployed(model, "b1")));
  EXPECT_NE(key_of(*make_deployed(model, "b1")), key_of(*make_deployed(other, "b1")));
}

TEST(DeployedModel, IsTheModelInEverythingElse) {
  PlainModel model("");
  const auto deployed = make_deployed(model, "b1");
  EXPECT_TRUE(deployed->features().logprobs);
  EXPECT_EQ(render_name(deployed->endpoint()), "openai/bot") << "prices and limits go by the name";
}

}  // namespace
}  // namespace personascope::llm
