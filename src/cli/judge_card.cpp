#include <fmt/format.h>

#include "app/tables.hpp"
#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/estimate_text.hpp"
#include "cli/judged_flags.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kJudgeCardExamples =
    R"(  personascope judge-card scores.csv --judge judge --human human --scale 1-5 --cluster persona
  personascope judge card scores.csv --judge judge --human human --scale 1-5 \
      --repeats judge_2,judge_3 --reversed judge_reversed --length words --json
  personascope judge card 3 labels.csv --human human --repeats 4    # stored runs, and labels by id)";

// More would not fit a terminal.
constexpr std::size_t kWidestMatrix = 15;

struct JudgeCardFlags {
  CommonFlags common;
  app::JudgeCardCommand command;
};

class CardTable {
 public:
  explicit CardTable(const std::string& interval)
      : table_({"", "value", interval, "n", "clusters"},
               {Align::Left, Align::Right, Align::Left, Align::Right, Align::Right}) {}

  enum class Sign { Plain, Shown };
  void add(const std::string& name, const Result<app::ScoreEstimate>& estimate, Sign sign) {
    if (!estimate) {
      table_.add({name, Cell("undefined", Colour::Yellow), Cell("-"), Cell("-"), Cell("-")});
      notes_.add_reason(name, estimate.error());
      return;
    }
    const bool shown = sign == Sign::Shown;
    table_.add(
        {name, shown ? render_signed(estimate->value) : render_number(estimate->value),
         shown ? render_signed_interval(estimate->interval) : render_interval(estimate->interval),
         render_count(estimate->n), render_count(estimate->clusters)});
    notes_.add_caveats(name, *estimate);
  }
  void add_optional(const std::string& name,
                    const std::optional<Result<app::ScoreEstimate>>& estimate, Sign sign) {
    if (estimate) {
      add(name, *estimate, sign);
    } else {
      table_.add({name, Cell("not measured", Colour::Grey), Cell("-"), Cell("-"), Cell("-")});
    }
  }
  std::string render() const { return table_.render(); }
  Notes& notes() { return notes_; }

 private:
  Table table_;
  Notes notes_;
};

std::string render_confusion(const app::JudgeCard& card) {
  if (card.confusion.empty() || card.places.size() > kWidestMatrix) return "";
  std::vector<std::string> headings{"human \\ judge"};
  for (const int place : card.places) headings.push_back(std::to_string(place));
  Table table(headings, std::vector(headings.size(), Align::Right));
  for (std::size_t human = 0; human < card.confusion.size(); ++human) {
    std::vector<Cell> row{Cell(std::to_string(card.places[human]))};
    for (std::size_t judge = 0; judge < card.places.size(); ++judge) {
      row.emplace_back(render_count(card.confusion[human][judge]),
                       human == judge ? Colour::Bold : Colour::None);
    }
    table.add(std::move(row));
  }
  return "\n" + table.render();
}

Colour colour_of(app::Fitness fitness) {
  switch (fitness) {
    case app::Fitness::Levels:
      return Colour::Green;
    case app::Fitness::NotFit:
      return Colour::Red;
    default:
      return Colour::Yellow;
  }
}

void print_judge_card(const app::JudgeCard& card) {
  using enum CardTable::Sign;
  fmt::print("{} against {}: {}, {} labelled{}\n", printable(card.agreement.first),
             printable(card.agreement.second), render_count(card.items, "item"),
             render_count(card.labelled), describe_unjudged(card.unjudged));
  fmt::print("verdict: {}\n", paint(stdout, colour_of(card.fitness), name_of(card.fitness)));
  for (const std::string& reason : card.reasons) fmt::print("  {}\n", printable(reason));
  CardTable table(interval_title(card.options.confidence));
  table.add("equal to the label", card.exact, Plain);
  for (const app::Coefficient& coefficient : card.agreement.coefficients) {
    table.add(coefficient.name, coefficient.estimate, Plain);
  }
  table.add("mean error", card.mean_error, Shown);
  table.add_optional("length bias", card.length_bias, Shown);
  table.add_optional("order bias", card.order_bias, Shown);
  table.add_optional("repeats, alpha", card.stability, Plain);
  add_unmatched(card.unmatched, table.notes());
  if (card.rounded)
    table.notes().add(
        "some scores lie between two levels; kappas and the matrix use the nearest level");
  for (const std::string& warning : card.warnings) table.notes().add(printable(warning));
  fmt::print("\n{}{}{}", table.render(), render_confusion(card), table.notes().render());
}

int show_judge_card(const JudgeCardFlags& flags) {
  return show_with_store(flags.common, print_judge_card, [&](app::Context& context) {
    return app::judge_card(context, flags.command);
  });
}

}  // namespace

void add_judge_card(CLI::App& program) {
  const auto flags = std::make_shared<JudgeCardFlags>();
  app::JudgeCardCommand& wanted = flags->command;
  CLI::App* command =
      add_command(program, "judge-card", "Measure how well a judge agrees with human labels",
                  kJudgeCardExamples, [flags] { return show_judge_card(*flags); });
  add_judged_flags(*command, wanted.items);
  command->add_option("--id", wanted.items.id, "column of ids")->type_name("COLUMN");
  command
      ->add_option("--repeats", wanted.repeats,
                   "columns (or runs) with repeated scores of the same judge")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->type_name("A,B");
  command
      ->add_option("--reversed", wanted.reversed,
                   "column (or run) with its scores when the scale was shown in reverse order")
      ->type_name("COLUMN");
  command->add_option("--length", wanted.length, "column of the answers' lengths, in any unit")
      ->type_name("COLUMN");
  add_table_flags(*command, wanted.items.cluster, wanted.scale);
  add_resampling_flags(*command, wanted.options.confidence, wanted.options.seed,
                       wanted.options.threads);
  add_common_flags(*command, flags->common);
}

}  // namespace personascope::cli
