// Many requests at once in one model: a thread of its own computes, step by step, the next token of
// every answer under way together with the prompts of those that wait (continuous batching).
// docs/design/embedded.md has the reasons.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/result.hpp"
#include "llm/embedded/decoder.hpp"
#include "llm/embedded/generation.hpp"
#include "llm/embedded/job.hpp"
#include "llm/embedded/prefix_cache.hpp"
#include "llm/embedded/vocabulary.hpp"

namespace personascope::llm::embedded {

struct BatcherOptions {
  std::string path;
  int parallel = 16;    // answers under way at once; 1: no prompt shares its beginning either
  int memory_mb = 384;  // see DecoderOptions
};

class Batcher {
 public:
  // Starts the thread; the weights are loaded when the first job comes. `vocabulary` stays alive.
  Batcher(BatcherOptions options, const Vocabulary& vocabulary);
  // Gives up what is under way: its jobs end as Cancelled.
  ~Batcher();
  Batcher(const Batcher&) = delete;
  Batcher& operator=(const Batcher&) = delete;

  // From any thread. The job's `done` is called on the batcher's.
  void submit(std::shared_ptr<Job> job);
  // Says that a job was cancelled, so that it is not waited for.
  void wake();

 private:
  void run();
  // Waits until there is something to do; false if the batcher is to end.
  bool wait_for_work();
  Result<void> load();
  void drop_cancelled();
  void admit();
  // The waiting job to begin next, by the beginning it shares; nothing if all should wait.
  std::optional<std::size_t> find_next();
  // Whether a running prompt is about to compute much of the job's beginning.
  bool should_wait(const Job& job, int known) const;
  // Begins the job, or ends it if it cannot be; false if there is no room for it now.
  bool begin(const std::shared_ptr<Job>& job);
  void fill_batch();
  void add_tokens(Generation& generation);
  void compute();
  void take_back();
  void finish_done();
  bool all_cancelled() const;

  struct Waiting {
    std::shared_ptr<Job> job;
    int passed_over = 0;
  };
  struct Read {
    Generation* generation;
    int place;
  };
  struct Fed {
    Generation* generation;
    int from;
  };

  BatcherOptions options_;
  const Vocabulary& vocabulary_;
  std::unique_ptr<Decoder> decoder_;
  std::unique_ptr<PrefixCache> cache_;
  std::deque<Waiting> waiting_;
  std::vector<std::unique_ptr<Generation>> running_;
  std::vector<Read> reads_;  // of the batch being filled
  std::vector<Fed> fed_;

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Job>> submitted_;  // guarded by the mutex
  bool has_news_ = false;                        // guarded by the mutex
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace personascope::llm::embedded
