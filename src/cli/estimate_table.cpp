#include "cli/estimate_table.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

#include "base/clock.hpp"
#include "base/text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

std::string describe_cost(std::optional<double> max_usd) {
  if (!max_usd) return "unknown: no price for this model (see --prices)";
  return (*max_usd > 0 ? "at most about " : "") + render_money(*max_usd);
}

void print_estimates(const std::vector<app::Estimate>& estimates, const CommonFlags& flags) {
  std::optional<double> cost = 0;
  std::int64_t calls = 0;
  for (const app::Estimate& estimate : estimates) {
    calls += estimate.calls;
    cost = cost && estimate.max_cost_usd ? std::optional(*cost + *estimate.max_cost_usd)
                                         : std::nullopt;
  }
  if (flags.json) {
    Json list = Json::array();
    for (const app::Estimate& estimate : estimates) list.push_back(to_json(estimate));
    print_json({{"parts", list}, {"calls", calls}, {"most_cost_usd", cost ? Json(*cost) : Json()}});
    return;
  }
  using enum Align;
  Table table({"model and part", "calls", "tokens in", "max tokens out", "max cost"},
              {Left, Right, Right, Right, Right});
  const auto render_cost = [](const std::optional<double>& usd) {
    return usd ? render_money(*usd) : std::string("unknown");
  };
  for (const app::Estimate& estimate : estimates)
    table.add({printable(estimate.model), render_count(estimate.calls),
               render_count(estimate.input_tokens), render_count(estimate.max_output_tokens),
               render_cost(estimate.max_cost_usd)});
  table.add({Cell("all"), render_count(calls), Cell(""), Cell(""), render_cost(cost)});
  fmt::print("{}", table.render());
  fmt::print("Estimates. Answers that are stored already cost nothing.\n");
}

}  // namespace

void print_estimate(const app::Estimate& estimate) {
  fmt::print("{}: {} {}\n", estimate.model, render_count(estimate.lines),
             estimate.lines == 1 ? "line" : "lines");
  fmt::print("  calls to send      {} ({} answered already)\n", render_count(estimate.calls),
             render_count(estimate.from_journal));
  fmt::print("  tokens in          about {}\n", render_count(estimate.input_tokens));
  fmt::print("  tokens out         at most about {}\n", render_count(estimate.max_output_tokens));
  fmt::print("  cost               {}\n", describe_cost(estimate.max_cost_usd));
  fmt::print("  time               {}\n",
             estimate.seconds ? "about " + render_duration(std::chrono::duration_cast<Duration>(
                                               std::chrono::duration<double>(*estimate.seconds)))
                              : "unknown: no earlier call to this model to estimate from");
}

int show_estimates(
    const CommonFlags& flags,
    const std::function<Result<std::vector<app::Estimate>>(app::Context&)>& estimate) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  const auto estimates = estimate(**context);
  if (!estimates) return report(estimates.error(), flags);
  print_estimates(*estimates, flags);
  return kDone;
}

}  // namespace personascope::cli
