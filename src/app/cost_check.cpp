#include "app/cost_check.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::app {
namespace {

std::string render_usd(double usd) {
  return usd == 0 || usd >= 0.1 ? fmt::format("${:.2f}", usd) : fmt::format("${:.2g}", usd);
}

struct Limit {
  double usd = 0;
  std::string name;  // with where it was set
};

std::optional<Limit> find_limit(const Context& context, const std::string& command,
                                const Json& given, const Json& filled) {
  const auto describe = [&](const char* name) {
    const auto setting = context.configuration().find(command, name);
    const bool is_own = find_member(given, name) != nullptr;
    return setting && !is_own
               ? fmt::format("\"{}\" in {}, line {}", name, printable(setting->file), setting->line)
               : fmt::format("`{}`", name);
  };
  if (const auto usd = find_number(filled, "confirm_above"))
    return Limit{*usd, describe("confirm_above")};
  if (find_member(given, "max_cost")) return std::nullopt;  // the run stops there, as was asked for
  if (const auto usd = find_number(filled, "max_cost")) return Limit{*usd, describe("max_cost")};
  return std::nullopt;
}

// Why to ask, or nothing.
std::string find_reason(const std::vector<run::Estimate>& estimates, const Limit& limit) {
  double most = 0;
  std::vector<std::string> parts;
  std::vector<std::string> unpriced;
  for (const run::Estimate& estimate : estimates) {
    if (estimate.calls == 0) continue;
    if (!estimate.max_cost_usd) {
      unpriced.push_back(printable(estimate.model));
      continue;
    }
    most += *estimate.max_cost_usd;
    parts.push_back(
        fmt::format("{} {}", printable(estimate.model), render_usd(*estimate.max_cost_usd)));
  }
  if (most > limit.usd)
    return fmt::format("this run may cost up to {} ({}), and {} is {}", render_usd(most),
                       join(parts, ", "), limit.name, render_usd(limit.usd));
  if (!unpriced.empty())
    return fmt::format("the price of {} is not known, and {} is {}", join(unpriced, ", "),
                       limit.name, render_usd(limit.usd));
  return "";
}

}  // namespace

Result<void> confirm_cost(const Context& context, const std::string& command, const Json& given,
                          const Json& filled, const EstimateRun& estimate,
                          const Listener& listener) {
  const auto limit = find_limit(context, command, given, filled);
  const Json* replay = find_member(filled, "replay");
  if (!limit || (replay && *replay == true)) return {};
  ASSIGN_OR_RETURN(const auto estimates, estimate());
  const std::string reason = find_reason(estimates, *limit);
  if (reason.empty()) return {};
  if (!listener.confirm)
    return fail(ErrorKind::Invalid, "{}; there is no terminal to ask on: `yes` starts it anyway",
                reason);
  if (listener.confirm(reason + ". Start it?")) return {};
  return fail(ErrorKind::Invalid, "not started: {}", reason);
}

}  // namespace personascope::app
