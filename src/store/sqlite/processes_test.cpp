// Several processes on one store, and one that is killed.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <set>

#include "store/sample_records.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/temporary_folder.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

// Runs `body` in a child process, which ends with the exit code that it returns.
pid_t start_child(const std::function<int()>& body) {
  const pid_t child = fork();
  if (child == 0) _exit(body());
  return child;
}

int wait_for(pid_t child) {
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

std::string name_of_call(int writer, int call) {
  return fmt::format("{}/{}", writer, call);
}

// Appends until it is killed, and tells every committed call through the pipe.
int append_for_ever(const std::string& path, int pipe) {
  const auto store = open_sqlite_store(path, OpenMode::Create);
  if (!store) return 1;
  for (int i = 0;; ++i) {
    (*store)->append(sample_call(name_of_call(0, i)), [i, pipe](const Result<Kept>& committed) {
      if (!committed || write(pipe, &i, sizeof i) != sizeof i) _exit(2);
    });
    if (i % 100 == 99 && !(*store)->flush()) return 3;
  }
}

TEST(Processes, AKilledOneLosesNothingThatItReported) {
  TemporaryFolder folder;
  const std::string path = folder.file("test.db");
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = start_child([&] { return append_for_ever(path, pipe_ends[1]); });
  ASSERT_GT(child, 0);
  close(pipe_ends[1]);

  std::set<int> reported;
  int call = 0;
  while (read(pipe_ends[0], &call, sizeof call) == sizeof call) {
    reported.insert(call);
    if (reported.size() == 1050) kill(child, SIGKILL);
  }
  close(pipe_ends[0]);
  const int status = wait_for(child);
  ASSERT_TRUE(WIFSIGNALED(status)) << status;
  ASSERT_GE(reported.size(), 1050U);

  const auto store = open_sqlite_store(path, OpenMode::ReadWrite);
  ASSERT_TRUE(store) << store.error().message;
  for (const int one : reported)
    ASSERT_TRUE(find_answer(**store, sha256(name_of_call(0, one)))->has_value()) << one;
  EXPECT_GE((*store)->reader().load_spending(1)->calls, static_cast<std::int64_t>(reported.size()));
  EXPECT_TRUE(append_and_wait(**store, sample_call("after the kill")));
}

int append_many(const std::string& path, int writer, int calls) {
  const auto store = open_sqlite_store(path, OpenMode::Create);
  if (!store) {
    ADD_FAILURE() << store.error().message;
    return 1;
  }
  for (int i = 0; i < calls; ++i) {
    (*store)->append(sample_call(name_of_call(writer, i)), nullptr);
    (*store)->append(sample_call(name_of_call(100, i)), nullptr);
    if (i % 10 == 0 && !(*store)->flush()) return 2;
  }
  return (*store)->flush() ? 0 : 3;
}

TEST(Processes, SeveralMakeAndWriteOneStoreAtOnce) {
  constexpr int kWriters = 4;
  constexpr int kCalls = 300;
  TemporaryFolder folder;
  const std::string path = folder.file("new/test.db");
  std::vector<pid_t> children;
  for (int writer = 0; writer < kWriters; ++writer)
    children.push_back(start_child([&] { return append_many(path, writer, kCalls); }));
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);

  const auto store = open_sqlite_store(path, OpenMode::ReadOnly);
  ASSERT_TRUE(store) << store.error().message;
  for (int writer = 0; writer < kWriters; ++writer)
    for (int i = 0; i < kCalls; ++i)
      ASSERT_TRUE(find_answer(**store, sha256(name_of_call(writer, i)))->has_value());
  EXPECT_EQ((*store)->reader().load_spending(1)->calls, kWriters * kCalls * 2);
  EXPECT_EQ((*store)->reader().load_calls("", "model", 100'000)->size(),
            static_cast<std::size_t>((kWriters + 1) * kCalls));
}

TEST(Processes, ARunIsLockedUntilItsProcessEnds) {
  TemporaryFolder folder;
  const std::string path = folder.file("test.db");
  int pipe_ends[2];
  ASSERT_EQ(pipe(pipe_ends), 0);
  const pid_t child = start_child([&] {
    const auto store = open_sqlite_store(path, OpenMode::Create);
    const auto lock = (*store)->lock_run(7);
    if (!lock || write(pipe_ends[1], "x", 1) != 1) return 1;
    pause();
    return 0;
  });
  char byte = 0;
  ASSERT_EQ(read(pipe_ends[0], &byte, 1), 1);
  const auto store = open_sqlite_store(path, OpenMode::Create);
  ASSERT_TRUE(store);
  EXPECT_FALSE((*store)->lock_run(7));
  kill(child, SIGKILL);
  wait_for(child);
  EXPECT_TRUE((*store)->lock_run(7)) << "a killed process leaves the file but not the lock";
  close(pipe_ends[0]);
  close(pipe_ends[1]);
}

TEST(Processes, OnlyOneOfManyGetsTheLockAtATime) {
  TemporaryFolder folder;
  const std::string path = folder.file("test.db");
  ASSERT_TRUE(open_sqlite_store(path, OpenMode::Create));
  const std::string witness = folder.file("witness");
  const auto contend = [&] {
    const auto store = open_sqlite_store(path, OpenMode::ReadWrite);
    if (!store) return 1;
    for (int got = 0; got < 200;) {
      const auto lock = (*store)->lock_run(7);
      if (!lock) continue;
      ++got;
      // Fails if another holder's folder is still there.
      std::error_code code;
      if (!std::filesystem::create_directory(witness, code)) return 2;
      std::filesystem::remove(witness, code);
    }
    return 0;
  };
  std::vector<pid_t> children;
  for (int i = 0; i < 3; ++i) children.push_back(start_child(contend));
  for (const pid_t child : children) EXPECT_EQ(wait_for(child), 0);
}

}  // namespace
}  // namespace personascope::store
