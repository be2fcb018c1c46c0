// A process that is killed while it imports or deletes a run, or compacts the store, leaves it as
// it was before or as it would be after.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <functional>
#include <thread>

#include "store/sample_records.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/sqlite_transfer.hpp"
#include "store/sqlite/store_care.hpp"
#include "store/sqlite/temporary_folder.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

constexpr std::int64_t kItems = 1500;
constexpr int kKills = 12;

std::string name_of_item(std::int64_t run, std::int64_t item) {
  return fmt::format("{}/{}", run, item);
}

// A run whose items have a call each.
void add_run(Store& store, const std::string& uid) {
  const std::int64_t run = store.create_run(sample_run(uid)).value();
  for (std::int64_t i = 0; i < kItems; ++i) {
    store.append(sample_call(name_of_item(run, i), run), nullptr);
    store.record_item(run, sample_item(i), {{sha256(name_of_item(run, i)), ""}});
  }
  ASSERT_TRUE(store.flush());
}

// Carries out `body` in a process of its own again and again and kills it, each time a little later
// than before, over the time that the whole takes. Calls `check` after each.
void kill_often(const std::function<void()>& prepare, const std::function<void()>& body,
                const std::function<void()>& check) {
  prepare();
  const auto start = std::chrono::steady_clock::now();
  body();
  const auto whole = std::chrono::steady_clock::now() - start;
  for (int i = 0; i < kKills; ++i) {
    prepare();
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      body();
      _exit(0);
    }
    std::this_thread::sleep_for(whole * (i + 1) / (kKills + 1));
    kill(child, SIGKILL);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    SCOPED_TRACE(fmt::format("kill {}, {}", i, WIFSIGNALED(status) ? "killed" : "was done"));
    check();
  }
}

// How many items and answers of the run are there: all or none.
std::int64_t count_whole(Store& store, std::int64_t run, std::int64_t source_run) {
  const auto record = store.reader().load_run(run);
  std::int64_t answers = 0;
  for (std::int64_t i = 0; i < kItems; ++i)
    answers += find_answer(store, sha256(name_of_item(source_run, i))).value() ? 1 : 0;
  const std::int64_t items = store.reader().count_items(run, {}).value();
  EXPECT_EQ(items, answers);
  EXPECT_EQ(record.has_value(), items == kItems);
  if (record) {
    EXPECT_EQ(record->outcomes.total(), kItems);
  }
  return items;
}

TEST(Killed, WhileImportingLeavesARunWholeOrNotAtAll) {
  TemporaryFolder folder;
  const std::string from = folder.file("from.db");
  const std::string to = folder.file("to.db");
  {
    const auto store = open_sqlite_store(from, OpenMode::Create);
    add_run(**store, "moved");
  }
  const auto import_it = [&] {
    const auto source = open_sqlite_transfer(from, OpenMode::ReadOnly);
    const auto target = open_sqlite_transfer(to, OpenMode::Create);
    if (!source || !target) _exit(1);
    const auto run = (*source)->open_run(1);
    if (!run || !(*target)->import_run(**run)) _exit(1);
  };
  const auto prepare = [&] {
    for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(to + ending);
    const auto store = open_sqlite_store(to, OpenMode::Create);
    ASSERT_TRUE(append_and_wait(**store, sample_call("here before", 7)));
  };
  kill_often(prepare, import_it, [&] {
    const auto store = open_sqlite_store(to, OpenMode::ReadWrite);
    ASSERT_TRUE(store) << store.error().message;
    const std::int64_t there = count_whole(**store, 1, 1);
    EXPECT_TRUE(there == 0 || there == kItems) << there;
    EXPECT_TRUE(find_answer(**store, sha256("here before")).value());
    const auto source = open_sqlite_transfer(from, OpenMode::ReadOnly);
    const auto run = (*source)->open_run(1);
    ASSERT_TRUE(run);
    const auto again = open_sqlite_transfer(to, OpenMode::ReadWrite).value()->import_run(**run);
    ASSERT_TRUE(again) << again.error().message;
    EXPECT_EQ(again->was_there, there == kItems);
    EXPECT_EQ(count_whole(**store, 1, 1), kItems);
  });
}

class KilledCare : public testing::Test {
 protected:
  void prepare() {
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
      std::filesystem::remove(entry.path());
    const auto store = open_sqlite_store(path_, OpenMode::Create);
    add_run(**store, "stays");
    add_run(**store, "goes");
  }
  void check_what_stays(Store& store) {
    EXPECT_EQ(count_whole(store, 1, 1), kItems);
    const auto sound = check_sqlite_store(path_, {});
    ASSERT_TRUE(sound);
    EXPECT_TRUE(sound->faults.empty());
  }

  TemporaryFolder folder_;
  std::string path_ = folder_.file("test.db");
};

TEST_F(KilledCare, DeletingLosesNothingOfOtherRuns) {
  const auto delete_it = [&] {
    const auto store = open_sqlite_store(path_, OpenMode::ReadWrite);
    if (!store || !(*store)->delete_run(2)) _exit(1);
  };
  kill_often([&] { prepare(); }, delete_it,
             [&] {
               const auto store = open_sqlite_store(path_, OpenMode::ReadWrite);
               ASSERT_TRUE(store) << store.error().message;
               check_what_stays(**store);
               const std::int64_t there = count_whole(**store, 2, 2);
               EXPECT_TRUE(there == 0 || there == kItems) << there;
             });
}

TEST_F(KilledCare, CompactingLosesNothing) {
  const auto compact = [&] {
    if (!compact_sqlite_store(path_)) _exit(1);
  };
  const auto prepare_deleted = [&] {
    prepare();
    ASSERT_TRUE(open_sqlite_store(path_, OpenMode::ReadWrite).value()->delete_run(2));
  };
  kill_often(prepare_deleted, compact, [&] {
    const auto store = open_sqlite_store(path_, OpenMode::ReadWrite);
    ASSERT_TRUE(store) << store.error().message;
    check_what_stays(**store);
  });
}

}  // namespace
}  // namespace personascope::store
