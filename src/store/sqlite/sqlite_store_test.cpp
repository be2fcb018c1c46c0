#include "store/sqlite/sqlite_store.hpp"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <future>
#include <thread>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "store/sample_records.hpp"
#include "store/sqlite/sqlite_leases.hpp"
#include "store/sqlite/sqlite_transfer.hpp"
#include "store/sqlite/temporary_folder.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

class SqlitePlace final : public StorePlace {
 public:
  std::unique_ptr<Store> open() override {
    auto store = open_sqlite_store(folder_.file("test.db"), OpenMode::Create);
    return store ? std::move(*store) : nullptr;
  }
  std::unique_ptr<RunTransfer> open_transfer() override {
    auto transfer = open_sqlite_transfer(folder_.file("test.db"), OpenMode::Create);
    return transfer ? std::move(*transfer) : nullptr;
  }
  std::unique_ptr<Leases> open_leases() override {
    auto leases = open_sqlite_leases(folder_.file("test.db"));
    return leases ? std::move(*leases) : nullptr;
  }

 private:
  TemporaryFolder folder_;
};

std::unique_ptr<StorePlace> make_sqlite_place() {
  return std::make_unique<SqlitePlace>();
}

INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, testing::Values(make_sqlite_place));

constexpr unsigned kNobody = 65534;

// Root may do everything, so a test of permissions gives its rights up for a while.
class WithoutRoot {
 public:
  WithoutRoot() {
    if (geteuid() == 0) was_root_ = seteuid(kNobody) == 0;
  }
  ~WithoutRoot() {
    if (was_root_ && seteuid(0) != 0) std::abort();
  }
  WithoutRoot(const WithoutRoot&) = delete;
  WithoutRoot& operator=(const WithoutRoot&) = delete;

 private:
  bool was_root_ = false;
};

class SqliteStoreTest : public testing::Test {
 protected:
  std::string path() const { return folder_.file("test.db"); }

  void make_store() const {
    const auto store = open_sqlite_store(path(), OpenMode::Create);
    ASSERT_TRUE(store) << store.error().message;
    ASSERT_TRUE(append_and_wait(**store, sample_call("a")));
  }

  void write_file(const std::string& text) const { std::ofstream(path()) << text; }

