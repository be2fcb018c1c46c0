#include <fmt/format.h>

#include <map>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/judged_flags.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kCalibrateExamples =
    R"(  personascope calibrate scores.csv --judge judge --human human --cluster persona --scale 1-5
  personascope calibrate scores.csv --judge judge --human human --labels chosen --json
  personascope calibrate scores.csv --judge judge --human human -o calibrated.csv
  personascope calibrate 3 labels.csv --human human    # a stored run, and labels by item id)";

struct CalibrateFlags {
  CommonFlags common;
  app::CalibrateCommand command;
};

const std::map<std::string, app::LabelSampling> kSamplings{{"random", app::LabelSampling::Random},
                                                           {"chosen", app::LabelSampling::Chosen}};

void print_calibration(const app::Calibration& calibration) {
  const app::JudgeCorrection& correction = calibration.correction;
  Notes notes;
  fmt::print("{} judged, {} labelled{}\n\n", render_count(calibration.items, "item"),
             render_count(calibration.labels), describe_unjudged(calibration.unjudged));
  using enum Align;
  const std::string interval = interval_title(calibration.confidence);
  Table table({"mean score", "value", interval, "n", "clusters", "method"},
              {Left, Right, Left, Right, Right, Left});
  const auto add = [&](const std::string& name, const app::ScoreEstimate& estimate, Colour colour) {
    table.add({Cell(name, colour), render_number(estimate.value),
               render_interval(estimate.interval), render_count(estimate.n),
               render_count(estimate.clusters), estimate.method});
    notes.add_caveats(name, estimate);
  };
  add("corrected", correction.corrected, Colour::Bold);
  add("judge alone", correction.judge_alone, Colour::None);
  add("labels alone", correction.labels_alone, Colour::None);
  table.may_wrap(5);
  fmt::print("{}", table.render());

  if (!calibration.map.empty()) {
    Table map({"judge's score", "calibrated", "labels"}, {Right, Right, Right});
    for (const app::CalibratedScore& score : calibration.map) {
      map.add(
          {fmt::format("{}", score.judge), render_number(score.human), render_count(score.labels)});
    }
    fmt::print("\n{}", map.render());
  }
  notes.add(correction.rule);
  add_unmatched(calibration.unmatched, notes);
  if (calibration.effective_labels && calibration.labels < calibration.items &&
      !correction.corrected.has(app::Caveat::FewLabels)) {
    notes.add(fmt::format("the corrected mean is about as precise as {} labels alone would be",
                          render_count(static_cast<std::size_t>(*calibration.effective_labels))));
  }
  for (const std::string& warning : calibration.warnings) notes.add(printable(warning));
  fmt::print("{}", notes.render());
}

int calibrate(const CalibrateFlags& flags) {
  return show_with_store(flags.common, print_calibration, [&](app::Context& context) {
    return app::calibrate(context, flags.command);
  });
}

}  // namespace

void add_calibrate(CLI::App& program) {
  const auto flags = std::make_shared<CalibrateFlags>();
  app::CalibrateCommand& wanted = flags->command;
  CLI::App* command =
      add_command(program, "calibrate", "Correct a judge's scores with human labels",
                  kCalibrateExamples, [flags] { return calibrate(*flags); });
  add_judged_flags(*command, wanted.items);
  command->add_option("--id", wanted.items.id, "column of ids")->type_name("COLUMN");
  command
      ->add_option("--labels", wanted.options.sampling,
                   "how the labelled items were selected: random or chosen (default random)")
      ->transform(one_of(kSamplings))
      ->type_name("HOW");
  command
      ->add_option("-o,--output", wanted.output,
                   "CSV file to write, with the calibrated score of each item")
      ->type_name("FILE");
  add_table_flags(*command, wanted.items.cluster, wanted.scale);
  add_resampling_flags(*command, wanted.options.bounds.confidence, wanted.options.seed,
                       wanted.options.threads);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
