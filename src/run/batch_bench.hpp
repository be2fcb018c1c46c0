// For tests: batches carried out in process, against an imitated provider.
#pragma once

#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "eval/batch/batch.hpp"
#include "http/loopback_provider.hpp"
#include "http/loopback_server.hpp"
#include "run/evaluating.hpp"
#include "run/output.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/temporary_folder.hpp"

namespace personascope::run {

// What a test wants of a batch.
struct BatchRequest {
  std::string input;
  std::string output;
  std::string model;
  std::optional<std::string> base_url;
  EngineOptions engine;
  std::optional<std::int64_t> rescores;
};

class BatchBench {
 public:
  explicit BatchBench(http::LoopbackProviderOptions options = {})
      : provider_(std::move(options)),
        server_(http::LoopbackServer::start(provider_.handler()).value()) {
    open_store();
  }

  void open_store(const store::SqliteOptions& options = {}) {
    store_.reset();
    store_ =
        store::open_sqlite_store(folder_.file("s.db"), store::OpenMode::Create, options).value();
  }

  // A plan for lines whose last message is the prompt; `more` is added to each line.
  BatchRequest make_plan(const std::vector<std::string>& prompts, const std::string& output,
                         const std::string& more = "") {
    const std::string path = folder_.file("in.jsonl");
    {
      std::ofstream file(path);
      for (std::size_t i = 0; i < prompts.size(); ++i)
        file
            << fmt::format(
                   R"({{"id": "i{}", "messages": [{{"role": "user", "content": {}}}], "max_tokens": 64{}}})",
                   i, render_json(Json(prompts[i])), more)
            << "\n";
    }
    BatchRequest plan;
    plan.input = path;
    plan.output = folder_.file(output);
    plan.model = "vllm/m";
    plan.base_url = server_.base_url() + "/v1";
    plan.engine.max_connections = 8;
    return plan;
  }

  static std::vector<std::string> make_prompts(int count, const std::string& more = "") {
    std::vector<std::string> prompts;
    for (int i = 0; i < count; ++i) prompts.push_back(fmt::format("question {} {}", i, more));
    return prompts;
  }

  RunEnvironment environment() {
    return {.store = *store_,
            .settings = settings_,
            .prices = prices_,
            .models = models_,
            .on_progress = on_progress_,
            .write_output = write_output_};
  }

  struct Prepared {
    EvaluationPlan plan;
    MakeEvaluation make;
  };
  Result<Prepared> prepare(const BatchRequest& request) {
    ASSIGN_OR_RETURN(const auto prepared, eval::batch::prepare_batch({settings_, ""}, "",
                                                                     {{"requests", request.input},
                                                                      {"output", request.output},
                                                                      {"model", request.model}}));
    EvaluationPlan plan =
        make_evaluation_plan(prepared, request.output, request.base_url, request.engine);
    if (request.rescores) plan.plan["rescores"] = *request.rescores;
    return Prepared{std::move(plan), prepared.make};
  }

  Result<Run> begin(const BatchRequest& request) {
    ASSIGN_OR_RETURN(const Prepared prepared, prepare(request));
    return start_evaluation(environment(), prepared.plan, prepared.make, "test");
  }

  Result<RunSummary> start(const BatchRequest& request) {
    ASSIGN_OR_RETURN(const Run run, begin(request));
    return run.wait();
  }

  Result<RunSummary> resume(std::int64_t id, const EngineOptions& over = {}) {
    ASSIGN_OR_RETURN(const auto run, store_->reader().load_run(id));
    ASSIGN_OR_RETURN(const auto prepared, eval::batch::load_batch(run.plan));
    ASSIGN_OR_RETURN(const EngineOptions engine, parse_stored_engine(run.plan));
    const EvaluationPlan plan =
        make_evaluation_plan(prepared, find_text(run.plan, "output"),
                             find_text(run.plan, "base_url"), merge(engine, over));
    ASSIGN_OR_RETURN(const Run handle, resume_evaluation(environment(), run, plan, prepared.make));
    return handle.wait();
  }

  std::string read(const std::string& name) const {
    std::ifstream file(folder_.file(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  bool exists(const std::string& name) const { return std::filesystem::exists(folder_.file(name)); }
  std::string outcome_at(const std::string& name, std::size_t index) const {
    const std::string text = read(name);
    std::size_t start = 0;
    for (; index > 0; --index) start = text.find('\n', start) + 1;
    return parse_json(text.substr(start, text.find('\n', start) - start)).value()["outcome"];
  }

  store::TemporaryFolder folder_;
  http::LoopbackProvider provider_;
  http::LoopbackServer server_;
  std::unique_ptr<store::Store> store_;
  files::Environment settings_{std::map<std::string, std::string>{}};
  llm::Prices prices_ = llm::Prices::make_default();
  llm::ModelRegistry models_ = llm::ModelRegistry::make_default();
  ProgressSink on_progress_;
  std::function<Result<void>(std::string_view)> write_output_;
};

}  // namespace personascope::run
