// What every store promises of runs that are moved from one to another.
#include <gtest/gtest.h>

#include <vector>

#include "store/sample_records.hpp"
#include "store/store_contract.hpp"

namespace personascope::store {
namespace {

using enum core::Outcome;

std::string long_text(const std::string& name) {
  return name + " " + std::string(300, 'x');
}

CallRecord make_call(const std::string& name, std::int64_t run, const std::string& text) {
  CallRecord call = sample_call(name, run);
  call.answer->text = text;
  return call;
}

// Run 1 has used an answer of nobody's and one of its own; its first item refers to both.
void fill(Store& store) {
  RunRecord run = sample_run("moved");
  run.tags = {"first", "second"};
  ASSERT_EQ(store.create_run(run).value(), 1);
  store.append(make_call("own", 1, long_text("own answer")), nullptr);
  store.append(make_call("shared", 77, long_text("shared answer")), nullptr);
  store.append(make_call("of nobody's item", 1, "short"), nullptr);
  store.append(sample_attempt("never answered", 1));
  store.append(sample_attempt("of another run", 2));
  core::ItemRecord item = sample_item(0);
  item.document = {{"answer", long_text("own answer")}, {"judge", long_text("shared answer")}};
  core::refer_to_calls(item.document, {long_text("own answer"), long_text("shared answer")});
  store.record_item(1, item, {{sha256("own"), "ask"}, {sha256("shared"), "judge"}});
  store.record_item(1, sample_item(4, Failed), {});
  ASSERT_TRUE(store.update_run(1, RunState::Done, "", "2026-11-15T03:42:00Z"));
  core::Metric headline;
  headline.name = "score";
  headline.value = 4.5;
  ASSERT_TRUE(store.save_results(1, {{"n", 2}}, headline));
  ASSERT_TRUE(store.flush());
}

Result<ImportedRun> copy_run(StorePlace& from, StorePlace& to, std::int64_t run = 1) {
  const auto transfer = from.open_transfer();
  ASSIGN_OR_RETURN(const auto source, transfer->open_run(run));
  return to.open_transfer()->import_run(*source);
}

Json describe_run(Store& store, std::int64_t id) {
  const auto run = store.reader().load_run(id);
  if (!run) return run.error().message;
  Json items = Json::array();
  for (const std::int64_t position : {0, 4}) {
    const auto details = store.reader().load_item(id, position);
    if (!details) return details.error().message;
    Json calls = Json::array();
    for (const ItemCall& call : details->calls)
      calls.push_back({call.place, call.purpose, call.is_paid_here, describe(call.answer)});
    items.push_back({core::to_json(details->item), calls});
  }
  return {run->uid,
          run->command,
          run->model,
          run->judge,
          run->plan,
          run->results,
          name_of(run->state),
          run->note,
          run->started_at,
          run->finished_at,
          run->items,
          run->tags,
          run->spending.calls,
          run->spending.cost_usd,
          run->outcomes.total(),
          core::to_json(*run->headline),
          items};
}

TEST_P(StoreContract, MovesARunWithAllThatBelongsToIt) {
  fill(*store_);
  const auto other_place = GetParam()();
  const auto other = other_place->open();
  ASSERT_TRUE(other->create_run(sample_run("here before")));
  const auto imported = copy_run(*place_, *other_place);
  ASSERT_TRUE(imported) << imported.error().message;
  EXPECT_EQ(imported->id, 2);
  EXPECT_FALSE(imported->was_there);
  EXPECT_EQ(imported->differing_answers, 0);
  EXPECT_EQ(describe_run(*other, 2), describe_run(*store_, 1));
  EXPECT_TRUE(find_answer(*other, sha256("of nobody's item")).value());
  EXPECT_TRUE(find_last_attempt(*other, sha256("never answered")).value());
  EXPECT_FALSE(find_last_attempt(*other, sha256("of another run")).value());
  EXPECT_TRUE(find_answer(*other, sha256("own")).value());
  // What came with it goes with it.
  ASSERT_TRUE(other->delete_run(2));
  EXPECT_FALSE(find_answer(*other, sha256("shared")).value());
}

TEST_P(StoreContract, ImportsARunOnce) {
  fill(*store_);
  const auto again = copy_run(*place_, *place_);
  ASSERT_TRUE(again) << again.error().message;
  EXPECT_EQ(again->id, 1);
  EXPECT_TRUE(again->was_there);
  EXPECT_EQ(store_->reader().load_runs({})->size(), 1U);
  EXPECT_EQ(place_->open_transfer()->open_run(9).error().kind, ErrorKind::NotFound);
}

TEST_P(StoreContract, KeepsTheTextsOfImportedItemsWhereTheAnswersHereDiffer) {
  fill(*store_);
  const auto other_place = GetParam()();
  const auto other = other_place->open();
  ASSERT_TRUE(append_and_wait(*other, make_call("own", 50, long_text("drawn again"))));
  const auto imported = copy_run(*place_, *other_place);
  ASSERT_TRUE(imported);
  EXPECT_EQ(imported->differing_answers, 1);
  const auto item = other->reader().load_item(1, 0);
  ASSERT_TRUE(item);
  EXPECT_EQ(item->item.document["answer"], long_text("own answer"));
  EXPECT_EQ(item->item.document["judge"], long_text("shared answer"));
  ASSERT_EQ(item->calls.size(), 1U) << "the other answer is not what the item was made from";
  EXPECT_EQ(item->calls[0].place, 1);
  EXPECT_EQ(find_answer(*other, sha256("own")).value().value()->text, long_text("drawn again"));
}

// Fails after some items.
class BrokenSource final : public RunSource {
 public:
  BrokenSource(RunSource& whole, ErrorKind kind) : whole_(whole), kind_(kind) {}
  const RunRecord& run() const override { return whole_.run(); }
  Result<std::optional<SourceCall>> next_call() override { return whole_.next_call(); }
  Result<std::optional<AttemptRecord>> next_attempt() override { return whole_.next_attempt(); }
  Result<std::optional<SourceItem>> next_item() override {
    if (given_++ == 1) return fail(kind_, "the file ends here");
    return whole_.next_item();
  }

