// Counts the requests that are being answered.
#pragma once

#include <cstddef>

namespace personascope::http::loopback {

// One request, counted until the last of its reply is about to be sent: a client that waits for
// its answer before it asks again never finds itself counted twice.
class InFlight {
 public:
  // Borrows the count.
  explicit InFlight(std::size_t& count) : count_(&count) { ++count; }
  ~InFlight() { release(); }
  InFlight(const InFlight&) = delete;
  InFlight& operator=(const InFlight&) = delete;

  void release() {
    if (count_) --*count_;
    count_ = nullptr;
  }

 private:
  std::size_t* count_;
};

}  // namespace personascope::http::loopback
