#include "app/items.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kItemsExamples =
    R"(  personascope items 3 5 8              # runs of several models on the same items
  personascope items 3 5 8 --limit 50
  personascope items 3 5 8 -o items.csv  # all items

Which items tell models apart, on which judges disagree, which to look at or drop; how reliably the test ranks
models, and what more personas, questions, draws or judges would buy. Sends nothing.)";

struct ItemsFlags {
  CommonFlags common;
  app::ItemsRequest request;
  std::size_t limit = 20;
};

std::string render_optional(const std::optional<double>& number) {
  return number ? fmt::format("{:.2f}", *number) : "-";
}

std::string name_flag(app::ItemFlag flag) {
  switch (flag) {
    case app::ItemFlag::OftenUnscored:
      return "often without a score";
    case app::ItemFlag::SameForAll:
      return "same for all";
    case app::ItemFlag::AgainstTheRest:
      return "against the rest";
    case app::ItemFlag::JudgesDisagree:
      return "judges disagree";
  }
  return "";
}

std::string render_item_table(const app::ItemReport& found, std::size_t limit) {
  using enum Align;
  Table table({"item", "mean", "spread", "with the rest", "judges apart", "look at it because"},
              {Left, Right, Right, Right, Right, Left});
  table.may_shorten({0});
  table.may_wrap(5);
  const std::size_t shown = std::min(limit, found.items.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const app::ItemStatistics& item = found.items[i];
    std::vector<std::string> flags;
    for (const app::ItemFlag flag : item.flags) flags.push_back(name_flag(flag));
    table.add({printable(item.id), render_optional(item.mean), render_optional(item.spread),
               render_optional(item.item_rest), render_optional(item.judge_gap),
               join(flags, ", ")});
  }
  return table.render();
}

std::string render_reliability(const app::ItemReport& found) {
  if (!found.reliability)
    return fmt::format("reliability: not known: {}\n",
                       printable(found.reliability.error().message));
  const app::Reliability& reliability = *found.reliability;
  const auto& parts = reliability.components;
  std::string text = fmt::format(
      "\nreliability {:.2f}: the share of the models' true differences in the differences that are "
      "seen\n",
      reliability.now.coefficient);
  using enum Align;
  Table components({"standard deviation of", ""}, {Left, Right});
  const auto add = [&](const char* name, const std::optional<double>& variance) {
    if (variance) components.add({Cell(name), fmt::format("{:.3f}", std::sqrt(*variance))});
  };
  add("models", parts.model);
  add("models with a persona", parts.model_by_persona);
  add("models with a question", parts.model_by_question);
  add("draws of an answer", parts.draw);
  add("models with a judge", parts.model_by_judge);
  Table larger({"twice as many", "reliability", "standard error"}, {Left, Right, Right});
  larger.add({Cell("(now)"), fmt::format("{:.2f}", reliability.now.coefficient),
              fmt::format("{:.3f}", reliability.now.standard_error)});
  for (const app::LargerTest& test : reliability.twice)
    larger.add({test.more, fmt::format("{:.2f}", test.value.coefficient),
                fmt::format("{:.3f}", test.value.standard_error)});
  return text + components.render() + "\n" + larger.render();
}

void print_items(const app::ItemReport& found, std::size_t limit) {
  fmt::print("{}: {} of {}, {} to look at\n", printable(found.evaluation),
             render_count(found.items.size(), "item"), render_count(found.models.size(), "model"),
             render_count(found.flagged));
  fmt::print("{}{}", render_item_table(found, limit), render_reliability(found));
  Notes notes;
  notes.add("with the rest: correlation of the models' scores on this item and on all others");
  if (found.models.size() < 10)
    notes.add(fmt::format("{} are few: correlations and reliability are rough",
                          render_count(found.models.size(), "model")));
  if (found.items.size() > limit)
    notes.add(fmt::format("{} are not shown; --limit shows more, -o FILE writes all",
                          render_count(found.items.size() - limit, "item")));
  fmt::print("{}", notes.render());
}

int show_item_statistics(const ItemsFlags& flags) {
  return show_with_store(
      flags.common, [&](const app::ItemReport& found) { print_items(found, flags.limit); },
      [&](app::Context& context) { return app::describe_items(context, flags.request); });
}

}  // namespace

void add_items(CLI::App& program) {
  const auto flags = std::make_shared<ItemsFlags>();
  CLI::App* command =
      add_command(program, "items", "Which items tell models apart, and how reliable the test is",
                  kItemsExamples, [flags] { return show_item_statistics(*flags); });
  command->add_option("RUN", flags->request.runs, "numbers of runs on the same items")->required();
  command
      ->add_option("--score", flags->request.score,
                   "which score, of items with several (default: the main one)")
      ->type_name("NAME");
  command->add_option("--limit", flags->limit, "how many items to show (default 20)")
      ->type_name("N")
      ->check(CLI::Range(1, 1000000));
  command->add_option("-o,--output", flags->request.output, "write all items to this file")
      ->type_name("FILE");
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
