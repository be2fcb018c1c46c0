#include "llm/model_registry.hpp"

#include <gtest/gtest.h>

#include "llm/call.hpp"
#include "sched/loop.hpp"

namespace personascope::llm {
namespace {

class NamedModel : public Model {
 public:
  explicit NamedModel(Endpoint endpoint) : endpoint_(std::move(endpoint)) {}
  const Endpoint& endpoint() const override { return endpoint_; }
  Features features() const override { return {}; }
  Task<Attempt> ask(const core::Request&, Delivery) override {
    co_return Attempt{fail(ErrorKind::Unsupported, "never asked"), {}};
  }

 private:
  Endpoint endpoint_;
};

ModelRegistry::Make make_with(const std::string& provider, const std::string& version) {
  return [=](const std::string& name, const ModelParts&) -> Result<std::unique_ptr<Model>> {
    return std::make_unique<NamedModel>(Endpoint{provider, "", name, "", version});
  };
}

struct Place {
  Result<std::unique_ptr<Model>> make(const ModelRegistry& registry, const std::string& name) {
    return registry.make(name, {options, settings, client});
  }
  ModelOptions options;
  files::Environment settings{std::map<std::string, std::string>{}};
  sched::Loop loop;
  http::Client client{loop};
};

TEST(ModelRegistry, MakesAModelOfAProviderThatWasAdded) {
  Place place;
  ModelRegistry registry = ModelRegistry::make_default();
  ASSERT_TRUE(registry.add("python", make_with("python", "3")));
  const auto model = place.make(registry, "python/my/agent");
  ASSERT_TRUE(model) << model.error().message;
  EXPECT_EQ(render_name((*model)->endpoint()), "python/my/agent");
  EXPECT_TRUE(place.make(registry, "ollama/llama3.1")) << "the catalog's are still there";
}

TEST(ModelRegistry, PutsTheVersionIntoTheKey) {
  core::Request request;
  request.messages = {{core::Role::User, "Hello"}};
  const auto key_of = [&](const std::string& version) {
    return make_call(Endpoint{"python", "", "agent", "", version}, request, {.item = "i"}, "").key;
  };
  EXPECT_EQ(key_of("1"), key_of("1"));
  EXPECT_NE(key_of("1"), key_of("2"));
  EXPECT_FALSE(to_json(Endpoint{"openai", "", "gpt-4o", ""}).contains("version"))
      << "the keys of stored answers stay";
}

TEST(ModelRegistry, TakesNoProviderTwiceAndNoOddNames) {
  ModelRegistry registry = ModelRegistry::make_default();
  for (const char* name : {"openai", "embedded", "", "a/b", "a b", "a\n"}) {
    const auto added = registry.add(name, make_with(name, "1"));
    ASSERT_FALSE(added) << name;
    EXPECT_EQ(added.error().kind, ErrorKind::Invalid) << name;
  }
}

TEST(ModelRegistry, RefusesAModelThatCouldBeTakenForAnother) {
  Place place;
  ModelRegistry registry;
  ASSERT_TRUE(registry.add("other", make_with("openai", "1")));
  ASSERT_TRUE(registry.add("python", make_with("python", "")));
  const auto other = place.make(registry, "other/gpt-4o");
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().kind, ErrorKind::Invalid);
  const auto without = place.make(registry, "python/agent");
  ASSERT_FALSE(without);
  EXPECT_NE(without.error().message.find("python/agent has no version"), std::string::npos);
}

TEST(ModelRegistry, NamesTheNearestProvider) {
  Place place;
  ModelRegistry registry = ModelRegistry::make_default();
  ASSERT_TRUE(registry.add("python", make_with("python", "1")));
  for (const char* name : {"pyhton/agent", "pythn/agent"}) {
    const auto wrong = place.make(registry, name);
    ASSERT_FALSE(wrong) << name;
    EXPECT_EQ(wrong.error().kind, ErrorKind::Invalid);
    EXPECT_NE(wrong.error().message.find("did you mean python/"), std::string::npos) << name;
  }
  for (const char* name : {"python", "python/", "", "/", "/agent"})
    EXPECT_EQ(place.make(registry, name).error().kind, ErrorKind::Invalid) << name;
}

}  // namespace
}  // namespace personascope::llm
