#include <fmt/format.h>

#include <cmath>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kPlanExamples =
    R"(  personascope plan pilot.csv --columns score --cluster persona --half-width 0.1
  personascope plan pilot.csv --columns run_a,run_b --cluster persona --difference 0.2
  personascope plan --between 0.5 --within 0.9 --questions 20 --half-width 0.1
  personascope plan 3 --half-width 0.1       # with a stored run as the pilot
  personascope plan 3 5 --difference 0.2     # or two)";

struct PlanFlags {
  CommonFlags common;
  app::PlanCommand command;
};

// "standard deviation of personas 0.460, of questions 0.912 (run_a: 120 scores of 12 personas)".
std::string describe_spread(const app::SamplePlan& plan) {
  const bool is_score = plan.quantity == app::Quantity::Score;
  std::string source = printable(plan.spread_of);
  if (plan.pilot) {
    const bool has_pairs = plan.pilot->quantity == app::Quantity::Difference;
    source +=
        fmt::format(": {} of {}", render_count(plan.pilot->scores, has_pairs ? "pair" : "score"),
                    render_count(plan.pilot->personas, "persona"));
  }
  return fmt::format("standard deviation of {}personas {}, of questions {} ({})",
                     is_score ? "" : "differences: of ",
                     render_number(std::sqrt(plan.spread.between_variance)),
                     render_number(std::sqrt(plan.spread.within_variance)), source);
}

// That a difference was planned by one run's scores, and what that assumes.
std::string describe_correlation(const app::SamplePlan& plan) {
  return fmt::format(
      "the differences are estimated from the scores of one run: {} times their deviation, which "
      "assumes that the scores of two runs correlate by {:g} (--correlation){}",
      render_number(std::sqrt(2 * (1 - *plan.correlation))), *plan.correlation,
      plan.goal.correlation ? ""
                            : "; runs on the same items usually correlate more and need fewer "
                              "personas, which a pilot of both would show");
}

// Where the next budget helps most.
std::string describe_advice(const app::BudgetAdvice& advice) {
  std::vector<std::string> options;
  for (const app::BudgetOption& option : advice.options)
    options.push_back(fmt::format("to {} with {}", render_number(option.standard_error),
                                  app::name_of(option.spending)));
  return fmt::format("doubling the number of scores lowers the standard error from {} {}",
                     render_number(advice.standard_error_now), join(options, ", "));
}

std::string render_range(const app::PlanRow& row) {
  const auto render = [](const std::optional<std::size_t>& count) {
    return count ? render_count(static_cast<long long>(*count)) : std::string("millions");
  };
  return render(row.at_least) + " to " + render(row.at_most);
}

void print_plan(const app::SamplePlan& plan) {
  if (plan.goal.half_width) {
    fmt::print("for a {:.10g} % interval of plus or minus {:g}\n", 100 * plan.goal.confidence,
               *plan.goal.half_width);
  } else {
    fmt::print("to find a true difference of {:g} with power {:g} at p < {:g}\n",
               *plan.goal.difference, plan.goal.test.power, plan.goal.test.alpha);
  }
  fmt::print("{}\n", wrap_message(stdout, describe_spread(plan)));
  std::vector<std::string> headings{"questions per persona", "personas", "questions in total"};
  if (plan.pilot) headings.insert(headings.begin() + 2, "range");
  Table table(std::move(headings), std::vector(plan.pilot ? 4 : 3, Align::Right));
  Notes notes;
  for (const app::PlanRow& row : plan.rows) {
    const auto questions = static_cast<long long>(row.questions);
    const Colour colour =
        row.questions == plan.spread.rows_per_cluster ? Colour::Bold : Colour::None;
    if (!row.personas) {
      std::vector<Cell> cells{Cell(render_count(questions), colour)};
      cells.resize(plan.pilot ? 4 : 3, Cell("-"));
      table.add(std::move(cells));
      notes.add_reason(render_count(row.questions, "question"), row.personas.error());
      continue;
    }
    const auto personas = static_cast<long long>(*row.personas);
    std::vector<Cell> cells{Cell(render_count(questions), colour),
                            Cell(render_count(personas), colour),
                            Cell(render_count(questions * personas), colour)};
    if (plan.pilot) cells.insert(cells.begin() + 2, Cell(render_range(row), colour));
    table.add(std::move(cells));
  }
  if (plan.spread.within_variance == 0 && !(plan.pilot && plan.pilot->advice)) {
    notes.add(
        "the spreads between personas and between questions are not known separately, so the "
        "effect of more questions per persona is unknown");
  }
  if (plan.correlation) notes.add(describe_correlation(plan));
  if (plan.pilot) {
    notes.add(
        fmt::format("range: personas needed for all spreads that fit a pilot of {} personas at "
                    "{:.10g} % confidence",
                    plan.pilot->personas, 100 * plan.goal.confidence));
    if (plan.pilot->advice) notes.add(describe_advice(*plan.pilot->advice));
    if (plan.pilot->personas < 10)
      notes.add(
          "a pilot of fewer than 10 personas is not reliable: plan for more personas than it asks "
          "for");
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
  CLI::App* command = add_command(
      program, "plan", "Compute how many personas are needed for a half-width or a difference",
      kPlanExamples, [flags] { return make_plan(*flags); });
  command->add_option(
      "RUN|FILE", wanted.pilot,
      "CSV or JSONL file of a small first run (the pilot); or one or two stored runs");
  command
      ->add_option("--columns", wanted.columns,
                   "column of scores, or two columns for their difference")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command->add_option("--score", wanted.score, "which score, for runs whose items have several")
      ->type_name("NAME");
  command->add_option("--id", wanted.id, "column of ids (default id)")->type_name("COLUMN");
  command->add_option("--cluster", wanted.cluster, "column of personas")->type_name("COLUMN");
  command
      ->add_option("--between", wanted.between_deviation,
                   "standard deviation of personas' mean scores")
      ->check(make_closed_range(0, 1e9));
  command
      ->add_option("--within", wanted.within_deviation,
                   "standard deviation of a persona's question scores around its mean")
      ->check(make_closed_range(0, 1e9));
  command
      ->add_option("--questions", wanted.questions,
                   "questions per persona (default: the pilot's, or 1)")
      ->check(CLI::Range(1, 1000000));
  command
      ->add_option("--half-width", wanted.goal.half_width,
                   "half-width that the interval should have")
      ->check(make_open_range(0, 1e9));
  command->add_option("--difference", wanted.goal.difference, "true difference to detect")
      ->check(make_open_range(0, 1e9));
  command
      ->add_option("--correlation", wanted.goal.correlation,
                   "correlation of two runs' scores, to plan a difference from one run (default 0)")
      ->check(make_open_range(-1, 1));
  command
      ->add_option("--confidence", wanted.goal.confidence,
                   "confidence level of the interval (default 0.95)")
      ->check(make_open_range(0, 1));
  command
      ->add_option("--alpha", wanted.goal.test.alpha,
                   "significance level of the test (default 0.05)")
      ->check(make_open_range(app::kSmallestAlpha, 1));
  command->add_option("--power", wanted.goal.test.power, "power of the test (default 0.8)")
      ->check(make_open_range(0, 1));
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
