// A task of the user's own for the gym: a rubric file with more members.
#include "eval/personagym/pack.hpp"

#include "memory_file.hpp"
#include "property.hpp"

using namespace personascope;
namespace gym = personascope::eval::personagym;

FUZZ_TARGET(gym_task, bytes) {
  const fuzz::MemoryFile file(bytes);
  const auto task = gym::load_task(file.path());
  if (fuzz::succeeds(task)) fuzz::require(!task->name.empty(), "a task has a name");
}
