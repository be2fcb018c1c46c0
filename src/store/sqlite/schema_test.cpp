#include "store/sqlite/schema.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>

#include "store/sample_records.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/temporary_folder.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

class SchemaTest : public testing::Test {
 protected:
  std::string path() const { return folder_.file("test.db"); }

  void make_old_store(std::int64_t version) const {
    std::ofstream(path()) << "";
    auto connection = Connection::open(path(), Access::ReadWrite);
    ASSERT_TRUE(connection);
    const auto made = create_version(*connection, version);
    ASSERT_TRUE(made) << made.error().message;
  }
  void execute(const char* sql) const {
    auto connection = Connection::open(path(), Access::ReadWrite);
    ASSERT_TRUE(connection);
    const auto done = connection->execute(sql);
    ASSERT_TRUE(done) << done.error().message;
  }
  void open_once() const { ASSERT_TRUE(open_sqlite_store(path(), OpenMode::Create)); }

  TemporaryFolder folder_;
};

TEST_F(SchemaTest, BringsAStoreOfTheFirstVersionUpToDate) {
  make_old_store(1);
  execute(
      "INSERT INTO total (run, calls, input_tokens, output_tokens, cost_usd) "
      "VALUES (5, 9, 70, 7, 0.5)");
  const auto reading = open_sqlite_store(path(), OpenMode::ReadOnly);
  ASSERT_FALSE(reading);
  EXPECT_EQ(reading.error().message, path() +
                                         " was written by an older version of this program: open "
                                         "it once for writing, which converts it");
  open_once();
  const auto store = open_sqlite_store(path(), OpenMode::ReadOnly);
  ASSERT_TRUE(store) << store.error().message;
  const auto spending = (*store)->reader().load_spending(5);
  ASSERT_TRUE(spending);
  EXPECT_EQ(spending->calls, 9);
  EXPECT_EQ(spending->max_tokens, 77);
  EXPECT_EQ(spending->max_cost_usd, 0.5);
}

TEST_F(SchemaTest, TurnsTheUnitsOfVersion4IntoItemsAndKeepsACopy) {
  using enum core::Outcome;
  make_old_store(4);
  execute(R"(
    INSERT INTO run (id, uid, command, plan, state, note, started_at, finished_at, units) VALUES
      (1, 'u1', 'gym', '{"model":"a/b","judges":["c/d","e/f"]}', 'done', '', 'then', 'later', 4),
      (2, 'u2', 'batch', '{"model":"a/b"}', 'running', '', 'then', '', 2),
      (3, 'u3', 'lens', '{"assistant":"g/h","judges":[]}', 'done', '', 'then', 'later', 1);
    INSERT INTO unit (run, position, item, outcome, detail) VALUES
      (1, 0, 'p1/t/1', 'ok', CAST(X'00' ||
        '{"cluster":"p1","task":"Expected Action","score":4.5,"judges":{"c/d":4,"e/f":5}}' AS BLOB)),
      (1, 1, 'p1/t/2', 'ok', X'00'),
      (1, 2, 'p1/t/3', 'failed', CAST(X'00' || 'timeout: no answer in 60 s' AS BLOB)),
      (1, 3, 'p1/t/4', 'refused', CAST(X'FF' || 'damaged' AS BLOB)),
      (2, 0, 'a', 'ok', X'00'),
      (2, 1, 'b', 'refused', CAST(X'00' || 'I would rather not' AS BLOB)),
      (3, 0, 'user1/SD-1', 'ok', CAST(X'00' ||
        '{"cluster":"user1","task":"SD-1","scores":{"personalization":3}}' AS BLOB));
    INSERT INTO total (run, ok, refused, failed) VALUES (1, 2, 1, 1), (2, 1, 1, 0), (3, 1, 0, 0);)");
  open_once();
  EXPECT_TRUE(std::filesystem::exists(path() + ".v4"));
  const auto store = open_sqlite_store(path(), OpenMode::Create);
  ASSERT_TRUE(store) << store.error().message;
  Reader& reader = (*store)->reader();
  const auto gym = reader.load_run(1);
  ASSERT_TRUE(gym) << gym.error().message;
  EXPECT_EQ(gym->model, "a/b");
  EXPECT_EQ(gym->judge, "c/d, e/f");
  EXPECT_EQ(reader.load_run(3)->model, "g/h");
  EXPECT_EQ(gym->outcomes[Scored], 1);
  EXPECT_EQ(gym->outcomes[Abstained], 1);
  EXPECT_EQ(gym->outcomes[Failed], 1);
  EXPECT_EQ(gym->outcomes[Refused], 1);
  const auto items = reader.load_items(1, {});
  ASSERT_EQ(items->size(), 4U);
  EXPECT_EQ((*items)[0].score, 4.5);
  EXPECT_EQ((*items)[0].cluster, "p1");
  EXPECT_EQ((*items)[0].label, "Expected Action");
  EXPECT_EQ((*items)[0].judges, Json({{"c/d", 4}, {"e/f", 5}}));
  EXPECT_EQ((*items)[2].error->kind, ErrorKind::Timeout);
  EXPECT_EQ((*items)[2].error->message, "no answer in 60 s");
  EXPECT_EQ(reader.load_items(2, {})->at(0).outcome, Answered);
  EXPECT_EQ(reader.load_items(2, {})->at(1).error->message, "I would rather not");
  EXPECT_EQ(reader.load_items(3, {})->at(0).scores, Json({{"personalization", 3}}));
  EXPECT_EQ(present_state(*reader.load_run(2), std::chrono::system_clock::now()), RunState::Stopped)
      << "0.1 had no heartbeat";
  // Nobody knows which answers the old runs used, so all of them stay.
  (*store)->append(sample_call("paid by 1", 1), nullptr);
  ASSERT_TRUE((*store)->delete_run(1));
  EXPECT_TRUE(find_answer(**store, sha256("paid by 1")).value());
}

}  // namespace
}  // namespace personascope::store
