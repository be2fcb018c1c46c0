#include <fmt/format.h>

#include <map>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope agreement raters.csv --scale 1-5
  personascope agreement raters.csv --scale 1-5 --level ordinal --cluster persona --json
  personascope agreement labels.csv --level nominal
  personascope agreement 3        # the judges of a stored run's panel
  personascope agreement 3 5      # two stored runs of the same items, judged differently)";

struct AgreementFlags {
  CommonFlags common;
  app::AgreementCommand command;
};

const std::map<std::string, stats::Level> kLevels{{"nominal", stats::Level::Nominal},
                                                  {"ordinal", stats::Level::Ordinal},
                                                  {"interval", stats::Level::Interval},
                                                  {"ratio", stats::Level::Ratio}};

std::string count(std::size_t number) {
  return render_count(static_cast<long long>(number));
}

void add_row(Table& table, std::vector<Cell> row, const std::string& subject,
             const Result<stats::Estimate>& estimate, Notes& notes) {
  if (!estimate) {
    row.insert(row.end(), {Cell("undefined", Colour::Yellow), Cell("-"), Cell("-")});
    notes.add_reason(subject, estimate.error());
  } else {
    row.insert(row.end(), {render_number(estimate->value), render_interval(estimate->interval),
                           count(estimate->clusters)});
    notes.add_caveats(subject, *estimate);
    const std::size_t drawing = estimate->method.rfind("; ");
    if (drawing != std::string::npos)
      notes.add("intervals: " + estimate->method.substr(drawing + 2));
  }
  table.add(std::move(row));
}

void print_agreement(const report::Agreement& agreement) {
  Notes notes;
  using enum Align;
  const std::string interval = fmt::format("{:g} % interval", 100 * agreement.options.confidence);
  const std::string drawn = agreement.cluster_column ? "clusters" : "items";
  fmt::print("{} items, {} rater{}, {} ratings, {} missing; {} level\n\n", count(agreement.items),
             agreement.raters.size(), agreement.raters.size() == 1 ? "" : "s",
             count(agreement.ratings), count(agreement.missing),
             report::name_of(agreement.options.level));
  Table overall({"all raters", "value", interval, drawn}, {Left, Right, Left, Right});
  for (const report::Coefficient& coefficient : agreement.overall) {
    add_row(overall, {Cell(coefficient.name)}, coefficient.name, coefficient.estimate, notes);
  }
  fmt::print("{}", overall.render());
  if (!agreement.pairs.empty()) {
    Table pairs({"two raters", "", "value", interval, drawn}, {Left, Left, Right, Left, Right});
    for (const report::RaterPair& pair : agreement.pairs) {
      const std::string names =
          printable(shorten(pair.first, 30)) + " and " + printable(shorten(pair.second, 30));
      for (const report::Coefficient& coefficient : pair.coefficients) {
        const bool is_first = &coefficient == &pair.coefficients.front();
        add_row(pairs, {Cell(is_first ? names : ""), Cell(coefficient.name)},
                fmt::format("{}, {}", names, coefficient.name), coefficient.estimate, notes);
      }
    }
    fmt::print("\n{}", pairs.render());
  }
  if (agreement.complete_items < agreement.items) {
    notes.add(fmt::format("Fleiss kappa and ICC rest on the {} items that all have rated",
                          count(agreement.complete_items)));
  }
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
      add_command(program, "agreement", "Say how far raters agree, from a table or a run",
                  kExamples, [flags] { return measure(*flags); });
  command
      ->add_option("sources", wanted.sources,
                   "CSV or JSONL: an id column, then one column a rater; or a stored run; or "
                   "several, each a rater")
      ->required()
      ->type_name("FILE|RUN");
  command->add_option("--id", wanted.id, "the column of ids (the first)");
  command->add_option("--raters", wanted.raters, "the raters' columns (all others)")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command->add_option("--score", wanted.score, "the column of scores in each of several (score)");
  command
      ->add_option("--level", wanted.options.level,
                   "what scores mean: nominal, ordinal, interval or ratio (ordinal)")
      ->transform(one_of(kLevels))
      ->type_name("LEVEL");
  add_table_flags(*command, wanted.cluster, wanted.scale);
  add_resampling_flags(*command, wanted.options.confidence, wanted.options.seed,
                       wanted.options.threads);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
