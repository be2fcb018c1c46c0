#include "cli/results.hpp"

#include "cli/bench_personas_table.hpp"
#include "cli/bench_table.hpp"
#include "cli/gym_table.hpp"
#include "cli/judge_table.hpp"
#include "cli/lens_table.hpp"
#include "cli/lift_table.hpp"

namespace personascope::cli {

std::string render_results(const Json& results) {
  return render_judge_results(results) + render_gym_results(results) +
         render_bench_results(results) + render_lens_results(results) +
         render_lift_results(results) + render_written_personas(results);
}

}  // namespace personascope::cli
