// What every store promises of items, documents, tags and the removal of runs.
#include <gtest/gtest.h>

#include <thread>
#include <vector>

#include "store/sample_records.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

using enum core::Outcome;

std::vector<std::int64_t> positions_of(const Result<std::vector<core::ItemRecord>>& items) {
  std::vector<std::int64_t> positions;
  for (const core::ItemRecord& item : items.value()) positions.push_back(item.position);
  return positions;
}

core::CallLink link_to(const std::string& name, std::string purpose = "") {
  return {sha256(name), std::move(purpose)};
}

TEST_P(StoreContract, CountsAndReplacesItems) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  store_->record_item(1, sample_item(2, Failed), {});
  store_->record_item(1, sample_item(0), {});
  store_->record_item(1, sample_item(1, Refused), {});
  store_->record_item(1, sample_item(2, Scored), {});
  store_->record_item(9, sample_item(0, Failed), {});
  ASSERT_TRUE(store_->flush());
  const core::OutcomeCounts counts = store_->reader().load_run(1)->outcomes;
  EXPECT_EQ(counts[Scored], 2);
  EXPECT_EQ(counts[Refused], 1);
  EXPECT_EQ(counts[Failed], 0);
  EXPECT_EQ(counts.total(), 3);
  EXPECT_EQ(positions_of(store_->reader().load_items(1, {})), (std::vector<std::int64_t>{0, 1, 2}));
  const auto details = store_->reader().load_item(1, 2);
  ASSERT_TRUE(details);
  EXPECT_EQ(details->item.document, sample_item(2).document);
  EXPECT_FALSE(details->item.error) << "the earlier failure is gone";
}

TEST_P(StoreContract, OrdersByScoreWithCanariesLast) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const std::vector<std::pair<std::string, std::optional<double>>> items{
      {"", 5}, {"canary", 1}, {"task", 2}, {"", std::nullopt}};
  for (std::size_t i = 0; i < items.size(); ++i) {
    core::ItemRecord item = sample_item(static_cast<std::int64_t>(i));
    item.label = items[i].first;
    item.score = items[i].second;
    store_->record_item(1, item, {});
  }
  ASSERT_TRUE(store_->flush());
  ItemFilter filter;
  filter.order = ItemOrder::WorstFirst;
  EXPECT_EQ(positions_of(store_->reader().load_items(1, filter)),
            (std::vector<std::int64_t>{2, 0, 3, 1}));
  filter.order = ItemOrder::BestFirst;
  EXPECT_EQ(positions_of(store_->reader().load_items(1, filter)),
            (std::vector<std::int64_t>{0, 2, 3, 1}));
}

TEST_P(StoreContract, GivesBackAnItemAsItWas) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  core::ItemRecord item = sample_item(7, Failed);
  item.scores = {{"personalization", 3}};
  item.judges = {{"openai/gpt-4o", 4.5}};
  item.document = {{"text", std::string(5000, 'x') + "\u00e9"}, {"list", {1, nullptr, "a"}}};
  store_->record_item(1, item, {});
  ASSERT_TRUE(store_->flush());
  const auto found = store_->reader().load_item(1, 7);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(core::to_json(found->item), core::to_json(item));
  EXPECT_EQ(found->item.judges, item.judges);
  EXPECT_EQ(store_->reader().find_position(1, item.id).value(), 7);
  EXPECT_EQ(store_->reader().find_position(1, "p9").error().kind, ErrorKind::NotFound);
  EXPECT_EQ(store_->reader().load_item(1, 8).error().kind, ErrorKind::NotFound);
  EXPECT_EQ(store_->reader().load_item(2, 7).error().kind, ErrorKind::NotFound);
}

TEST_P(StoreContract, FiltersSortsAndPagesItems) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  for (std::int64_t i = 0; i < 30; ++i)
    store_->record_item(1, sample_item(i, i % 10 == 9 ? Abstained : Scored), {});
  ASSERT_TRUE(store_->flush());
  Reader& reader = store_->reader();
  ItemFilter filter;
  filter.outcome = Abstained;
  EXPECT_EQ(positions_of(reader.load_items(1, filter)), (std::vector<std::int64_t>{9, 19, 29}));
  filter = {};
  filter.cluster = "p1";
  filter.label = "odd";
  filter.limit = 2;
  filter.offset = 1;
  EXPECT_EQ(positions_of(reader.load_items(1, filter)), (std::vector<std::int64_t>{13, 15}));
  EXPECT_EQ(reader.count_items(1, filter).value(), 5) << "of all pages";
  filter = {};
  filter.order = ItemOrder::WorstFirst;
  filter.limit = 7;
  EXPECT_EQ(positions_of(reader.load_items(1, filter)),
            (std::vector<std::int64_t>{0, 5, 10, 15, 20, 25, 1}));
  filter.order = ItemOrder::BestFirst;
  filter.limit = 4;
  EXPECT_EQ(positions_of(reader.load_items(1, filter)), (std::vector<std::int64_t>{4, 14, 24, 3}));
  filter.limit = 30;
  EXPECT_EQ(positions_of(reader.load_items(1, filter)).back(), 29) << "unscored items come last";
}

