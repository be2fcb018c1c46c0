#include "store/sqlite/store_care.hpp"

#include <gtest/gtest.h>

#include "store/sample_records.hpp"
#include "store/sqlite/connection.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/temporary_folder.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

// As llm/call.cpp makes the key, so that the request can be checked by it.
CallRecord call_with_key(const std::string& name) {
  CallRecord call = sample_call(name);
  call.request = R"({"messages":[")" + name + R"("]})";
  Sha256 hash;
  for (const std::string& part : {std::string("ask"), call.endpoint, call.request, call.replicate})
    hash.update(part + "\n");
  call.key = hash.digest();
  return call;
}

class StoreCare : public testing::Test {
 protected:
  void SetUp() override {
    const auto store = open_sqlite_store(path_, OpenMode::Create);
    ASSERT_TRUE(store);
    for (const char* name : {"a", "b", "c"})
      ASSERT_TRUE(append_and_wait(**store, call_with_key(name)));
  }
  void execute(const char* sql) {
    auto connection = Connection::open(path_, Access::ReadWrite);
    ASSERT_TRUE(connection);
    ASSERT_TRUE(connection->execute(sql));
  }
  StoreCheck check() { return check_sqlite_store(path_, {}).value(); }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("test.db");
};

TEST_F(StoreCare, FindsASoundStoreSound) {
  EXPECT_TRUE(check().is_sound());
  EXPECT_EQ(check().answers, 3);
  EXPECT_EQ(check().without_checksum, 0);
}

TEST_F(StoreCare, NamesDamagedAnswersAndRequests) {
  execute("UPDATE call SET answer = CAST(X'00' || 'x' AS BLOB) WHERE id = 1");
  execute("UPDATE call SET request = CAST(X'00' || '{}' AS BLOB) WHERE id = 3");
  EXPECT_EQ(check().damaged_items, (std::vector<std::string>{"item of a", "item of c"}));
}

TEST_F(StoreCare, CountsAnswersThatHaveNoChecksum) {
  execute("UPDATE call SET checksum = NULL WHERE id = 2");
  EXPECT_TRUE(check().is_sound());
  EXPECT_EQ(check().without_checksum, 1);
}

TEST_F(StoreCare, GivesSpaceBack) {
  {
    const auto store = open_sqlite_store(path_, OpenMode::Create);
    for (int i = 0; i < 300; ++i) {
      CallRecord call = call_with_key("large " + std::to_string(i));
      call.request = render_hex(sha256(call.request)) + call.request;
      for (int k = 0; k < 40; ++k) call.answer->text += render_hex(sha256(call.answer->text));
      (*store)->append(call, nullptr);
    }
    ASSERT_TRUE((*store)->flush());
  }
  execute("DELETE FROM call WHERE id > 3");
  const auto compaction = compact_sqlite_store(path_);
  ASSERT_TRUE(compaction) << compaction.error().message;
  EXPECT_LT(compaction->after, compaction->before / 4);
  EXPECT_EQ(check().answers, 3);
}

TEST_F(StoreCare, MakesNoStoreWhereThereIsNone) {
  EXPECT_EQ(check_sqlite_store(folder_.file("typo.db"), {}).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(compact_sqlite_store(folder_.file("typo.db")).error().kind, ErrorKind::NotFound);
}

}  // namespace
}  // namespace personascope::store
