#include <fmt/format.h>

#include "app/evaluation.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExplainMissExamples =
    R"(  personascope explain-miss 7        # the first calls that run 7 would have to send
  personascope explain-miss 7 a12    # only for the item a12)";

struct ExplainFlags {
  CommonFlags common;
  std::int64_t run = 0;
  std::optional<std::string> item;
};

void print(const app::MissExplanation& miss) {
  fmt::print("{} ({}): not in the journal\n", paint(stdout, Colour::Bold, printable(miss.item)),
             miss.role);
  if (!miss.has_nearest) {
    fmt::print("  nothing comparable is stored\n");
    return;
  }
  fmt::print("  nearest stored call: {}\n", printable(miss.nearest_item));
  for (const auto& difference : miss.differences) {
    fmt::print("  {}\n", printable(difference.place));
    fmt::print("    stored: {}\n",
               difference.stored.empty() ? "(not there)" : printable(difference.stored));
    fmt::print("    wanted: {}\n",
               difference.wanted.empty() ? "(not there)" : printable(difference.wanted));
  }
}

int explain(const ExplainFlags& flags) {
  auto context = app::Context::create(flags.common.context);
  if (!context) return report(context.error(), flags.common);
  const auto misses = app::explain_misses(**context, flags.run, flags.item);
  if (!misses) return report(misses.error(), flags.common);
  if (flags.common.json) {
    Json list = Json::array();
    for (const auto& miss : *misses) list.push_back(to_json(miss));
    print_json({{"run", flags.run}, {"misses", list}});
    return kDone;
  }
  if (misses->empty()) fmt::print("nothing is missing: the run can be replayed\n");
  for (const auto& miss : *misses) print(miss);
  return kDone;
}

}  // namespace

void add_explain_miss(CLI::App& program) {
  const auto flags = std::make_shared<ExplainFlags>();
  CLI::App* command =
      add_command(program, "explain-miss", "Explain why a call of a run is not in the journal",
                  kExplainMissExamples, [flags] { return explain(*flags); });
  add_run_argument(*command, flags->run);
  command->add_option("ITEM", flags->item, "only this item");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
