// One item of a sheet, as the run's record keeps it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/personagym/plan.hpp"
#include "eval/personagym/sheet.hpp"

namespace personascope::eval::personagym {

// Its document: {"persona", "task", "epoch", "question", "answer", "model", "examples", "judges",
// "probe": {"kind", "good", "bad"}, "beside": {"rubric", "score", "judges"}}.
ItemRecord make_item_record(const GymPlan& plan, const std::vector<GymTask>& tasks,
                            const Sheet& sheet, std::size_t item, std::int64_t position);

// The same of a probe, which is of no task.
ItemRecord make_probe_record(const GymPlan& plan, const Persona& persona, const Probe& probe,
                             const Item& item, int epoch, std::int64_t position);

}  // namespace personascope::eval::personagym
