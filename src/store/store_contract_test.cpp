#include "store/store_contract.hpp"

#include <atomic>
#include <future>
#include <limits>
#include <thread>
#include <vector>

#include "sched/loop.hpp"
#include "store/sample_records.hpp"

namespace personascope::store {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(StoreContract);

void StoreContract::SetUp() {
  place_ = GetParam()();
  store_ = place_->open();
  ASSERT_NE(store_, nullptr);
}

Result<Kept> append_and_wait(Store& store, CallRecord record) {
  // Shared, since a std::function must be copyable.
  const auto done = std::make_shared<std::promise<Result<Kept>>>();
  store.append(std::move(record),
               [done](Result<Kept> committed) { done->set_value(std::move(committed)); });
  return done->get_future().get();
}

Result<std::optional<Result<core::Reply>>> find_answer(Journal& journal, const Digest& key) {
  sched::Loop loop;
  return sched::run_to_end(loop, journal.find_answer(key));
}

Result<std::optional<Error>> find_last_attempt(Journal& journal, const Digest& key) {
  sched::Loop loop;
  return sched::run_to_end(loop, journal.find_last_attempt(key));
}

std::string describe(const Result<core::Reply>& answer) {
  if (!answer)
    return fmt::format("error {}: {}", name_of(answer.error().kind), answer.error().message);
  const auto tokens = [](const std::optional<std::int64_t>& count) {
    return count ? std::to_string(*count) : "none";
  };
  std::string text =
      fmt::format("{} by {}, {}, tokens {} {} {}", answer->text, answer->model,
                  core::name_of(answer->finish), tokens(answer->usage.input_tokens),
                  tokens(answer->usage.output_tokens), tokens(answer->usage.cached_input_tokens));
  const auto add = [&](const core::TokenChoice& choice) {
    text += fmt::format(" {}={}", choice.token, choice.logprob);
  };
  for (const core::TokenLogprobs& token : answer->logprobs) {
    text += "\n";
    add(token.chosen);
    for (const core::TokenChoice& choice : token.top) add(choice);
  }
  if (!answer->choices.empty()) text += "\nchoices";
  for (const core::TokenChoice& choice : answer->choices) add(choice);
  return text;
}

namespace {

core::Reply make_reply(std::string text, core::FinishReason finish) {
  core::Reply reply;
  reply.text = std::move(text);
  reply.finish = finish;
  return reply;
}

std::string describe_found(Store& store, const Digest& key) {
  const auto found = find_answer(store, key);
  if (!found) return "unreadable: " + found.error().message;
  return *found ? describe(**found) : "not found";
}

TEST_P(StoreContract, FindsNothingInAnEmptyStore) {
  EXPECT_EQ(describe_found(*store_, sha256("a")), "not found");
  const auto attempt = find_last_attempt(*store_, sha256("a"));
  ASSERT_TRUE(attempt);
  EXPECT_FALSE(*attempt);
  EXPECT_FALSE(store_->reader().has_answer(sha256("a")).value());
  EXPECT_TRUE(store_->reader().load_runs({})->empty());
  EXPECT_EQ(store_->reader().load_spending(1)->calls, 0);
}

TEST_P(StoreContract, GivesBackEveryKindOfAnswerAsItWas) {
  std::vector<Result<core::Reply>> answers;
  answers.push_back(sample_call("plain").answer);
  answers.push_back(core::Reply{});
  answers.push_back(make_reply(std::string(100'000, 'x'), core::FinishReason::Other));
  answers.push_back(
      make_reply(std::string("nul \0 and \xff not UTF-8", 21), core::FinishReason::ContentFilter));
  core::Reply verdict = make_reply("4", core::FinishReason::Refusal);
  verdict.usage.output_tokens = 1;
  verdict.logprobs = {{{"4", -0.125}, {{"4", -0.125}, {"\xf0\x9f", -3.5}}},
                      {{"", -std::numeric_limits<double>::infinity()}, {}}};
  answers.push_back(verdict);
  core::Reply labels = make_reply("4", core::FinishReason::Stop);
  labels.choices = {{"4", -0.25}, {"5", -std::numeric_limits<double>::infinity()}};
  answers.push_back(labels);
  answers.push_back(fail(ErrorKind::Refused, "the filter said no: \"{}\"", std::string(500, 'n')));
  answers.push_back(fail(ErrorKind::ContextTooLong, "too long"));
  answers.push_back(fail(ErrorKind::Invalid, ""));
  for (std::size_t i = 0; i < answers.size(); ++i) {
    CallRecord call = sample_call(std::to_string(i));
    call.answer = answers[i];
    ASSERT_TRUE(append_and_wait(*store_, call));
    EXPECT_EQ(describe_found(*store_, call.key), describe(answers[i]));
    EXPECT_TRUE(store_->reader().has_answer(call.key).value());
  }
}

TEST_P(StoreContract, KeepsTheAnswerThatWasStoredFirst) {
  CallRecord second = sample_call("a");
  second.answer->text = "another answer";
  EXPECT_EQ(append_and_wait(*store_, sample_call("a")).value(), Kept::This);
  EXPECT_EQ(append_and_wait(*store_, second).value(), Kept::Earlier);
  EXPECT_EQ(describe_found(*store_, sha256("a")), describe(sample_call("a").answer));
  EXPECT_EQ(store_->reader().load_spending(1)->calls, 2) << "both were paid";
}

TEST_P(StoreContract, SeesWhatAnotherStoreAtTheSamePlaceCommitted) {
  const auto other = place_->open();
  ASSERT_TRUE(append_and_wait(*other, sample_call("a")));
  EXPECT_EQ(describe_found(*store_, sha256("a")), describe(sample_call("a").answer));
}

TEST_P(StoreContract, CommitsEverythingBeforeItIsDestroyedAndCallsBackOnce) {
  constexpr std::size_t kCalls = 500;
  std::vector<int> called(kCalls);
  for (std::size_t i = 0; i < kCalls; ++i) {
    store_->append(sample_call(std::to_string(i)),
                   [&, i](const Result<Kept>& committed) { called[i] += committed ? 1 : 100; });
  }
  store_.reset();
  for (const int times : called) EXPECT_EQ(times, 1);
  store_ = place_->open();
  for (std::size_t i = 0; i < kCalls; ++i)
    EXPECT_NE(describe_found(*store_, sha256(std::to_string(i))), "not found");
}

TEST_P(StoreContract, TakesAppendsFromManyThreadsAndFromCallbacks) {
  std::atomic<int> committed = 0;
  Store& store = *store_;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 50; ++i) {
        const std::string name = fmt::format("{}/{}", t, i);
        store.append(sample_call(name), [&, name](const Result<Kept>&) {
          store.append(sample_call(name + "/next"), [&](const Result<Kept>&) { ++committed; });
        });
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  store_.reset();
  EXPECT_EQ(committed, 200);
}

TEST_P(StoreContract, FindsTheErrorOfTheLastAttempt) {
  AttemptRecord second = sample_attempt("a");
  second.error = {ErrorKind::Timeout, "no answer in 60 s"};
  store_->append(sample_attempt("a"));
  store_->append(second);
  store_->append(sample_attempt("b"));
  ASSERT_TRUE(store_->flush());
  const auto found = find_last_attempt(*store_, sha256("a"));
  ASSERT_TRUE(found && *found);
  EXPECT_EQ((*found)->kind, ErrorKind::Timeout);
  EXPECT_EQ((*found)->message, "no answer in 60 s");
}

TEST_P(StoreContract, SumsWhatARunSpent) {
  CallRecord unpriced = sample_call("b");
  unpriced.cost_usd = std::nullopt;
  unpriced.answer->usage = {};
  CallRecord boastful = sample_call("c");
  boastful.answer->usage.input_tokens = std::numeric_limits<std::int64_t>::max();
  boastful.answer->usage.output_tokens = -1;
  for (const CallRecord& call : {sample_call("a"), unpriced, boastful, sample_call("d", 2)})
    store_->append(call, nullptr);
  store_->append(sample_attempt("a"));
  ASSERT_TRUE(store_->flush());
  const auto spending = store_->reader().load_spending(1);
  ASSERT_TRUE(spending);
  EXPECT_EQ(spending->calls, 4);
  EXPECT_EQ(spending->input_tokens, 12 + 1'000'000'000) << "a claim beyond reason is cut";
  EXPECT_EQ(spending->output_tokens, 34);
  EXPECT_DOUBLE_EQ(spending->cost_usd, 0.5);
  EXPECT_EQ(spending->unpriced_calls, 1);
}

TEST_P(StoreContract, SumsWhatARunMayHaveSpentAtMost) {
  CallRecord unpriced = sample_call("b");
  unpriced.cost_usd = std::nullopt;
  unpriced.answer->usage = {};
  unpriced.charge = {100, 0.5};
  CallRecord cheap = sample_call("c");
  cheap.charge = {1, 0.01};  // less than is known
  AttemptRecord timed_out = sample_attempt("d");
  timed_out.charge = {1000, 2};
  for (const CallRecord& call : {unpriced, cheap}) store_->append(call, nullptr);
  store_->append(timed_out);
  ASSERT_TRUE(store_->flush());
  const auto spending = store_->reader().load_spending(1);
  ASSERT_TRUE(spending);
  EXPECT_EQ(spending->max_tokens, 100 + (12 + 34) + 1000);
  EXPECT_DOUBLE_EQ(spending->max_cost_usd, 0.5 + 0.25 + 2);
  EXPECT_DOUBLE_EQ(spending->cost_usd, 0.25) << "what is known stays apart";
}

TEST_P(StoreContract, CountsRunsFromOneAndLoadsThemNewestFirst) {
  EXPECT_EQ(store_->create_run(sample_run("u1")).value(), 1);
  EXPECT_EQ(store_->create_run(sample_run("u2")).value(), 2);
  EXPECT_EQ(store_->create_run(sample_run("u3")).value(), 3);
  const auto runs = store_->reader().load_runs({.limit = 2});
  ASSERT_TRUE(runs);
  ASSERT_EQ(runs->size(), 2U);
  EXPECT_EQ((*runs)[0].uid, "u3");
  EXPECT_EQ((*runs)[1].uid, "u2");
  const auto run = store_->reader().load_run(1);
  ASSERT_TRUE(run);
  EXPECT_EQ(run->command, "gym");
  EXPECT_EQ(run->plan, sample_run("").plan);
  EXPECT_EQ(run->state, RunState::Running);
  EXPECT_EQ(run->started_at, "2026-11-15T03:41:00Z");
  EXPECT_EQ(run->finished_at, "");
  EXPECT_EQ(run->items, 3);
  EXPECT_EQ(run->model, "openai/gpt-4o");
  EXPECT_EQ(run->judge, "openai/gpt-4o-mini");
}

TEST_P(StoreContract, UpdatesARun) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  for (const RunState state :
       {RunState::Stopped, RunState::Failed, RunState::Running, RunState::Done}) {
    ASSERT_TRUE(store_->update_run(1, state, "why", "2026-11-16T00:00:00Z"));
    EXPECT_EQ(store_->reader().load_run(1)->state, state) << name_of(state);
  }
  EXPECT_EQ(store_->reader().load_run(1)->note, "why");
  EXPECT_EQ(store_->reader().load_run(1)->finished_at, "2026-11-16T00:00:00Z");
}

TEST_P(StoreContract, KeepsWhatARunFound) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  EXPECT_TRUE(store_->reader().load_run(1)->results.is_null());
  const Json results = {{"mean", 4.5}, {"note", "\u00e9"}};
  ASSERT_TRUE(store_->save_results(1, results, std::nullopt));
  EXPECT_EQ(store_->reader().load_run(1)->results, results);
  EXPECT_EQ(store_->save_results(7, results, std::nullopt).error().kind, ErrorKind::NotFound);
}

TEST_P(StoreContract, SaysThatARunIsNotThere) {
  EXPECT_EQ(store_->reader().load_run(7).error().kind, ErrorKind::NotFound);
  const auto updated = store_->update_run(7, RunState::Done, "", "");
  ASSERT_FALSE(updated);
  EXPECT_EQ(updated.error().kind, ErrorKind::NotFound);
  EXPECT_EQ(updated.error().message, "there is no run 7 in the store");
}

TEST_P(StoreContract, RefusesASecondRunOfTheSameUidAndLosesNothingElse) {
  ASSERT_TRUE(store_->create_run(sample_run("u1")));
  store_->append(sample_call("before"), nullptr);
  const auto again = store_->create_run(sample_run("u1"));
  ASSERT_FALSE(again);
  EXPECT_EQ(again.error().kind, ErrorKind::Invalid);
  EXPECT_TRUE(store_->flush()) << "the error went to its caller";
  EXPECT_NE(describe_found(*store_, sha256("before")), "not found");
}

TEST_P(StoreContract, LoadsTheNewestCallsOfAnItemAndRole) {
  for (const char* name : {"1", "2", "3"}) {
    CallRecord call = sample_call(name);
    call.item = "same";
    call.replicate = name;
    store_->append(call, nullptr);
    call.key = sha256(std::string("judge of ") + name);
    call.role = "judge";
    store_->append(call, nullptr);
  }
  store_->append(sample_call("4"), nullptr);
  ASSERT_TRUE(store_->flush());
  const auto calls = store_->reader().load_calls("same", "model", 2);
  ASSERT_TRUE(calls);
  ASSERT_EQ(calls->size(), 2U);
  EXPECT_EQ((*calls)[0].replicate, "3");
  EXPECT_EQ((*calls)[1].replicate, "2");
  EXPECT_EQ((*calls)[0].endpoint, sample_call("").endpoint);
  EXPECT_EQ((*calls)[0].request, sample_call("").request);
  EXPECT_EQ(store_->reader().load_calls("", "model", 10)->size(), 4U);
  EXPECT_EQ(store_->reader().load_calls("", "model", 10)->front().item, "item of 4");
  EXPECT_EQ(store_->reader().load_calls("nobody", "model", 10)->size(), 0U);
}

TEST_P(StoreContract, LetsOnlyOneCarryOutARun) {
  const auto other = place_->open();
  auto lock = store_->lock_run(7);
  ASSERT_TRUE(lock);
  for (Store* store : {store_.get(), other.get()}) {
    const auto second = store->lock_run(7);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().kind, ErrorKind::Invalid);
    EXPECT_EQ(second.error().message,
              "another process is carrying out run 7: wait for it to end, or stop it");
  }
  EXPECT_TRUE(other->lock_run(8));
  lock->reset();
  EXPECT_TRUE(other->lock_run(7));
}

}  // namespace
}  // namespace personascope::store
