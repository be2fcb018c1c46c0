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
#include "llm/embedded/worker_pool.hpp"

namespace personascope::llm::embedded {

struct BatcherOptions {
  std::string path;
  int parallel = 32;    // answers under way at once; 1: no prompt shares its beginning either
  int memory_mb = 512;  // for what the model has read and written; the weights come on top
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
  void gather(std::unique_lock<std::mutex>& lock);
  Result<void> load();
  // Fails every waiting job: no request can be computed.
  void give_up(const Error& error);
  void drop_cancelled();
  void refuse_too_long();

  // How long the job's sequence may become, and the length of the sequences that it needs.
  int answer_limit(const Job& job) const;
  AnswerRoom room_for(const Job& job) const;
  // Why a sequence is no longer than longest_, with the remedy.
  std::string_view describe_longest() const;
  int length_for(const Job& job) const;
  // With nothing under way, gives the sequences the length that the waiting jobs need.
  Result<void> fit_memory();
  int sequences_of(int length) const;
  int most_running_in(int sequences) const;

  void admit();
  // The waiting job to begin next, by the beginning it shares; nothing if all should wait.
  std::optional<std::size_t> find_next() const;
  // Whether so many short jobs wait that shorter sequences, and more of them, are worth a pause.
  bool is_too_roomy() const;
  // Whether a running prompt is about to compute much of the job's beginning.
  bool should_wait(const Job& job, int known) const;
  void begin(const std::shared_ptr<Job>& job);

  void fill_batch();
  void move_together();
  // On a GPU: prompts of several jobs, as many tokens of each.
  void add_prompts();
  void add_tokens(Generation& generation, int most);
  void compute();
  // Hands the logits of the batch to their jobs.
  void hand_out_logits();
  void take_back();
  void finish_done();
  bool all_cancelled() const;
  // While the weights are being loaded: whether nobody is left who wants them.
  bool nobody_waits();

  struct Waiting {
    std::shared_ptr<Job> job;
    int passed_over = 0;
  };
  // Logits to read: of the tokens at these places of the batch, in their order.
  struct Read {
    Generation* generation;
    std::vector<int> places;
  };
  struct Fed {
    Generation* generation;
    int from;
  };

  BatcherOptions options_;
  const Vocabulary& vocabulary_;
  std::unique_ptr<Decoder> decoder_;
  std::int64_t room_ = 0;  // so many tokens fit into the memory that is allowed
  int longest_ = 0;        // the longest request, in tokens, that could be computed at all
  int length_ = 0;         // of every sequence now
  int most_running_ = 0;   // so many requests at once now
  std::unique_ptr<PrefixCache> cache_;
  std::deque<Waiting> waiting_;
  std::vector<std::unique_ptr<Generation>> running_;
  std::vector<Read> reads_;  // of the batch being filled
  std::vector<Fed> fed_;
  std::unique_ptr<WorkerPool> pool_;  // reads logits and draws tokens

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<std::shared_ptr<Job>> submitted_;  // guarded by the mutex
  bool has_news_ = false;                        // guarded by the mutex
  std::atomic<bool> is_ending_ = false;
  std::thread thread_;
};

}  // namespace personascope::llm::embedded
