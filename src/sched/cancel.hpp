// Cancel: the owner of one request gives it up, whoever carries it out and over whatever transport.
#pragma once

#include <functional>
#include <utility>

namespace personascope::sched {

// Used on the loop's thread. Lives until the request is over.
class Cancel {
 public:
  void request() {
    requested_ = true;
    if (abort_) abort_();
  }
  bool requested() const { return requested_; }
  // For whoever carries the request out: what to do when it is given up, or null when it is over.
  void on_request(std::function<void()> abort) { abort_ = std::move(abort); }

 private:
  bool requested_ = false;
  std::function<void()> abort_;
};

}  // namespace personascope::sched
