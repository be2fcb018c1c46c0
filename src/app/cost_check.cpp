#include "app/cost_check.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::app {
namespace {

constexpr std::size_t kLongText = 40'000;      // bytes
constexpr std::int64_t kLongRequest = 10'000;  // tokens
constexpr std::int64_t kTimesTheOthers = 10;
constexpr std::size_t kMostNamed = 3;

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

void name_below(const Json& value, const std::string& path, std::vector<std::string>& notes) {
  if (notes.size() >= kMostNamed) return;
  if (value.is_object())
    for (const auto& [name, member] : value.items())
      name_below(member, path.empty() ? name : path + "." + name, notes);
  if (value.is_array())
    for (std::size_t i = 0; i < value.size(); ++i)
      name_below(value[i], fmt::format("{}[{}]", path, i), notes);
  if (!value.is_string()) return;
  const auto& text = value.get_ref<const std::string&>();
  if (text.size() < kLongText) return;
  notes.push_back(fmt::format(
      "{} (\"{}\") has {} kB: every call with it has about {} more input tokens", printable(path),
      printable(shorten(text, 60)), text.size() / 1000, text.size() / 4));
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

std::vector<std::string> name_long_texts(const Json& plan) {
  std::vector<std::string> notes;
  name_below(plan, "", notes);
  return notes;
}

void LongestRequest::add(const std::string& id, std::int64_t input_tokens) {
  ++requests_;
  tokens_ += input_tokens;
  if (input_tokens <= longest_) return;
  longest_ = input_tokens;
  id_ = id;
}

std::string LongestRequest::describe() const {
  const std::int64_t others = requests_ > 1 ? (tokens_ - longest_) / (requests_ - 1) : 0;
  if (longest_ < kLongRequest || longest_ < kTimesTheOthers * others) return "";
  return fmt::format("the request \"{}\" has about {} input tokens{}", printable(shorten(id_, 60)),
                     longest_,
                     requests_ > 1 ? fmt::format(", the others {} on average", others) : "");
}

}  // namespace personascope::app
