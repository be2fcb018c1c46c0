// Counts what the imitated provider was asked and what it answered.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "http/loopback/message.hpp"

namespace personascope::http {

struct LoopbackStatistics {
  std::uint64_t requests = 0;
  std::uint64_t distinct = 0;    // different requests, by 64-bit hash of target and body
  std::uint64_t most_asked = 0;  // how often the most frequent one came
  std::uint64_t in_flight_peak = 0;
  std::uint64_t tokens = 0;                // that a limit of tokens has let pass
  std::map<int, std::uint64_t> by_status;  // 0: closed without an answer
};

namespace loopback {

// For one thread at a time.
class Tally {
 public:
  // How often that target and body have come, this time included.
  std::uint64_t count_request(const LoopbackRequest& request);
  void count_reply(const LoopbackReply& reply);
  const LoopbackStatistics& statistics() const { return statistics_; }
  // The last bodies, oldest first; at most 1000, and 16 MiB together.
  std::vector<std::string> last_bodies(std::size_t limit) const;

 private:
  void keep(const std::string& body);

  LoopbackStatistics statistics_;
  std::unordered_map<std::uint64_t, std::uint64_t> asked_;
  std::deque<std::string> bodies_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace loopback
}  // namespace personascope::http
