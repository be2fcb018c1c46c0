// The ask chain with a model that runs inside the program, and with requests that only read.
#include <gtest/gtest.h>

#include "llm/ask_chain.hpp"
#include "llm/chain_bench.hpp"

namespace personascope::llm {
namespace {

TEST(LocalModel, DoesNotAskForReadingsThatTheModelCannotGive) {
  ChainBench bench;
  FakeModel model;
  core::Request request = ChainBench::make_request("rate it");
  request.choices = {"1", "2"};
  auto reply = bench.ask(model, request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Unsupported);
  EXPECT_EQ(reply.error().message, "fake/model cannot compute the likelihood of given labels");
  request.choices.clear();
  request.continuation = "a text";
  reply = bench.ask(model, request);
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().message, "fake/model cannot compute the likelihood of a given text");
  EXPECT_EQ(model.asked_, 0);
  model.features_.likelihood = true;
  EXPECT_TRUE(bench.ask(model, request));
}

TEST(LocalModel, KeepsALocalModelsSlotsFullFromTheStart) {
  ChainBench bench;
  FakeModel model;
  model.features_.local_slots = 64;
  model.behave_ = [](const core::Request& request, Delivery, int) -> Task<Attempt> {
    co_await sched::sleep_for(milliseconds(20));
    Attempt attempt = FakeModel::make_attempt(request.messages.back().content);
    co_return attempt;
  };
  for (int i = 0; i < 100; ++i)
    bench.start(model, ChainBench::make_request(std::to_string(i)), ChainBench::make_draw("item"));
  bench.loop().run();
  EXPECT_EQ(model.in_flight_peak_, 64);
}

TEST(LocalModel, AStopGivesUpWhatALocalModelIsComputing) {
  ChainBench bench;
  FakeModel model;
  model.features_.local_slots = 4;
  model.behave_ = [&](const core::Request&, Delivery delivery, int) -> Task<Attempt> {
    sched::Signal given_up(bench.loop());
    delivery.cancel->on_request([&given_up] { given_up.set(); });
    bench.stop().request({ErrorKind::Cancelled, "interrupted"});
    co_await given_up.wait();
    Attempt attempt = FakeModel::make_failure(ErrorKind::Cancelled);
    co_return attempt;
  };
  const auto reply = bench.ask(model, ChainBench::make_request("long"));
  ASSERT_FALSE(reply);
  EXPECT_EQ(reply.error().kind, ErrorKind::Cancelled);
}

TEST(LocalModel, AnErrorOfALocalModelIsMetAgainAndNotStoredAsItsAnswer) {
  ChainBench bench;
  FakeModel model;
  model.features_.local_slots = 1;
  model.behave_ = [](const core::Request&, Delivery, int earlier) -> Task<Attempt> {
    Attempt attempt = earlier == 0 ? FakeModel::make_failure(ErrorKind::ContextTooLong)
                                   : FakeModel::make_attempt("with more memory");
    co_return attempt;
  };
  EXPECT_FALSE(bench.ask(model, ChainBench::make_request("long")));
  EXPECT_TRUE(bench.ask(model, ChainBench::make_request("long")));
  EXPECT_EQ(model.asked_, 2);
}

TEST(LocalModel, GivesEveryDrawASeedOfItsOwn) {
  ChainBench bench;
  FakeModel model;
  std::vector<std::uint64_t> seeds;
  model.behave_ = [&](const core::Request&, Delivery delivery, int) -> Task<Attempt> {
    seeds.push_back(delivery.seed);
    Attempt attempt = FakeModel::make_attempt("x");
    co_return attempt;
  };
  for (const char* item : {"a", "b"})
    EXPECT_TRUE(
        bench.ask(model, ChainBench::make_request("same", 1.0), ChainBench::make_draw(item)));
  ASSERT_EQ(seeds.size(), 2u);
  EXPECT_NE(seeds[0], seeds[1]);
}

}  // namespace
}  // namespace personascope::llm
