// A model that is made outside `llm`, as a door does it.
#include <gtest/gtest.h>

#include <stdexcept>

#include "run/batch_bench.hpp"

namespace personascope::run {
namespace {

using Bench = BatchBench;

class FunctionModel : public llm::Model {
 public:
  using Function = std::function<std::string(const core::Request&)>;

  FunctionModel(std::string name, std::string version, Function function)
      : endpoint_{"python", "", std::move(name), "", std::move(version)},
        function_(std::move(function)) {}

  const llm::Endpoint& endpoint() const override { return endpoint_; }
  llm::Features features() const override { return {.local_slots = 4}; }
  Task<llm::Attempt> ask(const core::Request& request, llm::Delivery) override {
    core::Reply reply;
    reply.text = function_(request);
    reply.model = llm::render_name(endpoint_);
    co_return llm::Attempt{std::move(reply), {}};
  }

 private:
  llm::Endpoint endpoint_;
  Function function_;
};

// The bench's registry with `python/…`, whose models call the function.
void add_python(Bench& bench, const std::string& version, FunctionModel::Function function) {
  bench.models_ = llm::ModelRegistry::make_default();
  ASSERT_TRUE(bench.models_.add(
      "python",
      [=](const std::string& name, const llm::ModelParts&) -> Result<std::unique_ptr<llm::Model>> {
        return std::make_unique<FunctionModel>(name, version, function);
      }));
}

BatchRequest make_plan(Bench& bench, const std::string& output) {
  BatchRequest plan = bench.make_plan(Bench::make_prompts(12), output);
  plan.model = "python/agent";
  plan.base_url = {};
  return plan;
}

TEST(AddedModel, IsAskedOnceForEachVersion) {
  Bench bench;
  int asked = 0;
  const auto answer = [&asked](const core::Request& request) {
    return fmt::format("{}: {}", ++asked, request.messages.back().content);
  };
  add_python(bench, "1", answer);
  const auto first = bench.start(make_plan(bench, "first.jsonl"));
  ASSERT_TRUE(first) << first.error().message;
  EXPECT_EQ(first->run.outcomes.ok(), 12);
  EXPECT_EQ(first->run.model, "python/agent");
  EXPECT_EQ(asked, 12);

  const auto second = bench.start(make_plan(bench, "second.jsonl"));
  ASSERT_TRUE(second);
  EXPECT_EQ(second->run.outcomes.ok(), 12);
  EXPECT_EQ(second->progress.meter.from_journal, 12);
  EXPECT_EQ(asked, 12) << "everything was answered before";
  EXPECT_EQ(bench.read("second.jsonl"), bench.read("first.jsonl"));

  add_python(bench, "2", answer);
  const auto third = bench.start(make_plan(bench, "third.jsonl"));
  ASSERT_TRUE(third);
  EXPECT_EQ(third->run.outcomes.ok(), 12);
  EXPECT_EQ(asked, 24) << "another version is another model";
}

TEST(AddedModel, ThatThrowsStopsTheRunAndNotTheProcess) {
  Bench bench;
  add_python(bench, "1", [](const core::Request& request) -> std::string {
    if (request.messages.back().content.starts_with("question 5")) throw std::runtime_error("oh");
    return "yes";
  });
  const auto summary = bench.start(make_plan(bench, "out.jsonl"));
  ASSERT_TRUE(summary);
  ASSERT_TRUE(summary->stopped);
  EXPECT_EQ(summary->stopped->kind, ErrorKind::Internal);
  EXPECT_EQ(summary->stopped->message, "internal error: oh");
  EXPECT_EQ(summary->run.state, store::RunState::Failed);
  EXPECT_FALSE(bench.exists("out.jsonl"));

  add_python(bench, "1", [](const core::Request&) { return std::string("yes"); });
  const auto resumed = bench.resume(summary->run.id);
  ASSERT_TRUE(resumed);
  EXPECT_FALSE(resumed->stopped);
  EXPECT_EQ(resumed->run.outcomes.ok(), 12);
}

}  // namespace
}  // namespace personascope::run
