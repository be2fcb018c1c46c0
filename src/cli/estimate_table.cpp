#include "cli/estimate_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

std::string describe_cost(std::optional<double> most_usd) {
  if (!most_usd) return "unknown: no price for this model (see --prices)";
  return (*most_usd > 0 ? "at most about " : "") + render_money(*most_usd);
}

}  // namespace

void print_estimate(const app::Estimate& estimate) {
  fmt::print("{}: {} {}\n", estimate.model, render_count(estimate.lines),
             estimate.lines == 1 ? "line" : "lines");
  fmt::print("  calls to send      {} ({} answered already)\n", render_count(estimate.calls),
             render_count(estimate.from_journal));
  fmt::print("  tokens in          about {}\n", render_count(estimate.input_tokens));
  fmt::print("  tokens out         at most about {}\n", render_count(estimate.most_output_tokens));
  fmt::print("  cost               {}\n", describe_cost(estimate.most_cost_usd));
  fmt::print("  time               {}\n",
             estimate.seconds ? "about " + render_duration(std::chrono::duration_cast<Duration>(
                                               std::chrono::duration<double>(*estimate.seconds)))
                              : "unknown: no earlier call to this model to judge by");
}

}  // namespace personascope::cli
