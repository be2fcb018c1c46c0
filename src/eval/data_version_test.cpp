#include "eval/data_version.hpp"

#include <gtest/gtest.h>

#include "files/testing/temporary_folder.hpp"

namespace personascope::eval {
namespace {

TEST(DataVersion, FindsTheFolderOfAVersion) {
  const files::TemporaryFolder folder;
  folder.write("v1/personas.jsonl", "");
  const std::string root = folder.path("");
  EXPECT_EQ(find_data_version(root, 2, std::nullopt).value(), root);
  EXPECT_EQ(find_data_version(root, 2, 2).value(), root);
  EXPECT_EQ(find_data_version(root, 2, 1).value(), root + "/v1");
}

TEST(DataVersion, NamesThoseThatThereAre) {
  const files::TemporaryFolder folder;
  folder.write("v1/personas.jsonl", "");
  for (const std::int64_t wanted : {0, 3, 7}) {
    const auto found = find_data_version(folder.path(""), 2, wanted);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().kind, ErrorKind::NotFound);
    EXPECT_NE(found.error().message.find("it has 1 and 2"), std::string::npos)
        << found.error().message;
  }
  const files::TemporaryFolder bare;
  EXPECT_FALSE(find_data_version(bare.path(""), 2, 1));
}

}  // namespace
}  // namespace personascope::eval
