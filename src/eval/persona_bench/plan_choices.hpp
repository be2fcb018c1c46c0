// Parts of a bench's plan that are chosen by files and by the published package's variables:
// attributes to leave out, populations, modes.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "eval/persona_bench/bench_data.hpp"
#include "eval/persona_bench/plan.hpp"
#include "eval/planning.hpp"

namespace personascope::eval::persona_bench {

// What the option names, or else the variable of the published package.
std::optional<std::string> find_setting(const PlanContext& context,
                                        const std::optional<std::string>& given,
                                        const char* variable);

// `attributes` and `attributes_file` become the plan's attributes, by their names in the data.
Result<void> choose_attributes(const PlanContext& context, const BenchData& data, BenchPlan& plan);

// `population` and `populations_file` become the plan's populations.
Result<void> choose_populations(const PlanContext& context, const std::vector<Persona>& personas,
                                BenchPlan& plan);

// `mode` becomes the plan's modes.
Result<void> choose_modes(const PlanContext& context, BenchPlan& plan);

// `critics` become the plan's critics.
Result<void> choose_critics(BenchPlan& plan);

}  // namespace personascope::eval::persona_bench
