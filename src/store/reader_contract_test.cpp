// What every store promises of reading a large run.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "store/sample_records.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

using enum core::Outcome;

core::Outcome outcome_of(std::int64_t position) {
  return position % 1000 == 7 ? Refused : position % 1000 == 8 ? Failed : Scored;
}

// With sanitizers, which are some ten times slower, a tenth.
#ifdef NDEBUG
constexpr std::int64_t kUsual = 200'000;
#else
constexpr std::int64_t kUsual = 20'000;
#endif

std::int64_t count_wanted() {
  const char* given = std::getenv("PERSONASCOPE_READER_ITEMS");
  return given ? std::max<std::int64_t>(10'000, std::atoll(given)) : kUsual;
}

TEST_P(StoreContract, PagesFiltersAndSortsALargeRun) {
  const std::int64_t count = count_wanted();
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  for (std::int64_t i = 0; i < count; ++i) {
    store_->record_item(1, sample_item(i, outcome_of(i)), {});
    if (i % 5000 == 4999) {
      ASSERT_TRUE(store_->flush());  // so that not all wait in memory
    }
  }
  ASSERT_TRUE(store_->flush());
  Reader& reader = store_->reader();
  EXPECT_EQ(reader.load_run(1)->outcomes.total(), count);
  EXPECT_EQ(reader.load_run(1)->outcomes[Refused], count / 1000);

  // Page after page gives every item once, in order.
  ItemFilter page;
  page.limit = 700;
  std::int64_t next = 0;
  for (;; page.offset += page.limit) {
    const auto items = reader.load_items(1, page);
    ASSERT_TRUE(items);
    for (const core::ItemRecord& item : *items) ASSERT_EQ(item.position, next++);
    if (std::ssize(*items) < page.limit) break;
  }
  EXPECT_EQ(next, count);

  ItemFilter refused;
  refused.outcome = Refused;
  EXPECT_EQ(reader.count_items(1, refused).value(), count / 1000);
  EXPECT_EQ(reader.load_items(1, refused)->at(1).position, 1007);
  ItemFilter cluster;
  cluster.cluster = "p900";
  EXPECT_EQ(reader.count_items(1, cluster).value(), 10);
  ItemFilter worst;
  worst.order = ItemOrder::WorstFirst;
  worst.limit = 3;
  const auto lowest = reader.load_items(1, worst);
  ASSERT_TRUE(lowest);
  for (const core::ItemRecord& item : *lowest) EXPECT_EQ(item.score, 1.0);
  worst.offset = count - 1;
  EXPECT_FALSE(reader.load_items(1, worst)->at(0).score) << "unscored items come last";
  ItemFilter found;
  found.search = "question 9999?";
  found.limit = 1;
  EXPECT_EQ(reader.load_items(1, found)->at(0).position, 9999);
  EXPECT_EQ(reader.find_position(1, sample_item(count - 1).id).value(), count - 1);
  EXPECT_EQ(reader.load_item(1, count - 1)->item.document, sample_item(count - 1).document);
  ItemFilter beyond;
  beyond.offset = count;
  EXPECT_TRUE(reader.load_items(1, beyond)->empty());
}

}  // namespace
}  // namespace personascope::store
