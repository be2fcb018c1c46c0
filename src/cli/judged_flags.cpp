#include "cli/judged_flags.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"

namespace personascope::cli {

void add_judged_flags(CLI::App& command, app::JudgedItems& items) {
  command
      .add_option("RUN|FILE", items.sources,
                  "a CSV or JSONL file with one row per judged item; or a stored run, then a file "
                  "of labels")
      ->required()
      ->expected(1, 2);
  command.add_option("--judge", items.judge, "column of the judge's scores")->type_name("COLUMN");
  command.add_option("--human", items.human, "column of human labels; empty for items without one")
      ->type_name("COLUMN");
  command.add_option("--score", items.score, "which score, for a run whose items have several")
      ->type_name("NAME");
}

std::string describe_unjudged(std::size_t labels) {
  if (labels == 0) return "";
  return fmt::format("; {} without a judge's score left out",
                     render_count(static_cast<long long>(labels)));
}

void add_unmatched(std::size_t labels, Notes& notes) {
  if (labels > 0)
    notes.add(fmt::format("{} left out because no item of the run has its id",
                          render_count(labels, "label")));
}

}  // namespace personascope::cli