TEST_P(StoreContract, ShowsTheCallsOfAnItemAndPutsTheirTextsIntoItsDocument) {
  for (const char* uid : {"u1", "u2"}) ASSERT_TRUE(store_->create_run(sample_run(uid)));
  const std::string answer = "answer to a, which is long enough to be referred to";
  CallRecord call = sample_call("a");
  call.answer->text = answer;
  store_->append(call, nullptr);
  store_->append(sample_attempt("a"));
  core::ItemRecord item = sample_item(0);
  item.document["answer"] = {{"$call", 1}};
  store_->record_item(2, item, {link_to("not journalled"), link_to("a", "canary/empty/x")});
  ASSERT_TRUE(store_->flush());
  const auto found = store_->reader().load_item(2, 0);
  ASSERT_TRUE(found) << found.error().message;
  EXPECT_EQ(found->item.document["answer"], answer);
  ASSERT_EQ(found->calls.size(), 1U);
  const ItemCall& shown = found->calls.front();
  EXPECT_EQ(shown.place, 1);
  EXPECT_EQ(shown.purpose, "canary/empty/x");
  EXPECT_EQ(shown.answer->text, answer);
  EXPECT_EQ(shown.request, call.request);
  EXPECT_EQ(shown.role, "model");
  EXPECT_EQ(shown.cost_usd, 0.25);
  EXPECT_EQ(shown.attempts, 1);
  EXPECT_FALSE(shown.is_paid_here) << "run 1 paid for it";
  EXPECT_EQ(shown.key, call.key);
}

TEST_P(StoreContract, SearchesIdsDocumentsAndAnswers) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  CallRecord call = sample_call("a");
  call.answer->text = "The LIGHTHOUSE keeper answers at some length.";
  store_->append(call, nullptr);
  core::ItemRecord item = sample_item(3);
  item.document["answer"] = {{"$call", 0}};
  store_->record_item(1, item, {link_to("a")});
  store_->record_item(1, sample_item(4), {});
  ASSERT_TRUE(store_->flush());
  const auto search = [&](const std::string& text) {
    ItemFilter filter;
    filter.search = text;
    EXPECT_EQ(store_->reader().count_items(1, filter).value(),
              std::ssize(store_->reader().load_items(1, filter).value()));
    return positions_of(store_->reader().load_items(1, filter));
  };
  EXPECT_EQ(search("lighthouse"), (std::vector<std::int64_t>{3}));
  EXPECT_EQ(search("question 4"), (std::vector<std::int64_t>{4}));
  EXPECT_EQ(search("P0/TASK"), (std::vector<std::int64_t>{3, 4}));
  EXPECT_TRUE(search("no such text").empty());
}

TEST_P(StoreContract, ListsRunsByTagModelAndEvaluation) {
  RunRecord other = sample_run("u2");
  other.command = "bench";
  other.model = "anthropic/claude-sonnet-4";
  other.tags = {"baseline", "a'b"};
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  ASSERT_TRUE(store_->create_run(other));
  ASSERT_TRUE(store_->change_tags(1, {"nightly", "nightly"}, {"not there"}));
  Reader& reader = store_->reader();
  const auto ids = [&](const RunFilter& filter) {
    std::vector<std::int64_t> found;
    const auto runs = reader.load_runs(filter);
    for (const RunEntry& run : runs.value()) found.push_back(run.id);
    return found;
  };
  EXPECT_EQ(ids({}), (std::vector<std::int64_t>{2, 1}));
  EXPECT_EQ(ids({.tag = "nightly"}), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(ids({.model = "CLAUDE"}), (std::vector<std::int64_t>{2}));
  EXPECT_EQ(ids({.evaluation = "gym"}), (std::vector<std::int64_t>{1}));
  EXPECT_EQ(ids({.tag = "none"}), (std::vector<std::int64_t>{}));
  EXPECT_EQ(reader.load_run(2)->tags, (std::vector<std::string>{"a'b", "baseline"}));
  ASSERT_TRUE(store_->change_tags(2, {}, {"a'b"}));
  EXPECT_EQ(reader.load_run(2)->tags, (std::vector<std::string>{"baseline"}));
  EXPECT_EQ(store_->change_tags(9, {"x"}, {}).error().kind, ErrorKind::NotFound);
}

TEST_P(StoreContract, KeepsTheHeadlineOfARun) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  core::Metric metric;
  metric.name = "PersonaScore";
  metric.value = 4.25;
  metric.interval = core::Interval{4, 4.5};
  ASSERT_TRUE(store_->save_results(1, {{"mean", 4.25}}, metric));
  const auto runs = store_->reader().load_runs({});
  ASSERT_TRUE(runs->front().headline);
  EXPECT_EQ(core::to_json(*runs->front().headline), core::to_json(metric));
}

