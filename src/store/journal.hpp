// The journal: every model call that was answered, by the key of the call.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "base/hash.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "core/reply.hpp"

namespace personascope::store {

// The most that a request may have cost, which budgets count. It is more than the known tokens and
// cost if the provider did not report them, or if the request was cancelled.
struct Charge {
  std::int64_t tokens = 0;
  double cost_usd = 0;
};

// A call with its answer. The answer is a reply or a permanent error (refused, context too long,
// bad request): both are final.
struct CallRecord {
  Digest key{};
  std::int64_t run = 0;   // the run that paid for it
  std::string item;       // the item it was asked for, e.g. a batch line's id
  std::string role;       // "model", "user" or "judge"
  std::string endpoint;   // canonical JSON of provider, base URL, model and weights
  std::string request;    // canonical JSON of the request
  std::string replicate;  // which of several equal requests this is
  Result<core::Reply> answer;
  std::optional<double> cost_usd;
  std::int64_t latency_us = 0;
  Charge charge{};
};

// A try without an answer: rate limited, cut off, timed out. `resume` tries the call again.
struct AttemptRecord {
  Digest key{};
  std::int64_t run = 0;
  std::string item;
  Error error;
  std::int64_t latency_us = 0;
  Charge charge{};
};

// Which answer the journal has after an append: the one that was appended, or one that another
// process stored first.
enum class Kept { This, Earlier };

class Journal {
 public:
  virtual ~Journal() = default;

  // The answer committed for the key, if there is one. The outer Result fails only if the store
  // cannot be read. May be awaited on any thread, and by many at once: a store that asks a server
  // can answer those that wait together in one look-up. One that finds it faster than that does
  // not suspend.
  virtual Task<Result<std::optional<Result<core::Reply>>>> find_answer(Digest key) = 0;
  // The error of the last attempt at the key, if one is stored. Awaited as find_answer is.
  virtual Task<Result<std::optional<Error>>> find_last_attempt(Digest key) = 0;

  // Stores the call and, once it is committed or has failed, calls `committed` exactly once, on the
  // journal's own thread. The callback may append, but must not wait for the journal; it may be
  // empty. If an answer is already stored for the key, it is kept, and find_answer() returns it.
  virtual void append(CallRecord record, std::function<void(Result<Kept>)> committed) = 0;
  // Stores the attempt with the next commit, in the order of the appends.
  virtual void append(AttemptRecord record) = 0;
};

}  // namespace personascope::store
