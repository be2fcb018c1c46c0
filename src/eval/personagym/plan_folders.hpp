// Which folders in the published program's form a run of the gym reads, and which it writes.
#pragma once

#include <string>
#include <string_view>

#include "base/result.hpp"
#include "eval/personagym/plan.hpp"

namespace personascope::eval::personagym {

// A folder that the published program keeps beside its code: here, or one level up; absolute.
std::string find_folder(const char* kind, const std::string& name);

// Fills in the folders that do not depend on the personas. Fails as Invalid if answers are to be
// graded and no folder of answers is named.
Result<void> choose_folders(std::string_view stage, GymPlan& plan);

// Fills in those that are read if every persona has its file there, else written. Fails as Invalid
// if some personas have one and some do not: these files would be lost.
Result<void> settle_folders(std::string_view stage, GymPlan& plan);

// Makes the folders that will be written, and checks that they can be.
Result<void> make_folders(const GymPlan& plan);

}  // namespace personascope::eval::personagym