  void execute(const char* sql) const {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(path().c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(connection);
  }

  void expect_failure(const std::string& path, OpenMode mode, ErrorKind kind,
                      const std::string& message) const {
    const auto store = open_sqlite_store(path, mode);
    ASSERT_FALSE(store);
    EXPECT_EQ(name_of(store.error().kind), name_of(kind));
    EXPECT_EQ(store.error().message, message);
  }

  WithoutRoot without_root_;
  TemporaryFolder folder_;
};

mode_t mode_of(const std::string& path) {
  struct stat status{};
  EXPECT_EQ(stat(path.c_str(), &status), 0) << path;
  return status.st_mode & 0777;
}

TEST_F(SqliteStoreTest, MakesItsFoldersAndFilesForTheOwnerOnly) {
  const std::string deep = folder_.file("one/two/test.db");
  const auto store = open_sqlite_store(deep, OpenMode::Create);
  ASSERT_TRUE(store) << store.error().message;
  ASSERT_TRUE(append_and_wait(**store, sample_call("a")));
  EXPECT_EQ(mode_of(folder_.file("one")), 0700U);
  EXPECT_EQ(mode_of(folder_.file("one/two")), 0700U);
  EXPECT_EQ(mode_of(deep), 0600U);
  EXPECT_EQ(mode_of(deep + "-wal"), 0600U);
}

TEST_F(SqliteStoreTest, ReadsAStoreWithoutWritingToIt) {
  make_store();
  const auto store = open_sqlite_store(path(), OpenMode::ReadOnly);
  ASSERT_TRUE(store) << store.error().message;
  EXPECT_TRUE(find_answer(**store, sha256("a"))->has_value());
  const std::string message = path() + " is open for reading only";
  EXPECT_EQ(append_and_wait(**store, sample_call("b")).error().message, message);
  EXPECT_EQ((*store)->create_run(sample_run("u")).error().message, message);
  EXPECT_EQ((*store)->lock_run(1).error().message, message);
  EXPECT_TRUE((*store)->flush());
}

TEST_F(SqliteStoreTest, SaysThatThereIsNoStore) {
  for (const OpenMode mode : {OpenMode::ReadOnly, OpenMode::ReadWrite})
    expect_failure(path(), mode, ErrorKind::NotFound,
                   "there is no store at " + path() + ": check the path");
  EXPECT_FALSE(std::filesystem::exists(path()));
}

TEST_F(SqliteStoreTest, RefusesAPathThatIsNoFile) {
  const std::string folder = folder_.path();
  const std::string hint = " is a folder: name a file in it, e.g. ";
  expect_failure(folder, OpenMode::Create, ErrorKind::Invalid,
                 folder + hint + folder + "/personascope.db");
  expect_failure(folder + "/new/", OpenMode::Create, ErrorKind::Invalid,
                 folder + "/new/" + hint + folder + "/new/personascope.db");
  expect_failure("/dev/null", OpenMode::Create, ErrorKind::Invalid,
                 "/dev/null is not a regular file: name another");
  expect_failure("", OpenMode::Create, ErrorKind::Invalid,
                 "the path of the store is empty: name a file");
  write_file("a file");
  expect_failure(path() + "/inside/test.db", OpenMode::Create, ErrorKind::Invalid,
                 path() + " is a file, so a store cannot be inside it: name another path");
}

TEST_F(SqliteStoreTest, RefusesAFileThatIsNoDatabase) {
  const std::string text = "{\"custom_id\": \"line 1\", \"body\": {}}\n";
  write_file(text + std::string(2000, ' '));
  for (const OpenMode mode : {OpenMode::Create, OpenMode::ReadOnly})
    expect_failure(path(), mode, ErrorKind::Invalid,
                   path() + " is not a store, or it is encrypted: name another file");
  EXPECT_EQ(std::filesystem::file_size(path()), text.size() + 2000) << "it is left as it was";
}

TEST_F(SqliteStoreTest, RefusesADatabaseOfAnotherProgram) {
  for (const char* sql : {"CREATE TABLE theirs (x)", "PRAGMA application_id = 42"}) {
    execute(sql);
    for (const OpenMode mode : {OpenMode::Create, OpenMode::ReadOnly})
      expect_failure(path(), mode, ErrorKind::Storage,
                     path() + " is a database of another program: name another file");
  }
}

TEST_F(SqliteStoreTest, RefusesAStoreOfANewerVersion) {
  make_store();
  execute("PRAGMA user_version = 9");
  for (const OpenMode mode : {OpenMode::Create, OpenMode::ReadOnly})
    expect_failure(path(), mode, ErrorKind::Storage,
                   path() +
                       " was written by a newer version of this program (format 9; this one "
                       "knows 6): update the program");
}

TEST_F(SqliteStoreTest, AsksAgainForWhatAFlippedBitHasDamaged) {
  make_store();
  const auto store = open_sqlite_store(path(), OpenMode::Create);
  ASSERT_TRUE(store);
  ASSERT_TRUE(find_answer(**store, sha256("a")).value());
  execute("UPDATE call SET answer = CAST(X'00' || 'another answer' AS BLOB)");
  EXPECT_FALSE((*store)->reader().has_answer(sha256("a")).value()) << "its checksum is wrong";
  EXPECT_FALSE(find_answer(**store, sha256("a")).value()) << "likewise";
  CallRecord again = sample_call("a");
  again.answer->text = "asked again";
  EXPECT_EQ(append_and_wait(**store, again).value(), Kept::This);
  EXPECT_EQ(find_answer(**store, sha256("a")).value().value()->text, "asked again");
  execute("UPDATE call SET finish = 'stop'");
  EXPECT_FALSE(find_answer(**store, sha256("a")).value());
}

TEST_F(SqliteStoreTest, MakesAStoreOfAnEmptyFileButReadsNone) {
  write_file("");
  expect_failure(path(), OpenMode::ReadOnly, ErrorKind::Storage,
                 path() + " is empty: start a run in it, or name another file");
  make_store();
}

TEST_F(SqliteStoreTest, SaysThatAStoreIsDamaged) {
  make_store();
  {
    std::fstream file(path(), std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(8192);
    file << std::string(std::filesystem::file_size(path()) - 8192, '\xa5');
  }
  const auto store = open_sqlite_store(path(), OpenMode::ReadOnly);
  ASSERT_TRUE(store) << "the first page is whole";
  const auto found = find_answer(**store, sha256("a"));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().kind, ErrorKind::Storage);
  EXPECT_EQ(found.error().message,
            path() +
                " is damaged: restore it from a copy, or rescue what is left with "
                "\"sqlite3 FILE .recover\"");
}

TEST_F(SqliteStoreTest, SaysThatTheFileCannotBeWritten) {
  make_store();
  chmod(path().c_str(), 0400);
  expect_failure(path(), OpenMode::Create, ErrorKind::Storage,
                 path() + " cannot be written: make the file and its folder writable");
  EXPECT_TRUE(open_sqlite_store(path(), OpenMode::ReadOnly));
}

TEST_F(SqliteStoreTest, SaysThatTheFileCannotBeRead) {
  make_store();
  chmod(path().c_str(), 0);
  expect_failure(path(), OpenMode::ReadOnly, ErrorKind::Storage,
                 path() +
                     " cannot be opened: make the file readable and its folder writable "
                     "(SQLite keeps its -wal and -shm files there)");
}

TEST_F(SqliteStoreTest, SaysThatTheFolderCannotBeWritten) {
  chmod(folder_.path().c_str(), 0500);
  expect_failure(path(), OpenMode::Create, ErrorKind::Storage,
                 "cannot create " + path() +
                     " (Permission denied): make its folder writable, or name another path");
  const std::string deep = folder_.file("one/test.db");
  expect_failure(deep, OpenMode::Create, ErrorKind::Storage,
                 "cannot create the folder " + folder_.file("one") +
                     " (Permission denied): make its folder writable, or name another path");
  chmod(folder_.path().c_str(), 0700);
  make_store();
  chmod(folder_.path().c_str(), 0500);
  EXPECT_EQ(open_sqlite_store(path(), OpenMode::Create).error().kind, ErrorKind::Storage);
  EXPECT_EQ(open_sqlite_store(path(), OpenMode::ReadOnly).error().kind, ErrorKind::Storage);
  chmod(folder_.path().c_str(), 0700);
}

CallRecord large_call(const std::string& name) {
  CallRecord call = sample_call(name);
  Random random(1);
  for (int i = 0; i < 1'000'000; ++i) call.answer->text += static_cast<char>(random.next());
  return call;
}

TEST_F(SqliteStoreTest, UndoesTheBatchOnAFullDiskAndWorksOn) {
  const auto opened = open_sqlite_store(path(), OpenMode::Create, {.max_pages = 30});
  ASSERT_TRUE(opened);
  Store& store = **opened;
  ASSERT_TRUE(append_and_wait(store, sample_call("before")));
  const std::string message =
      "there is no space left to write " + path() +
      ": free some and run the same command again; what was answered before is kept";
  const auto failed = append_and_wait(store, large_call("large"));
  ASSERT_FALSE(failed);
  EXPECT_EQ(failed.error().kind, ErrorKind::Storage);
  EXPECT_EQ(failed.error().message, message);
  const auto flushed = store.flush();
  ASSERT_FALSE(flushed);
  EXPECT_EQ(flushed.error().message, message);
  EXPECT_TRUE(store.flush()) << "an error is told once";

  EXPECT_TRUE(append_and_wait(store, sample_call("after")));
  EXPECT_TRUE(find_answer(store, sha256("before"))->has_value());
  EXPECT_FALSE(find_answer(store, sha256("large"))->has_value());
  EXPECT_TRUE(find_answer(store, sha256("after"))->has_value());
  EXPECT_EQ(store.reader().load_spending(1)->calls, 2);
}

TEST_F(SqliteStoreTest, TellsEveryCallOfAnUndoneBatch) {
  const auto opened = open_sqlite_store(path(), OpenMode::Create, {.max_pages = 30});
  ASSERT_TRUE(opened);
  Store& store = **opened;
  int failures = 0;
  int calls = 0;
  const auto count = [&](const Result<Kept>& committed) {
    ++calls;
    if (!committed) ++failures;
  };
  // While the first callback runs, the next calls gather to one batch.
  std::promise<void> gathered;
  store.append(sample_call("first"), [&](const Result<Kept>& committed) {
    count(committed);
    store.append(sample_call("small"), count);
    store.append(large_call("large"), count);
    store.append(sample_call("small too"), count);
    store.record_item(1, sample_item(0), {});
    gathered.set_value();
  });
  gathered.get_future().wait();
  EXPECT_FALSE(store.flush());
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(failures, 3);
  EXPECT_FALSE(find_answer(store, sha256("small"))->has_value());
  EXPECT_TRUE(store.reader().load_items(1, {})->empty());
}

TEST_F(SqliteStoreTest, RemovesItsLockFile) {
  const auto store = open_sqlite_store(path(), OpenMode::Create);
  ASSERT_TRUE(store);
  {
    const auto lock = (*store)->lock_run(7);
    EXPECT_EQ(mode_of(path() + ".run-7.lock"), 0600U);
  }
  EXPECT_FALSE(std::filesystem::exists(path() + ".run-7.lock"));
}

TEST_F(SqliteStoreTest, LocksTheSameRunThroughASymbolicLink) {
  make_store();
  const std::string link = folder_.file("link.db");
  std::filesystem::create_symlink(path(), link);
  const auto store = open_sqlite_store(path(), OpenMode::ReadWrite);
  const auto linked = open_sqlite_store(link, OpenMode::ReadWrite);
  ASSERT_TRUE(store && linked);
  const auto lock = (*store)->lock_run(7);
  EXPECT_FALSE((*linked)->lock_run(7));
}

TEST_F(SqliteStoreTest, FoldsTheLogBackWhileItIsWritten) {
  const auto store = open_sqlite_store(path(), OpenMode::Create);
  ASSERT_TRUE(store);
  Random random(1);
  constexpr std::size_t kBytes = 1 << 20;
  constexpr int kRecords = 160;
  for (int i = 0; i < kRecords; ++i) {
    std::string text(kBytes, ' ');  // of which compressing leaves three quarters
    for (char& letter : text) letter = static_cast<char>('0' + random.next() % 64);
    CallRecord record = sample_call(std::to_string(i), 1);
    record.answer->text = std::move(text);
    (*store)->append(std::move(record), {});
    ASSERT_TRUE((*store)->flush());
    std::this_thread::sleep_for(milliseconds(5));  // a writer quicker than the disk outruns it
  }
  EXPECT_GT(std::filesystem::file_size(path()), kRecords * kBytes / 4);
  EXPECT_LT(std::filesystem::file_size(path() + "-wal"), kRecords * kBytes / 2);
}

}  // namespace
}  // namespace personascope::store
