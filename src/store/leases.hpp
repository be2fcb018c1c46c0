// Leases: who carries out which pieces of a run, where several processes work on it.
//
// A piece belongs to the worker that claimed it until the worker's lease ends. A worker keeps its
// lease by renewing it; one lease serves all its pieces. What a dead worker held can be claimed by
// others once its lease has ended. Each claim of a piece raises its epoch, and a piece can be
// completed only with its present epoch: a worker that was taken for dead cannot complete what
// another one has claimed since. The store's clock decides when a lease ends, so that the clocks of
// the workers need not agree.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace personascope::store {

// A worker renews its lease several times before it ends.
inline constexpr std::chrono::milliseconds kLeaseEnds{45'000};
inline constexpr std::chrono::milliseconds kLeaseRenewed{10'000};

struct Lease {
  std::int64_t run = 0;
  std::int64_t piece = 0;
  std::int64_t epoch = 0;  // counted up from 1
  friend bool operator==(const Lease&, const Lease&) = default;
};

// Of the pieces of a run.
struct PieceCounts {
  std::int64_t free = 0;  // never claimed, given back, or held by a worker whose lease has ended
  std::int64_t leased = 0;
  std::int64_t done = 0;
};

// Whether a piece was completed, or its lease was lost to another worker, whose results count.
enum class Completion { Done, LeaseLost };

// May be used from any thread. Every method blocks until it is committed. Fails as Storage, and as
// NotFound if there is no such run.
class Leases {
 public:
  virtual ~Leases() = default;

  // Says how many pieces the run has: 0 to count - 1. Pieces that are there already stay as they
  // are, so that every worker may call it.
  virtual Result<void> add_pieces(std::int64_t run, std::int64_t count) = 0;

  // Leases up to `most` free pieces of the run to the worker, those with the lowest numbers, and
  // renews the worker's lease to end `ends` from now. A worker never gets a piece that it holds.
  // `worker` names a process and must be unique over all machines.
  virtual Result<std::vector<Lease>> claim(const std::string& worker, std::int64_t run,
                                           std::int64_t most,
                                           std::chrono::milliseconds ends = kLeaseEnds) = 0;
  // Makes the worker's lease end `ends` from now. False if it had ended before: what the worker
  // held may be another's now, which complete() tells.
  virtual Result<bool> renew(const std::string& worker,
                             std::chrono::milliseconds ends = kLeaseEnds) = 0;
  // Marks the piece as done if the epoch is still its present one. Completing a piece again with
  // the same epoch is Done too.
  virtual Result<Completion> complete(const Lease& lease) = 0;
  // Gives back all that the worker holds, at once: for one that stops in good order.
  virtual Result<void> release(const std::string& worker) = 0;

  virtual Result<PieceCounts> count_pieces(std::int64_t run) = 0;
};

}  // namespace personascope::store
