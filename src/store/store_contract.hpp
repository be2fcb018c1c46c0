// Tests of the behaviour of every store. A new kind of store instantiates the suite in its folder:
//   INSTANTIATE_TEST_SUITE_P(Sqlite, StoreContract, testing::Values(make_sqlite_place));
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <string>

#include "store/leases.hpp"
#include "store/run_transfer.hpp"
#include "store/store.hpp"

namespace personascope::store {

// Where a store keeps its records: every store opened at one place sees the same ones.
class StorePlace {
 public:
  virtual ~StorePlace() = default;
  // Null if it cannot be opened.
  virtual std::unique_ptr<Store> open() = 0;
  virtual std::unique_ptr<RunTransfer> open_transfer() = 0;
  virtual std::unique_ptr<Leases> open_leases() = 0;
};

// Makes a new, empty place.
using MakePlace = std::unique_ptr<StorePlace> (*)();

class StoreContract : public testing::TestWithParam<MakePlace> {
 protected:
  void SetUp() override;

  std::unique_ptr<StorePlace> place_;
  std::unique_ptr<Store> store_;
};

// Appends and waits for the commit.
Result<Kept> append_and_wait(Store& store, CallRecord record);

// Awaits the look-up on a loop of its own.
Result<std::optional<Result<core::Reply>>> find_answer(Journal& journal, const Digest& key);
Result<std::optional<Error>> find_last_attempt(Journal& journal, const Digest& key);

// All of a reply, so that two can be compared and a difference read.
std::string describe(const Result<core::Reply>& answer);

}  // namespace personascope::store
