// The five tasks as the published program's files name them.
#pragma once

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "eval/personagym/pack.hpp"

namespace personascope::eval::personagym {

struct PublishedTask {
  std::string_view id;    // ours: "expected-action"
  std::string_view name;  // in published scores: "Expected Action"
  std::string_view key;   // in files of questions and rubrics; differs for one task only
  std::string_view mark;  // in the ids of questions
};

// In the order in which the published program asks them.
inline constexpr std::array kPublishedTasks{
    PublishedTask{"expected-action", "Expected Action", "Expected Action", "ea"},
    PublishedTask{"toxicity-control", "Toxicity Control", "Toxicity", "tc"},
    PublishedTask{"linguistic-habits", "Linguistic Habits", "Linguistic Habits", "lh"},
    PublishedTask{"persona-consistency", "Persona Consistency", "Persona Consistency", "pc"},
    PublishedTask{"action-justification", "Action Justification", "Action Justification", "aj"},
};

// What the published program's prompts and files call the task; one of the user's own keeps its
// name.
inline std::string name_in_files(const GymTask& task) {
  const auto known = std::ranges::find(kPublishedTasks, task.id, &PublishedTask::id);
  return known == kPublishedTasks.end() ? task.name : std::string(known->key);
}

}  // namespace personascope::eval::personagym
