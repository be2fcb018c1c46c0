#include "run/hub.hpp"

#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "files/testing/temporary_folder.hpp"
#include "run/download.hpp"

namespace personascope::run {
namespace {

constexpr const char* kCommit = "0123456789abcdef0123456789abcdef01234567";

std::string list(const std::string& files) {
  const auto listing = parse_hub_listing(
      fmt::format(R"({{"sha": "{}", "siblings": [{}]}})", kCommit, files), "me/mine");
  if (!listing) return listing.error().message;
  std::string all;
  for (const HubFile& file : listing->files)
    all += fmt::format("{} {} {};", file.path, file.size, file.sha256.empty() ? "git" : "sha256");
  return all;
}

TEST(Hub, ListsFilesWithTheirHashes) {
  const std::string sha256(64, 'a');
  EXPECT_EQ(list(fmt::format(R"({{"rfilename": "data/a b.csv", "size": 3, "blobId": "{}"}},
                                {{"rfilename": ".gitattributes"}},
                                {{"rfilename": "../x.csv", "size": 3, "blobId": "{}"}},
                                {{"rfilename": "x.parquet", "size": 4, "blobId": "{}",
                                  "lfs": {{"sha256": "{}"}}}})",
                             kCommit, kCommit, kCommit, sha256)),
            "data/a b.csv 3 git;x.parquet 4 sha256;");
}

TEST(Hub, RefusesAListThatCannotBeTrusted) {
  for (const char* file : {R"({"rfilename": "/x", "size": 3, "blobId": "BLOB"})",
                           R"({"rfilename": "a//b", "size": 3, "blobId": "BLOB"})",
                           R"({"rfilename": "a\nb", "size": 3, "blobId": "BLOB"})",
                           R"({"rfilename": "x", "size": -1, "blobId": "BLOB"})",
                           R"({"rfilename": "x", "size": 3, "blobId": "123"})", "7"})
    EXPECT_TRUE(list(file).starts_with("the hub ")) << file;
  EXPECT_FALSE(parse_hub_listing("<html>", "me/mine"));
  EXPECT_FALSE(parse_hub_listing(R"({"sha": "../..", "siblings": []})", "me/mine"));
}

// The `.env` file may have come with somebody's repository.
TEST(Hub, SendsNoTokenOfTheUsersToAnEndpointFromADotenv) {
  const files::TemporaryFolder folder;
  const std::string dotenv = folder.write(".env", "HF_ENDPOINT=https://evil.example\n");
  chmod(dotenv.c_str(), 0600);
  const auto find = [&] {
    const auto access = find_hub_access(*files::Environment::load(folder.path("")));
    return access ? access->endpoint + " " + access->token.reveal() : access.error().message;
  };
  setenv("HF_TOKEN_PATH", folder.path("token").c_str(), 1);
  EXPECT_EQ(find(), "https://evil.example ") << "no token at all";
  folder.write("token", "of a login");
  EXPECT_TRUE(find().starts_with("HF_ENDPOINT comes from ")) << find();
  setenv("HF_TOKEN", "of the user's", 1);
  EXPECT_TRUE(find().starts_with("HF_ENDPOINT comes from ")) << find();
  unsetenv("HF_TOKEN");
  folder.write(".env", "HF_ENDPOINT=https://evil.example\nHF_TOKEN=theirs\n");
  EXPECT_EQ(find(), "https://evil.example theirs");
  unsetenv("HF_TOKEN_PATH");
}

TEST(Hub, FindsTheTokenWhereALoginLeavesIt) {
  const files::TemporaryFolder folder;
  folder.write("token", " from a file \n");
  const auto find = [&](std::map<std::string, std::string> variables) {
    variables.emplace("HOME", "/nowhere");
    const auto access = find_hub_access(files::Environment(std::move(variables)));
    return access ? access->endpoint + " " + access->token.reveal() : access.error().message;
  };
  EXPECT_EQ(find({}), "https://huggingface.co ");
  EXPECT_EQ(find({{"HF_HOME", folder.path("")}}), "https://huggingface.co from a file");
  EXPECT_EQ(find({{"HF_HOME", folder.path("")}, {"HF_TOKEN", "own"}}),
            "https://huggingface.co own");
  EXPECT_EQ(find({{"HF_ENDPOINT", "http://127.0.0.1:1/"}, {"HF_TOKEN", "own"}}),
            "http://127.0.0.1:1 own");
  const std::string plain = find({{"HF_ENDPOINT", "http://127.example"}, {"HF_TOKEN", "own"}});
  EXPECT_NE(plain.find("unprotected"), std::string::npos) << plain;
  const std::string local = find({{"HF_ENDPOINT", "http://localhost.evil"}, {"HF_TOKEN", "own"}});
  EXPECT_NE(local.find("unprotected"), std::string::npos) << local;
}

TEST(Hub, AnOriginIsSchemeHostAndPort) {
  EXPECT_EQ(origin_of("https://User:pw@Host.example:8443/path?x#y"), "https://host.example:8443");
  EXPECT_EQ(origin_of("http://host?x"), "http://host");
  EXPECT_EQ(origin_of("nothing"), "");
}

}  // namespace
}  // namespace personascope::run
