#include <fmt/format.h>

#include <map>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kAgreementExamples =
    R"(  personascope agreement raters.csv --scale 1-5
  personascope agreement raters.csv --scale 1-5 --level ordinal --cluster persona --json
  personascope agreement labels.csv --level nominal
  personascope agreement 3        # the judges of a stored run's panel
  personascope agreement 3 5      # two stored runs of the same items, judged differently)";

struct AgreementFlags {
  CommonFlags common;
  app::AgreementCommand command;
};

const std::map<std::string, app::Level> kLevels{{"nominal", app::Level::Nominal},
                                                {"ordinal", app::Level::Ordinal},
                                                {"interval", app::Level::Interval},
                                                {"ratio", app::Level::Ratio}};

// A table of coefficients; beside the items the clusters, if there are some.
class CoefficientTable {
 public:
  CoefficientTable(std::vector<std::string> headings, const app::Agreement& agreement, Notes& notes)
      : is_clustered_(agreement.cluster_column.has_value()),
        table_(make_headings(std::move(headings), agreement)),
        notes_(notes) {}

  void add(std::vector<Cell> row, const std::string& subject,
           const Result<app::ScoreEstimate>& estimate) {
    if (!estimate) {
      row.insert(row.end(), {Cell("undefined", Colour::Yellow), Cell("-"), Cell("-")});
      notes_.add_reason(subject, estimate.error());
    } else {
      row.insert(row.end(), {render_number(estimate->value), render_interval(estimate->interval),
                             render_count(estimate->n)});
      notes_.add_caveats(subject, *estimate);
      if (estimate->interval) notes_.add("intervals: " + estimate->interval_method);
    }
    if (is_clustered_) row.emplace_back(estimate ? render_count(estimate->clusters) : "-");
    table_.add(std::move(row));
  }
  std::string render() const { return table_.render(); }

 private:
  static Table make_headings(std::vector<std::string> headings, const app::Agreement& agreement) {
    using enum Align;
    std::vector<Align> aligns(headings.size(), Left);
    headings.insert(headings.end(),
                    {"value", interval_title(agreement.options.confidence), "items"});
    aligns.insert(aligns.end(), {Right, Left, Right});
    if (agreement.cluster_column) {
      headings.emplace_back("clusters");
      aligns.push_back(Right);
    }
    return Table(std::move(headings), std::move(aligns));
  }

  bool is_clustered_;
  Table table_;
  Notes& notes_;
};

void print_agreement(const app::Agreement& agreement) {
  Notes notes;
  fmt::print("{}, {}, {}, {} missing; {} level\n\n", render_count(agreement.items, "item"),
             render_count(agreement.raters.size(), "rater"),
             render_count(agreement.ratings, "rating"), render_count(agreement.missing),
             app::name_of(agreement.options.level));
  CoefficientTable overall({"all raters"}, agreement, notes);
  for (const app::Coefficient& coefficient : agreement.overall)
    overall.add({Cell(coefficient.name)}, coefficient.name, coefficient.estimate);
  fmt::print("{}", overall.render());
  if (!agreement.pairs.empty()) {
    CoefficientTable pairs({"two raters", ""}, agreement, notes);
    for (const app::RaterPair& pair : agreement.pairs) {
      const std::string names =
          printable(shorten(pair.first, 30)) + " and " + printable(shorten(pair.second, 30));
      for (const app::Coefficient& coefficient : pair.coefficients) {
        const bool is_first = &coefficient == &pair.coefficients.front();
        pairs.add({Cell(is_first ? names : ""), Cell(coefficient.name)},
                  fmt::format("{} of {}", coefficient.name, names), coefficient.estimate);
      }
    }
    fmt::print("\n{}", pairs.render());
  }
  if (agreement.raters.size() > 1 && agreement.complete_items > 0 &&
      agreement.complete_items < agreement.items) {
    const bool is_nominal = agreement.options.level == app::Level::Nominal;
    notes.add(fmt::format("{} only the {} that all raters have rated",
                          is_nominal ? "Fleiss kappa uses" : "Fleiss kappa and ICC use",
                          render_count(agreement.complete_items, "item")));
  }
  for (const std::string& warning : agreement.warnings) notes.add(printable(warning));
  fmt::print("{}", notes.render());
}

int measure(const AgreementFlags& flags) {
  return show_with_store(flags.common, print_agreement, [&](app::Context& context) {
    return app::agreement(context, flags.command);
  });
}

}  // namespace

void add_agreement(CLI::App& program) {
  const auto flags = std::make_shared<AgreementFlags>();
  app::AgreementCommand& wanted = flags->command;
  CLI::App* command =
      add_command(program, "agreement", "Measure how well raters agree, from a table or a run",
                  kAgreementExamples, [flags] { return measure(*flags); });
  command
      ->add_option("RUN|FILE", wanted.sources,
                   "a CSV or JSONL file with an id column and one column per rater; or a stored "
                   "run; or several files or runs, one per rater")
      ->required();
  command->add_option("--id", wanted.id, "column of ids (default: id, else the first)");
  command->add_option("--raters", wanted.raters, "columns of the raters (default: all others)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command->add_option("--score", wanted.score,
                      "column of scores in each of several files (default score)");
  command
      ->add_option("--level", wanted.options.level,
                   "level of measurement: nominal, ordinal, interval or ratio (default ordinal)")
      ->transform(one_of(kLevels))
      ->type_name("LEVEL");
  add_table_flags(*command, wanted.cluster, wanted.scale);
  add_resampling_flags(*command, wanted.options.confidence, wanted.options.seed,
                       wanted.options.threads);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