 private:
  RunSource& whole_;
  ErrorKind kind_;
  int given_ = 0;
};

TEST_P(StoreContract, ImportsNothingOfARunThatBreaksOff) {
  fill(*store_);
  const auto other_place = GetParam()();
  const auto other = other_place->open();
  for (const ErrorKind kind : {ErrorKind::Invalid, ErrorKind::Storage}) {
    const auto transfer = place_->open_transfer();
    const auto source = transfer->open_run(1);
    BrokenSource broken(**source, kind);
    const auto imported = other_place->open_transfer()->import_run(broken);
    ASSERT_FALSE(imported);
    EXPECT_EQ(imported.error().message, "the file ends here");
    EXPECT_TRUE(other->reader().load_runs({})->empty());
    EXPECT_FALSE(find_answer(*other, sha256("own")).value());
    EXPECT_FALSE(find_last_attempt(*other, sha256("never answered")).value());
  }
  EXPECT_EQ(copy_run(*place_, *other_place)->id, 1);
}

TEST_P(StoreContract, TakesAlongTheFailedAnswersThatLaterRoundsReplaced) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  CallRecord call = sample_call("failed", 77);
  const auto key_of = [&](const std::string& replicate) {
    return sha256("ask\n" + call.endpoint + "\n" + call.request + "\n" + replicate + "\n");
  };
  call.replicate = R"({"try":0})";
  call.key = key_of(call.replicate);
  const Digest failed = call.key;
  call.answer = fail(ErrorKind::Invalid, "bad request");
  store_->append(call, nullptr);
  call.replicate = R"({"round":1,"try":0})";
  call.key = key_of(call.replicate);
  call.answer = sample_call("x").answer;
  store_->append(call, nullptr);
  store_->record_item(1, sample_item(0), {{call.key, ""}});
  const auto other_place = GetParam()();
  const auto other = other_place->open();
  ASSERT_TRUE(store_->flush());
  ASSERT_TRUE(copy_run(*place_, *other_place));
  EXPECT_TRUE(find_answer(*other, call.key).value());
  EXPECT_TRUE(find_answer(*other, failed).value());
}

}  // namespace
}  // namespace personascope::store
