#include "llm/providers/catalog.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <set>
#include <tuple>

#include "files/testing/temporary_folder.hpp"
#include "http/loopback_server.hpp"
#include "llm/model_registry.hpp"
#include "sched/loop.hpp"

namespace personascope::llm {
namespace {

using Variables = std::map<std::string, std::string>;

Result<std::unique_ptr<Model>> make_model(const std::string& name, const ModelOptions& options,
                                          const files::Environment& settings,
                                          http::Client& client) {
  return ModelRegistry::make_default().make(name, {options, settings, client});
}

struct Shop {
  Result<std::unique_ptr<Model>> make(const std::string& name, const Variables& variables = {},
                                      std::optional<std::string> base_url = {}) {
    return make_model(name, {std::move(base_url), {}}, files::Environment(variables), client);
  }
  sched::Loop loop;
  http::Client client{loop};
};

Variables every_key() {
  return {{"AWS_ACCESS_KEY_ID", "id"},
          {"AWS_SECRET_ACCESS_KEY", "secret"},
          {"AWS_REGION", "us-east-1"},
          {"AZURE_OPENAI_ENDPOINT", "https://x.azure.com"},
          {"MYSERVER_BASE_URL", "http://localhost:1/v1"}};
}

TEST(Catalog, MakesAModelOfEveryRow) {
  Shop shop;
  std::set<std::string_view> names;
  for (const ProviderRow& row : providers()) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(find_provider(row.name), &row);
    if (row.api == Api::Scripted || row.api == Api::Bot) continue;  // they are files
    Variables variables = every_key();
    if (!row.key_variables[0].empty()) variables[std::string(row.key_variables[0])] = "key-1";
    const std::string name = fmt::format("{}/{}", row.name, row.example);
    const auto model = shop.make(name, variables);
    ASSERT_TRUE(model) << name << ": " << model.error().message;
    EXPECT_EQ(render_name((*model)->endpoint()), name);
    EXPECT_EQ((*model)->endpoint().base_url.starts_with("http"), row.api != Api::Embedded) << name;
    EXPECT_TRUE(state_of(row, files::Environment(variables)).ready) << name;
    EXPECT_EQ((*model)->features().likelihood, row.likelihood) << name;
  }
  EXPECT_EQ(find_provider("nobody"), nullptr);
}

TEST(Catalog, RefusesAKeyThatCannotBeSentAsItIs) {
  Shop shop;
  for (const char* key : {"sk-1\n", "sk-1\r", " sk-1", "sk\t1", "sk-1 "}) {
    const auto model = shop.make("openai/gpt-4o", {{"OPENAI_API_KEY", key}});
    ASSERT_FALSE(model) << key;
    EXPECT_EQ(model.error().kind, ErrorKind::Misconfigured);
    EXPECT_TRUE(model.error().message.starts_with("OPENAI_API_KEY ")) << model.error().message;
    EXPECT_EQ(model.error().message.find("sk"), std::string::npos);
  }
  EXPECT_FALSE(shop.make("openai-api/my/m", {{"MY_BASE_URL", "http://x"}, {"MY_API_KEY", "a\n"}}));
}

TEST(Catalog, RefusesABaseUrlWithThePathOfACall) {
  Shop shop;
  const auto tell = [&](const std::string& name, const std::string& url) {
    const auto model = shop.make(name, {}, url);
    return model ? std::string("made") : model.error().message;
  };
  EXPECT_EQ(
      tell("openai/gpt-4o", "http://me:secret@host/v1/chat/completions/"),
      "the base URL http://host/v1/chat/completions ends in /chat/completions, which is added "
      "automatically; give http://host/v1 instead");
  EXPECT_NE(tell("vllm/m", "http://host/v1/completions").find("give http://host/v1 instead"),
            std::string::npos);
  EXPECT_NE(tell("anthropic/m", "http://host/v1/messages").find("give http://host instead"),
            std::string::npos);
  EXPECT_EQ(tell("openai/gpt-4o", "http://host/v1"), "made");
}

// The `.env` file may have come with somebody's repository.
TEST(Catalog, SendsNoKeyOfTheUsersToAnAddressFromADotenv) {
  const files::TemporaryFolder folder;
  const auto make = [&](const std::string& name, const std::string& dotenv) -> std::string {
    chmod(folder.write(".env", dotenv).c_str(), 0600);
    Shop shop;
    const auto environment = files::Environment::load(folder.path(""));
    const auto model = make_model(name, {}, *environment, shop.client);
    return model ? (*model)->endpoint().base_url : model.error().message;
  };
  constexpr const char* kEvil = "http://evil.example";
  for (const auto& [model, address, key] :
       {std::tuple("groq/m", "GROQ_BASE_URL", "GROQ_API_KEY"),
        std::tuple("azure/m", "AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY"),
        std::tuple("vllm/m", "VLLM_BASE_URL", "VLLM_API_KEY"),
        std::tuple("openai-api/some-server/m", "SOME_SERVER_BASE_URL", "SOME_SERVER_API_KEY"),
        std::tuple("bedrock/m", "BEDROCK_BASE_URL", "AWS_BEARER_TOKEN_BEDROCK")}) {
    const std::string only_address = fmt::format("{}={}\n", address, kEvil);
    setenv(key, "sk-mine", 1);
    const std::string told = make(model, only_address);
    EXPECT_TRUE(told.starts_with(fmt::format("{} comes from ", address))) << told;
    unsetenv(key);
    EXPECT_EQ(make(model, only_address + fmt::format("{}=sk-theirs\n", key)), kEvil) << model;
  }
  EXPECT_EQ(make("ollama/m", fmt::format("OLLAMA_BASE_URL={}\n", kEvil)), kEvil) << "no key";

  folder.write("credentials", "[default]\naws_access_key_id=id\naws_secret_access_key=secret\n");
  setenv("AWS_SHARED_CREDENTIALS_FILE", folder.path("credentials").c_str(), 1);
  const std::string told = make("bedrock/m", fmt::format("AWS_ENDPOINT_URL={}\n", kEvil));
  EXPECT_NE(told.find("the AWS keys come from a profile"), std::string::npos) << told;
  unsetenv("AWS_SHARED_CREDENTIALS_FILE");
}

TEST(Catalog, AnAddressFromADotenvWithoutItsKeyIsNotReady) {
  const files::TemporaryFolder folder;
  chmod(folder.write(".env", "GROQ_BASE_URL=http://evil.example\n").c_str(), 0600);
  setenv("GROQ_API_KEY", "sk-mine", 1);
  const ProviderState state =
      state_of(*find_provider("groq"), *files::Environment::load(folder.path("")));
  EXPECT_FALSE(state.ready);
  EXPECT_EQ(state.missing, "set GROQ_BASE_URL in the environment, not in .env");
  unsetenv("GROQ_API_KEY");
}

TEST(Catalog, SaysThatADotenvWasNotReadWhereAKeyIsMissing) {
  const files::TemporaryFolder folder;
  chmod(folder.write(".env", "GROQ_API_KEY=k\n").c_str(), 0666);
  Shop shop;
  const auto environment = files::Environment::load(folder.path(""));
  const auto model = make_model("groq/m", {}, *environment, shop.client);
  ASSERT_FALSE(model);
  EXPECT_NE(model.error().message.find("was not read"), std::string::npos) << model.error().message;
}

TEST(Catalog, SuggestsAProviderForAMistypedOne) {
  Shop shop;
  const std::pair<const char*, const char*> cases[] = {
      {"opanai/gpt-4o", "did you mean openai/"},
      {"Anthropic/x", "did you mean anthropic/"},
      {"gpt-4o", "`personascope models` lists them"},
      {"", "`personascope models`"},
      {"openai/", "provider/model"},
      {"zzzzzzzz/x", "provider/model"}};
  for (const auto& [name, message] : cases) {
    const auto model = shop.make(name);
    ASSERT_FALSE(model) << name;
    EXPECT_EQ(model.error().kind, ErrorKind::Invalid);
    EXPECT_NE(model.error().message.find(message), std::string::npos) << model.error().message;
  }
}

TEST(Catalog, NamesTheVariableOfAMissingKey) {
  Shop shop;
  for (const ProviderRow& row : providers()) {
    if (row.key_need != KeyNeed::Required || row.api == Api::Bedrock) continue;
    const auto model = shop.make(fmt::format("{}/{}", row.name, row.example));
    ASSERT_FALSE(model) << row.name;
    EXPECT_EQ(model.error().kind, ErrorKind::Unauthorized);
    EXPECT_NE(model.error().message.find(row.key_variables[0]), std::string::npos);
    const ProviderState state = state_of(row, files::Environment(Variables{}));
    EXPECT_FALSE(state.ready);
    EXPECT_NE(state.missing.find(row.key_variables[0]), std::string::npos);
  }
}

TEST(Catalog, FillsInKeysAndAddressesForModelsThatAreNeverAsked) {
  Shop shop;
  const files::Environment filled =
      fill_in_access(files::Environment(Variables{{"OWN_BASE_URL", "http://localhost:1/v1"}}));
  for (const ProviderRow& row : providers()) {
    if (row.api == Api::Scripted || row.api == Api::Bot) continue;  // they are files
    const std::string name = fmt::format("{}/{}", row.name, row.example);
    const auto model = make_model(name, {}, filled, shop.client);
    EXPECT_TRUE(model) << name << ": " << (model ? "" : model.error().message);
  }
  const auto own = make_model("openai-api/own/x", {}, filled, shop.client);
  ASSERT_TRUE(own);
  EXPECT_EQ((*own)->endpoint().base_url, "http://localhost:1/v1");
}

TEST(Catalog, UnderstandsTheReferenceSystemsKeyNames) {
  Shop shop;
  EXPECT_TRUE(shop.make("anthropic/claude-3-haiku", {{"CLAUDE_API_KEY", "k"}}));
  EXPECT_TRUE(shop.make("together/llama", {{"LLAMA_API_KEY", "k"}}));
  const files::Environment both({{"CLAUDE_API_KEY", "k"}, {"ANTHROPIC_API_KEY", "k"}});
  EXPECT_EQ(state_of(*find_provider("anthropic"), both).key_variable, "ANTHROPIC_API_KEY");
}

TEST(Catalog, TakesTheBaseUrlFromTheFlagThenTheVariableThenTheRow) {
  Shop shop;
  const Variables key{{"OPENAI_API_KEY", "k"}};
  Variables moved = key;
  moved["OPENAI_BASE_URL"] = "http://gpu1:8000/v1/";
  EXPECT_EQ((*shop.make("openai/m", key))->endpoint().base_url, "https://api.openai.com/v1");
  EXPECT_EQ((*shop.make("openai/m", moved))->endpoint().base_url, "http://gpu1:8000/v1");
  EXPECT_EQ((*shop.make("openai/m", moved, "http://gpu2/v1//"))->endpoint().base_url,
            "http://gpu2/v1");
  EXPECT_TRUE(shop.make("openai/m", {}, "http://localhost:8000/v1")) << "it may need no key";
}

TEST(Catalog, TakesNamedServersForReadyWhenOneHasAnAddress) {
  const ProviderRow& row = *find_provider("openai-api");
  const files::Environment none(
      {{"OPENAI_BASE_URL", "http://h"}, {"PERSONASCOPE_BASE_URL", "http://h"}});
  EXPECT_FALSE(state_of(row, none).ready);
  EXPECT_EQ(state_of(row, none).missing, "set <NAME>_BASE_URL");
  const files::Environment one({{"MY_GPU_BASE_URL", "http://u:p@h/v1"}, {"MY_GPU_API_KEY", "k"}});
  const ProviderState state = state_of(row, one);
  EXPECT_TRUE(state.ready);
  EXPECT_EQ(state.key_variable, "MY_GPU_API_KEY");
  EXPECT_EQ(state.base_url.find("u:p"), std::string::npos);
}

TEST(Catalog, MakesTheNamesOfFilesAbsolute) {
  const std::string here = std::filesystem::current_path().string();
  EXPECT_EQ(make_absolute_name("scripted/a/../s.yaml"), "scripted/" + here + "/s.yaml");
  EXPECT_EQ(make_absolute_name("embedded/m.gguf"), "embedded/" + here + "/m.gguf");
  for (const char* name : {"scripted//s.yaml", "embedded/smollm2-135m", "openai/gpt-4o",
                           "vllm/org/model", "nonsense", ""})
    EXPECT_EQ(make_absolute_name(name), name);
}

TEST(Catalog, ReadsNamedServersFromTheirVariables) {
  Shop shop;
  const auto model = shop.make("openai-api/my-gpu/org/model", {{"MY_GPU_BASE_URL", "http://h/v1"}});
  ASSERT_TRUE(model);
  EXPECT_EQ((*model)->endpoint().provider, "openai-api/my-gpu");
  EXPECT_EQ((*model)->endpoint().model, "org/model");
  const auto nowhere = shop.make("openai-api/my-gpu/m");
  EXPECT_NE(nowhere.error().message.find("MY_GPU_BASE_URL"), std::string::npos);
  for (const char* name : {"openai-api/x", "openai-api//m", "openai-api/x/"})
    EXPECT_EQ(shop.make(name).error().kind, ErrorKind::Invalid) << name;
}

TEST(Catalog, NeverShowsTheCredentialsOfABaseUrl) {
  Shop shop;
  for (const char* url : {"http://user:planted@host:1/v1", "http://planted@host/v1"}) {
    const auto model = shop.make("vllm/m", {}, url);
    ASSERT_TRUE(model);
    EXPECT_EQ(render_json(to_json((*model)->endpoint())).find("planted"), std::string::npos);
  }
  for (const char* url : {"user:planted@host/v1", "ftp://user:planted@host"}) {
    const auto model = shop.make("vllm/m", {}, url);
    ASSERT_FALSE(model);
    EXPECT_EQ(model.error().message.find("planted"), std::string::npos) << model.error().message;
  }
  const files::Environment environment(Variables{{"VLLM_BASE_URL", "http://user:planted@host/v1"}});
  EXPECT_EQ(state_of(*find_provider("vllm"), environment).base_url, "http://host/v1");
}

TEST(Catalog, SendsTheKeyInTheProvidersOwnHeader) {
  struct Case {
    const char* model;
    const char* variable;
    const char* header;
    const char* value;
    const char* target;
  };
  for (const Case& c : {
           Case{"openai/m", "OPENAI_API_KEY", "authorization", "Bearer key-1", "/chat/completions"},
           Case{"anthropic/m", "ANTHROPIC_API_KEY", "x-api-key", "key-1", "/v1/messages"},
           Case{"azure/m", "AZURE_OPENAI_API_KEY", "api-key", "key-1",
                "/openai/deployments/m/chat/completions?api-version=2024-10-21"},
       }) {
    http::LoopbackRequest seen;
    auto server = http::LoopbackServer::start([&seen](const http::LoopbackRequest& request) {
                    seen = request;
                    return http::LoopbackReply{.status = 500};
                  }).value();
    Shop shop;
    const auto model = shop.make(c.model, {{c.variable, "key-1"}}, server.base_url());
    ASSERT_TRUE(model);
    core::Request request;
    request.messages = {{core::Role::User, "Hello"}};
    EXPECT_FALSE(sched::run_to_end(shop.loop, (*model)->ask(request, {})).reply);
    server.stop();
    ASSERT_NE(seen.find_header(c.header), nullptr) << c.model;
    EXPECT_EQ(*seen.find_header(c.header), c.value);
    EXPECT_EQ(seen.target, c.target);
  }
}

}  // namespace
}  // namespace personascope::llm
