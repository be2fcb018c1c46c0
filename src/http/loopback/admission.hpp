// Which requests the imitated provider refuses or breaks, whatever they ask: limits, an outage, and
// faults at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "http/loopback/message.hpp"
#include "http/loopback/rate_bucket.hpp"

namespace personascope::http::loopback {

struct AdmissionOptions {
  std::size_t concurrency_limit = 0;  // requests in flight, 429 beyond; 0: none
  double rate_limit = 0;              // requests a second, 429 beyond; 0: none
  double tokens_per_minute = 0;       // 429 beyond; 0: none
  double burst_seconds = 1;           // of both rates: what may come at once
  // In every 429, in whole seconds; without it the time after which it would pass, in milliseconds.
  std::optional<int> retry_after{};

  double fail_share = 0;  // of the requests
  int fail_status = 500;
  double cut_share = 0;  // answers that break off half-way

  // From so long after the first request, for so long: `outage_status`, or 0 for no answer at all.
  milliseconds outage_after{0};
  milliseconds outage_for{0};
  int outage_status = 503;
};

class Admission {
 public:
  explicit Admission(const AdmissionOptions& options);

  enum class Verdict { Pass, Refuse, Fail, Cut, Close };
  struct Decision {
    Verdict verdict = Verdict::Pass;
    int status = 0;
    // Of a refusal:
    std::string message{};
    std::chrono::duration<double> wait{};
  };
  // `now` never goes back.
  Decision decide(const LoopbackRequest& request, TimePoint now);

  // Of the requests that passed the limit of tokens, as it counts them.
  std::uint64_t tokens() const { return tokens_; }

 private:
  std::optional<Decision> find_refusal(const LoopbackRequest& request, TimePoint now);

  AdmissionOptions options_;
  RateBucket calls_;
  RateBucket token_bucket_;
  Random random_{1};
  std::optional<TimePoint> first_at_;
  std::uint64_t tokens_ = 0;
};

// What a request takes of a limit of tokens: about its prompt's, and the most it may write.
double find_token_cost(const std::string& body);

}  // namespace personascope::http::loopback
