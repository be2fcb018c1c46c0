#include <fmt/format.h>

#include <cmath>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kExamples =
    R"(  personascope plan pilot.csv --columns score --cluster persona --half-width 0.1
  personascope plan pilot.csv --columns run_a,run_b --cluster persona --difference 0.2
  personascope plan --between 0.5 --within 0.9 --questions 20 --half-width 0.1
  personascope plan 3 --half-width 0.1       # with a stored run as the pilot
  personascope plan 3 5 --difference 0.2     # or two)";

struct PlanFlags {
  CommonFlags common;
  app::PlanCommand command;
};

void print_plan(const report::SamplePlan& plan) {
  if (plan.goal.half_width) {
    fmt::print("for a {:g} % interval of plus or minus {:g}\n", 100 * plan.goal.confidence,
               *plan.goal.half_width);
  } else {
    fmt::print("to find a true difference of {:g} with power {:g} at p < {:g}\n",
               *plan.goal.difference, plan.goal.test.power, plan.goal.test.alpha);
  }
  fmt::print("deviation of personas {}, of questions {} ({})\n\n",
             render_number(std::sqrt(plan.spread.between_variance)),
             render_number(std::sqrt(plan.spread.within_variance)), printable(plan.spread_of));
  Table table({"questions a persona", "personas", "questions in all"},
              {Align::Right, Align::Right, Align::Right});
  Notes notes;
  for (const report::PlanRow& row : plan.rows) {
    const auto questions = static_cast<long long>(row.questions);
    const Colour colour =
        row.questions == plan.spread.rows_per_cluster ? Colour::Bold : Colour::None;
    if (!row.personas) {
      table.add({Cell(render_count(questions), colour), Cell("-"), Cell("-")});
      notes.add_reason(fmt::format("{} questions", questions), row.personas.error());
      continue;
    }
    const auto personas = static_cast<long long>(*row.personas);
    table.add({Cell(render_count(questions), colour), Cell(render_count(personas), colour),
               Cell(render_count(questions * personas), colour)});
  }
  if (plan.spread.within_variance == 0) {
    notes.add(
        "personas and their questions are not told apart: more questions a persona would help "
        "in an unknown degree");
  }
  fmt::print("{}{}", table.render(), notes.render());
}

int make_plan(const PlanFlags& flags) {
  return show_with_store(flags.common, print_plan,
                         [&](app::Context& context) { return app::plan(context, flags.command); });
}

}  // namespace

void add_plan(CLI::App& program) {
  const auto flags = std::make_shared<PlanFlags>();
  app::PlanCommand& wanted = flags->command;
  CLI::App* command =
      add_command(program, "plan", "Say how many personas a half-width or a difference needs",
                  kExamples, [flags] { return make_plan(*flags); });
  command
      ->add_option("pilot", wanted.pilot,
                   "CSV or JSONL of a first, small run; or one or two stored runs")
      ->type_name("FILE|RUN");
  command
      ->add_option("--columns", wanted.columns, "its column of scores, or two for their difference")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command->add_option("--score", wanted.score, "of runs whose items have several scores: which")
      ->type_name("NAME");
  command->add_option("--cluster", wanted.cluster, "its column of personas")->type_name("COLUMN");
  command
      ->add_option("--between", wanted.between_deviation, "standard deviation of personas' means")
      ->check(make_open_range(0, 1e9));
  command
      ->add_option("--within", wanted.within_deviation,
                   "standard deviation of questions around them")
      ->check(make_open_range(0, 1e9));
  command->add_option("--questions", wanted.questions, "questions a persona (the pilot's, or 1)")
      ->check(CLI::Range(1, 1000000));
  command->add_option("--half-width", wanted.goal.half_width, "how far the interval may reach")
      ->check(make_open_range(0, 1e9));
  command->add_option("--difference", wanted.goal.difference, "the true difference to be found")
      ->check(make_open_range(0, 1e9));
  command->add_option("--confidence", wanted.goal.confidence, "of the interval (0.95)")
      ->check(make_open_range(0, 1));
  command->add_option("--alpha", wanted.goal.test.alpha, "of the test (0.05)")
      ->check(make_open_range(0, 1));
  command->add_option("--power", wanted.goal.test.power, "of the test (0.8)")
      ->check(make_open_range(0, 1));
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
