#include "cli/judged_flags.hpp"

#include <fmt/format.h>

#include "cli/table.hpp"

namespace personascope::cli {

void add_judged_flags(CLI::App& command, app::JudgedItems& items) {
  command
      .add_option("RUN|FILE", items.sources,
                  "CSV or JSONL with a row for each item the judge scored; or a stored run, then a "
                  "file of labels")
      ->required()
      ->expected(1, 2);
  command.add_option("--judge", items.judge, "the file's column of the judge's scores")
      ->type_name("COLUMN");
  command
      .add_option("--human", items.human, "the column of human labels, empty where there is none")
      ->type_name("COLUMN");
  command.add_option("--score", items.score, "of a run whose items have several scores: which one")
      ->type_name("NAME");
}

std::string describe_unjudged(std::size_t labels) {
  if (labels == 0) return "";
  return fmt::format("; {} without a score of the judge left out",
                     render_count(static_cast<long long>(labels)));
}

void add_unmatched(std::size_t labels, Notes& notes) {
  if (labels > 0)
    notes.add(fmt::format("{} of no item of the run, and left out", render_count(labels, "label")));
}

}  // namespace personascope::cli
