#include "store/store.hpp"

namespace personascope::store {

std::string_view name_of(RunState state) {
  switch (state) {
    case RunState::Running:
      return "running";
    case RunState::Done:
      return "done";
    case RunState::Stopped:
      return "stopped";
    case RunState::Failed:
      return "failed";
  }
  return "failed";
}

}  // namespace personascope::store
