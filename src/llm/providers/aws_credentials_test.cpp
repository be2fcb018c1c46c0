#include "llm/providers/aws_credentials.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

namespace personascope::llm {
namespace {

using Variables = std::map<std::string, std::string>;

constexpr std::string_view kCredentialsFile = R"(
[default]
aws_access_key_id = AKDEFAULT
aws_secret_access_key = secret/default

[work]
aws_access_key_id = AKWORK
aws_secret_access_key = secret/work
aws_session_token = token/work

[half]
aws_access_key_id = AKHALF
)";

constexpr std::string_view kConfigFile = R"(
[default]
region = eu-central-1

[profile work]
region = ap-south-1
aws_session_token = token/other

[profile lone]
aws_access_key_id = AKLONE
aws_secret_access_key = secret/lone

[profile elsewhere]
region = evil.example/#

[profile sso]
sso_session = home
region = us-west-2
)";

// A home folder with the files above.
class AwsCredentialsTest : public testing::Test {
 protected:
  AwsCredentialsTest() {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    home_ = testing::TempDir() + "aws_credentials_" + test->name();
    std::filesystem::create_directories(home_ + "/.aws");
    write("/.aws/credentials", kCredentialsFile);
    write("/.aws/config", kConfigFile);
  }
  ~AwsCredentialsTest() override { std::filesystem::remove_all(home_); }

  void write(const std::string& name, std::string_view text) {
    std::ofstream(home_ + name) << text;
  }

  Result<AwsAccess> load(Variables variables) const {
    variables.try_emplace("HOME", home_);
    return load_aws_access(files::Environment(std::move(variables)));
  }

  std::string home_;
};

// "access key|secret key|session token|bearer token|region".
std::string render(const AwsAccess& access) {
  return fmt::format(
      "{}|{}|{}|{}|{}", access.credentials.access_key, access.credentials.secret_key.reveal(),
      access.credentials.session_token.reveal(), access.bearer_token.reveal(), access.region);
}

TEST_F(AwsCredentialsTest, TakesKeysAndRegionInTheOrderOfTheAwsTools) {
  struct Case {
    Variables variables;
    std::string_view access;
  };
  const Variables keys{{"AWS_ACCESS_KEY_ID", "AKENV"}, {"AWS_SECRET_ACCESS_KEY", "secret/env"}};
  const auto with = [&keys](Variables more) {
    more.insert(keys.begin(), keys.end());
    return more;
  };
  const std::vector<Case> cases{
      {{}, "AKDEFAULT|secret/default|||eu-central-1"},
      {keys, "AKENV|secret/env|||eu-central-1"},
      {with({{"AWS_SESSION_TOKEN", "token/env"}}), "AKENV|secret/env|token/env||eu-central-1"},
      {with({{"AWS_PROFILE", "work"}}), "AKENV|secret/env|||ap-south-1"},
      {with({{"HOME", "/nowhere"}}), "AKENV|secret/env|||us-east-1"},
      {with({{"AWS_REGION", "a-1"}, {"AWS_DEFAULT_REGION", "b-1"}}), "AKENV|secret/env|||a-1"},
      {with({{"AWS_DEFAULT_REGION", "b-1"}}), "AKENV|secret/env|||b-1"},
      {with({{"AWS_BEARER_TOKEN_BEDROCK", "bearer"}}), "|||bearer|eu-central-1"},
      {{{"AWS_BEARER_TOKEN_BEDROCK", "bearer"}, {"HOME", ""}}, "|||bearer|us-east-1"},
      {{{"AWS_PROFILE", "work"}}, "AKWORK|secret/work|token/work||ap-south-1"},
      {{{"AWS_DEFAULT_PROFILE", "work"}}, "AKWORK|secret/work|token/work||ap-south-1"},
      {{{"AWS_PROFILE", "lone"}}, "AKLONE|secret/lone|||us-east-1"},
      {{{"AWS_CONFIG_FILE", "/nowhere/config"}}, "AKDEFAULT|secret/default|||us-east-1"},
      {{{"AWS_SHARED_CREDENTIALS_FILE", "~/.aws/config"}, {"AWS_PROFILE", "profile lone"}},
       "AKLONE|secret/lone|||us-east-1"},
  };
  for (const Case& c : cases) {
    const auto access = load(c.variables);
    ASSERT_TRUE(access.has_value()) << c.access << ": " << access.error().message;
    EXPECT_EQ(render(*access), c.access);
  }
}

