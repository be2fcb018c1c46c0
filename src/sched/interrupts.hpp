// Ctrl-C: the first asks for a stop, the second ends the program at once (std::quick_exit).
// A terminal that closes (SIGHUP) asks for a stop too, however often.
#pragma once

#include <memory>

#include "sched/stop.hpp"

namespace personascope::sched {

// Watches SIGINT, SIGTERM and, unless it is ignored (nohup), SIGHUP while it lives; call release()
// when the work is done, so that the loop can end.
class Interrupts {
 public:
  Interrupts(Loop& loop, Stop& stop);
  ~Interrupts();
  void release();

 private:
  class Watch;
  std::unique_ptr<Watch> watch_;
};

}  // namespace personascope::sched