TEST_P(StoreContract, TellsAKilledRunFromALivingOneByItsHeartbeat) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const auto now = std::chrono::system_clock::now();
  const RunEntry run = store_->reader().load_run(1).value();
  EXPECT_EQ(present_state(run, now), RunState::Running);
  EXPECT_EQ(present_state(run, now + std::chrono::minutes(1)), RunState::Stopped);
  store_->beat(1);
  ASSERT_TRUE(store_->flush());
  EXPECT_GE(store_->reader().load_run(1)->heartbeat, run.heartbeat);
  ASSERT_TRUE(store_->update_run(1, RunState::Done, "", "2026-11-16T00:00:00Z"));
  EXPECT_EQ(present_state(store_->reader().load_run(1).value(), now + std::chrono::hours(1)),
            RunState::Done);
}

TEST_P(StoreContract, DeletesARunButNotTheAnswersThatOthersUse) {
  for (const char* uid : {"u1", "u2", "u3"}) ASSERT_TRUE(store_->create_run(sample_run(uid)));
  for (const char* name : {"shared", "own", "of nobody's item"})
    store_->append(sample_call(name, 1), nullptr);
  store_->append(sample_call("of run 2", 2), nullptr);
  store_->record_item(1, sample_item(0), {link_to("shared"), link_to("own"), link_to("of run 2")});
  store_->record_item(2, sample_item(0), {link_to("shared"), link_to("of run 2")});
  ASSERT_TRUE(store_->change_tags(1, {"old"}, {}));
  ASSERT_TRUE(store_->flush());
  const Removal expected = store_->reader().load_removal(1).value();
  EXPECT_EQ(expected.items, 1);
  EXPECT_EQ(expected.calls, 2);
  EXPECT_EQ(expected.kept_calls, 1);
  EXPECT_GT(expected.bytes, 0);
  const auto removed = store_->delete_run(1);
  ASSERT_TRUE(removed) << removed.error().message;
  EXPECT_EQ(removed->calls, 2);
  EXPECT_EQ(store_->reader().load_run(1).error().kind, ErrorKind::NotFound);
  EXPECT_TRUE(store_->reader().load_items(1, {})->empty());
  EXPECT_TRUE(store_->find_answer(sha256("shared")).value());
  EXPECT_TRUE(store_->find_answer(sha256("of run 2")).value());
  EXPECT_FALSE(store_->find_answer(sha256("own")).value());
  EXPECT_FALSE(store_->find_answer(sha256("of nobody's item")).value());
  // The answer that outlived the run that paid for it goes with its last user.
  ASSERT_TRUE(store_->delete_run(2));
  EXPECT_FALSE(store_->find_answer(sha256("shared")).value());
  ASSERT_TRUE(store_->delete_run(3));
  EXPECT_EQ(store_->create_run(sample_run("u4")).value(), 4) << "no number is given twice";
  EXPECT_EQ(store_->delete_run(1).error().kind, ErrorKind::NotFound);
}

TEST_P(StoreContract, DoesNotDeleteARunThatIsBeingCarriedOut) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  const auto lock = store_->lock_run(1);
  EXPECT_EQ(store_->delete_run(1).error().kind, ErrorKind::Invalid);
  EXPECT_TRUE(store_->reader().load_run(1));
}

TEST_P(StoreContract, IsReadFromManyThreadsWhileItIsWritten) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 50; ++i) EXPECT_TRUE(store_->reader().load_items(1, {}));
    });
  for (std::int64_t i = 0; i < 200; ++i) store_->record_item(1, sample_item(i), {});
  for (std::thread& thread : threads) thread.join();
  ASSERT_TRUE(store_->flush());
  EXPECT_EQ(store_->reader().count_items(1, {}).value(), 200);
}

}  // namespace
}  // namespace personascope::store
