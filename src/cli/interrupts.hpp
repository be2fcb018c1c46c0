// Ctrl-C: the first asks for a stop, the second ends the program at once (std::quick_exit).
// A terminal that closes (SIGHUP) asks for a stop too, however often.
#pragma once

#include <functional>
#include <memory>

namespace personascope::cli {

// Watches SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP while it lives, and gives the
// signals back when it is destroyed. `stop` is called once, on a thread of the watch's own, never
// inside a signal handler. Signals belong to the whole process, so only one may live at a time.
class Interrupts {
 public:
  explicit Interrupts(std::function<void()> stop);
  ~Interrupts();
  Interrupts(const Interrupts&) = delete;
  Interrupts& operator=(const Interrupts&) = delete;

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace personascope::cli
