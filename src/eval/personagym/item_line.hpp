// One item of a sheet, as the file of items and the run's record keep it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/personagym/sheet.hpp"

namespace personascope::eval::personagym {

// {"id", "persona", "task", "epoch", "question", "answer", "model", "outcome", "score", "judges",
// "examples", "error"}; what does not apply is absent.
std::string render_item_line(const GymPlan& plan, const std::vector<GymTask>& tasks,
                             const Sheet& sheet, std::size_t item);

ItemRecord make_item_record(const GymPlan& plan, const std::vector<GymTask>& tasks,
                            const Sheet& sheet, std::size_t item, std::int64_t index);

}  // namespace personascope::eval::personagym
