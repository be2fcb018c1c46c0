// What every store promises of leases.
#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "store/leases.hpp"
#include "store/sample_records.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kShort{40};

std::vector<std::int64_t> pieces_of(const Result<std::vector<Lease>>& leases) {
  std::vector<std::int64_t> pieces;
  for (const Lease& lease : leases.value()) pieces.push_back(lease.piece);
  return pieces;
}

using Pieces = std::vector<std::int64_t>;

TEST_P(StoreContract, LeasesEachPieceToOneWorker) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const auto opened = place_->open_leases();
  ASSERT_NE(opened, nullptr);
  Leases& leases = *opened;
  EXPECT_TRUE(leases.claim("a", 1, 5)->empty()) << "before it has pieces";
  ASSERT_TRUE(leases.add_pieces(1, 5));
  const auto first = leases.claim("a", 1, 2);
  EXPECT_EQ(pieces_of(first), (Pieces{0, 1}));
  EXPECT_EQ(first->front().epoch, 1);
  EXPECT_EQ(pieces_of(leases.claim("b", 1, 10)), (Pieces{2, 3, 4}));
  EXPECT_TRUE(leases.claim("a", 1, 10)->empty()) << "it holds its own already";
  EXPECT_EQ(leases.complete(first->front()).value(), Completion::Done);
  EXPECT_EQ(leases.complete(first->front()).value(), Completion::Done) << "once more";
  ASSERT_TRUE(leases.add_pieces(1, 6)) << "every worker says how many there are";
  const auto counts = leases.count_pieces(1);
  EXPECT_EQ(counts->done, 1);
  EXPECT_EQ(counts->leased, 4);
  EXPECT_EQ(counts->free, 1);
}

TEST_P(StoreContract, GivesThePiecesOfADeadWorkerToOthersAndFencesItOff) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const auto opened = place_->open_leases();
  ASSERT_NE(opened, nullptr);
  Leases& leases = *opened;
  ASSERT_TRUE(leases.add_pieces(1, 2));
  const auto held = leases.claim("dead", 1, 2, kShort);
  ASSERT_EQ(held->size(), 2U);
  std::this_thread::sleep_for(2 * kShort);
  EXPECT_EQ(leases.count_pieces(1)->free, 2);
  const auto taken = leases.claim("b", 1, 1);
  ASSERT_EQ(pieces_of(taken), Pieces{0});
  EXPECT_EQ(taken->front().epoch, 2);
  EXPECT_EQ(leases.complete(held->at(0)).value(), Completion::LeaseLost);
  EXPECT_EQ(leases.complete(taken->front()).value(), Completion::Done);
  EXPECT_EQ(leases.complete(held->at(0)).value(), Completion::LeaseLost) << "also when it is done";
  EXPECT_EQ(leases.complete(held->at(1)).value(), Completion::Done)
      << "nobody has claimed it meanwhile, so its result counts";
  EXPECT_FALSE(leases.renew("dead").value()) << "its lease had ended";
}

TEST_P(StoreContract, KeepsWhatAWorkerRenews) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const auto opened = place_->open_leases();
  ASSERT_NE(opened, nullptr);
  Leases& leases = *opened;
  ASSERT_TRUE(leases.add_pieces(1, 1));
  const auto held = leases.claim("a", 1, 1, milliseconds(2000));
  for (int i = 0; i < 3; ++i) {
    EXPECT_TRUE(leases.renew("a", milliseconds(2000)).value());
    EXPECT_TRUE(leases.claim("b", 1, 1)->empty());
  }
  ASSERT_TRUE(leases.release("a"));
  EXPECT_EQ(pieces_of(leases.claim("b", 1, 1)), Pieces{0}) << "it was given back";
  EXPECT_EQ(leases.complete(held->front()).value(), Completion::LeaseLost);
}

TEST_P(StoreContract, LeasesPiecesOfRunsApart) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  ASSERT_TRUE(store_->create_run(sample_run("u2")));
  const auto opened = place_->open_leases();
  ASSERT_NE(opened, nullptr);
  Leases& leases = *opened;
  ASSERT_TRUE(leases.add_pieces(1, 1));
  ASSERT_TRUE(leases.add_pieces(2, 1));
  EXPECT_EQ(leases.claim("a", 2, 5).value(), (std::vector<Lease>{{2, 0, 1}}));
  EXPECT_EQ(leases.count_pieces(1)->free, 1);
  EXPECT_EQ(leases.claim("a", 3, 1).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(leases.add_pieces(3, 1).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(leases.count_pieces(3).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(leases.complete({1, 7, 1}).value(), Completion::LeaseLost) << "there is no such piece";
  ASSERT_TRUE(store_->delete_run(1));
  ASSERT_TRUE(store_->create_run(sample_run("u3")));
  EXPECT_EQ(leases.count_pieces(3)->free, 0) << "pieces go with their run";
  EXPECT_TRUE(leases.claim("a", 3, 0)->empty());
  EXPECT_TRUE(leases.claim("a", 3, -1)->empty());
}

TEST_P(StoreContract, SharesPiecesOutAmongManyWorkersAtOnce) {
  constexpr int kWorkers = 4;
  constexpr std::int64_t kPieces = 200;
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const auto leases = place_->open_leases();
  ASSERT_TRUE(leases->add_pieces(1, kPieces));
  std::mutex mutex;
  std::multiset<std::int64_t> done;
  std::vector<std::thread> workers;
  for (int w = 0; w < kWorkers; ++w)
    workers.emplace_back([&, w] {
      const auto own = place_->open_leases();
      for (;;) {
        const auto claimed = own->claim(std::to_string(w), 1, 7);
        if (!claimed || claimed->empty()) return;
        for (const Lease& lease : *claimed) {
          if (own->complete(lease).value() != Completion::Done) continue;
          const std::lock_guard lock(mutex);
          done.insert(lease.piece);
        }
      }
    });
  for (std::thread& worker : workers) worker.join();
  EXPECT_EQ(done.size(), static_cast<std::size_t>(kPieces));
  EXPECT_EQ(std::set(done.begin(), done.end()).size(), static_cast<std::size_t>(kPieces));
  EXPECT_EQ(leases->count_pieces(1)->done, kPieces);
}

}  // namespace
}  // namespace personascope::store
