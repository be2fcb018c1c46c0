// From the options of the bench to its plan: everything is checked that can be checked before
// anything is sent.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/persona_bench/plan.hpp"
#include "eval/planning.hpp"

namespace personascope::eval::persona_bench {

struct BenchRequest {
  Kind kind = Kind::Main;
  BenchOptions options{};
  RunOptions run{};
  Json given = Json::object();  // what the options were read from: a default is not "given"
};

// Reads the files that the options name; writes nothing. Fails as Invalid or NotFound, naming the
// option.
Result<BenchPlan> make_bench_plan(const PlanContext& context, const BenchRequest& request);

// All options of a stage ("pass-at-k") but those of the engine.
std::vector<core::OptionSpec> list_bench_options(std::string_view stage);

// The evaluation that the given options describe.
Result<PreparedEvaluation> prepare_bench(const PlanContext& context, std::string_view stage,
                                         const Json& given);

// The evaluation of a stored plan. Fails as Invalid if it is not one of the bench.
Result<PreparedEvaluation> load_bench(const Json& stored);

// The whole name of a model; the published package takes a bare one as OpenAI's.
std::string name_bench_model(const std::string& name);

}  // namespace personascope::eval::persona_bench