TEST_F(AwsCredentialsTest, SaysWhatToSetWhenNoKeyIsThere) {
  struct Case {
    Variables variables;
    std::string_view message;
  };
  const std::vector<Case> cases{
      {{{"HOME", "/nowhere"}},
       "bedrock needs AWS keys: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
       "AWS_BEARER_TOKEN_BEDROCK, or AWS_PROFILE"},
      {{{"AWS_PROFILE", "absent"}},
       "there is no AWS profile \"absent\": set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, "
       "AWS_BEARER_TOKEN_BEDROCK, or AWS_PROFILE"},
      {{{"AWS_PROFILE", "half"}},
       "the AWS profile \"half\" has no aws_access_key_id with aws_secret_access_key: add them, or "
       "copy the keys of its role or single sign-on into AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY "
       "and AWS_SESSION_TOKEN (`aws configure export-credentials` prints them)"},
      {{{"AWS_PROFILE", "sso"}},
       "the AWS profile \"sso\" has no aws_access_key_id with aws_secret_access_key: add them, or "
       "copy the keys of its role or single sign-on into AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY "
       "and AWS_SESSION_TOKEN (`aws configure export-credentials` prints them)"},
      {{{"AWS_ACCESS_KEY_ID", "AKENV"}},
       "AWS_ACCESS_KEY_ID is set without AWS_SECRET_ACCESS_KEY: set both"},
      {{{"AWS_SECRET_ACCESS_KEY", "secret"}},
       "AWS_SECRET_ACCESS_KEY is set without AWS_ACCESS_KEY_ID: set both"},
  };
  for (const Case& c : cases) {
    const auto access = load(c.variables);
    ASSERT_FALSE(access.has_value()) << c.message;
    EXPECT_EQ(access.error().kind, ErrorKind::Unauthorized);
    EXPECT_EQ(access.error().message, c.message);
  }
}

TEST_F(AwsCredentialsTest, NamesFileAndLineOfAFileItCannotRead) {
  write("/.aws/credentials", "[default]\naws_secret_access_key secret/default\n");
  const auto access = load({});
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(access.error().message,
            home_ + "/.aws/credentials, line 2: not of the form name = value");
}

TEST_F(AwsCredentialsTest, ReadsNoFileWhenTheEnvironmentSaysAll) {
  write("/.aws/config", "broken");
  const auto access = load({{"AWS_BEARER_TOKEN_BEDROCK", "bearer"}, {"AWS_REGION", "eu-west-3"}});
  ASSERT_TRUE(access.has_value()) << access.error().message;
  EXPECT_EQ(render(*access), "|||bearer|eu-west-3");
}

TEST_F(AwsCredentialsTest, RefusesARegionThatWouldNameAnotherHost) {
  const Variables keys{{"AWS_ACCESS_KEY_ID", "AKENV"},
                       {"AWS_SECRET_ACCESS_KEY", "secret/env"},
                       {"AWS_PROFILE", "elsewhere"}};
  const auto access = load(keys);
  ASSERT_FALSE(access.has_value());
  EXPECT_EQ(access.error().kind, ErrorKind::Invalid);
  EXPECT_EQ(access.error().message,
            "the AWS region \"evil.example/#\" is not a region's name, such as us-east-1");
}

TEST(BedrockAddress, ComesFromTheMostSpecificVariable) {
  Variables variables;
  const auto address = [&variables] {
    return find_bedrock_address(files::Environment(variables), "eu-west-1").value();
  };
  EXPECT_EQ(address(), "https://bedrock-runtime.eu-west-1.amazonaws.com");
  variables["BEDROCK_BASE_URL"] = "http://third";
  EXPECT_EQ(address(), "http://third");
  variables["AWS_ENDPOINT_URL"] = "http://second";
  EXPECT_EQ(address(), "http://second");
  variables["AWS_ENDPOINT_URL_BEDROCK_RUNTIME"] = "http://first";
  EXPECT_EQ(address(), "http://first");
}

}  // namespace
}  // namespace personascope::llm
