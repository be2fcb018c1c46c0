#include "cli/board_view.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "base/text.hpp"
#include "cli/estimate_text.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kMostLeftOut = 5;

std::string name_row(const std::string& name) {
  return printable(shorten(name, 60));
}

std::string render_rank_range(std::size_t best, std::size_t worst) {
  return best == worst ? fmt::format("{}", best) : fmt::format("{} to {}", best, worst);
}

std::string render_means_interval(const std::optional<app::ScoreInterval>& interval) {
  return interval ? fmt::format("{:.2f} to {:.2f}", interval->low, interval->high) : "-";
}

std::string list_settings_of(const std::map<std::string, std::string>& settings) {
  std::vector<std::string> parts;
  for (const auto& [name, value] : settings)
    parts.push_back(fmt::format("{} {}", name, printable(shorten(value, 60))));
  return join(parts, "; ");
}

std::string render_board_heading(const app::Board& board) {
  const auto protocol = board.settings.find("protocol");
  std::string text = fmt::format(
      "{}{}{}: {} on {}", printable(board.evaluation),
      protocol == board.settings.end() ? "" : ", protocol " + printable(protocol->second),
      board.score.empty() ? "" : ", " + printable(replace_all(board.score, "_", " ")),
      render_count(board.rows.size(), "row"), render_count(board.items, "item"));
  if (board.is_clustered) text += " of " + render_count(board.clusters, "persona");
  text = paint(stdout, Colour::Bold, text) + "\n";
  if (!board.apart.empty())
    text +=
        hang("on a board of its own by: " + list_settings_of(board.apart), text_columns(stdout), 2);
  return text;
}

// Its difference to the base, with the base's row as 0; nothing if it is not on the board.
std::optional<std::size_t> find_base_row(const app::Board& board,
                                         const std::optional<std::string>& base) {
  for (std::size_t i = 0; base && i < board.rows.size(); ++i)
    if (app::is_base(board.rows[i], *base)) return i;
  return std::nullopt;
}

std::string render_to_base(const app::Board& board, std::size_t row, std::size_t base) {
  if (row == base) return "0";
  for (const app::BoardPair& pair : board.pairs) {
    const bool is_above = pair.first == row && pair.second == base;
    const bool is_below = pair.first == base && pair.second == row;
    if (!is_above && !is_below) continue;
    return fmt::format("{:+.2f}{}", is_above ? pair.difference : -pair.difference,
                       pair.is_claimed ? (is_above ? " better" : " worse") : "");
  }
  return "-";
}

std::string render_runs(const std::vector<std::int64_t>& runs) {
  std::vector<std::string> parts;
  for (const std::int64_t run : runs) parts.push_back(std::to_string(run));
  return shorten(join(parts, ", "), 24);
}

std::string render_rows(const app::Board& board, const std::optional<std::string>& base) {
  using enum Align;
  const auto base_row = find_base_row(board, base);
  std::vector<std::string> headings{"rank",          "ranks",   "model", "mean",
                                    "95 % interval", "refused", "runs"};
  std::vector<Align> aligns{Right, Left, Left, Right, Left, Right, Left};
  if (base_row) {
    headings.push_back("to " + printable(shorten(*base, 20)));
    aligns.push_back(Left);
  }
  Table table(headings, aligns);
  table.may_drop({6, 5});
  table.may_shorten({2});
  for (std::size_t i = 0; i < board.rows.size(); ++i) {
    const app::BoardRow& row = board.rows[i];
    const auto refused = static_cast<double>(row.outcomes[core::Outcome::Refused]);
    const auto total = static_cast<double>(std::max<std::int64_t>(1, row.outcomes.total()));
    std::vector<Cell> cells{
        std::to_string(row.rank),
        render_rank_range(row.ranks.best, row.ranks.worst),
        name_row(row.name),
        Cell(row.mean ? fmt::format("{:.2f}", row.mean->value) : "-", Colour::Bold),
        row.mean ? render_means_interval(row.mean->interval) : "-",
        fmt::format("{:.1f} %", 100 * refused / total),
        render_runs(row.runs)};
    if (base_row) cells.emplace_back(render_to_base(board, i, *base_row));
    table.add(std::move(cells));
  }
  return table.render();
}

std::string render_labels(const app::Board& board) {
  if (board.labels.empty()) return "";
  std::vector<std::string> headings{"model"};
  std::vector<Align> aligns{Align::Left};
  for (const std::string& label : board.labels) {
    headings.push_back(printable(shorten(label, 30)));
    aligns.push_back(Align::Right);
  }
  Table table(headings, aligns);
  for (const app::BoardRow& row : board.rows) {
    std::vector<Cell> cells{name_row(row.name)};
    for (const std::string& label : board.labels) {
      const auto found = row.by_label.find(label);
      cells.emplace_back(found == row.by_label.end() ? "-" : fmt::format("{:.2f}", found->second));
    }
    table.add(std::move(cells));
  }
  return "\n" + table.render();
}

std::string sentence_of_note(const app::NotedNumber& note, const app::Board& board) {
  switch (note.note) {
    case app::BoardNote::Demo:
      return "a judge is a tiny model for trying things out: these scores mean nothing";
    case app::BoardNote::OneRow:
      return "a single row has nothing to be ranked against";
    case app::BoardNote::TooFew:
      return fmt::format("{} are too few to tell any two rows apart",
                         render_count(note.number, board.is_clustered ? "persona" : "item"));
    case app::BoardNote::Filled:
      return fmt::format(
          "{} refused, empty or not assessed, and count as the worst score; --unscored drop leaves "
          "them out",
          note.number == 1 ? "1 item was" : render_count(note.number) + " items were");
    case app::BoardNote::ScaleUnknown:
      return fmt::format(
          "{} without a score are left out, since the scale's worst value is not known",
          render_count(note.number, "item"));
    case app::BoardNote::Failed:
      return fmt::format("{} failed and {} left out", render_count(note.number, "item"),
                         note.number == 1 ? "is" : "are");
  }
  return "";
}

std::string render_board(const app::Board& board, const std::optional<std::string>& base) {
  Notes notes;
  if (board.rows.size() > 1)
    notes.add(fmt::format(
        "ranks: the places that the data allows, all of them together with {:g} % confidence; rows "
        "whose ranks overlap cannot be told apart",
        100 * board.confidence));
  for (const app::NotedNumber& note : board.notes) notes.add(sentence_of_note(note, board));
  return render_board_heading(board) + render_rows(board, base) + render_labels(board) +
         notes.render();
}

std::string render_percent_over(double percent) {
  return fmt::format("{:+.2f} %", percent);
}

std::string render_published_rows(const app::PublishedBoard& board) {
  using enum Align;
  std::vector<std::string> headings{"rank",          "ranks",    "model",  "PersonaScore",
                                    "95 % interval", "personas", "to best"};
  std::vector<Align> aligns{Right, Left, Left, Right, Left, Right, Right};
  if (board.base) {
    headings.push_back("to " + printable(shorten(*board.base, 20)));
    aligns.push_back(Right);
  }
  Table table(headings, aligns);
  for (const app::PublishedRow& row : board.rows) {
    const app::ScoreEstimate& score = row.entry.persona_score;
    std::vector<Cell> cells{std::to_string(row.rank),
                            row.ranks ? render_rank_range(row.ranks->best, row.ranks->worst) : "-",
                            name_row(row.entry.model),
                            Cell(fmt::format("{:.2f}", score.value), Colour::Bold),
                            render_means_interval(score.interval),
                            render_count(static_cast<long long>(score.clusters)),
                            render_percent_over(row.percent_over_best)};
    if (row.percent_over_base) cells.emplace_back(render_percent_over(*row.percent_over_base));
    table.add(std::move(cells));
  }
  return table.render();
}

std::string render_published_tasks(const app::PublishedBoard& board) {
  std::vector<std::string> names;
  for (const app::PublishedRow& row : board.rows)
    for (const auto& [name, score] : row.entry.tasks)
      if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  std::vector<std::string> headings{"model"};
  std::vector<Align> aligns{Align::Left};
  for (const std::string& name : names) {
    headings.push_back(printable(shorten(name, 30)));
    aligns.push_back(Align::Right);
  }
  Table table(headings, aligns);
  for (const app::PublishedRow& row : board.rows) {
    std::vector<Cell> cells{name_row(row.entry.model)};
    for (const std::string& name : names) {
      const auto found =
          std::ranges::find(row.entry.tasks, name, [](const auto& task) { return task.first; });
      cells.emplace_back(
          found == row.entry.tasks.end() ? "-" : fmt::format("{:.2f}", found->second.value));
    }
    table.add(std::move(cells));
  }
  return "\n" + table.render();
}

std::string render_published(const app::PublishedBoard& board) {
  Notes notes;
  notes.add(
      "published scores are means over personas; they are compared as if they were "
      "independent, and not with your own runs");
  if (board.unranked > 0)
    notes.add(
        "models with fewer than 5 personas, or without a standard deviation, are listed but "
        "not ranked");
  for (const app::PublishedRow& row : board.rows)
    for (const std::string& note : row.entry.notes)
      notes.add(printable(fmt::format("{}: {}", row.entry.model, note)));
  return paint(stdout, Colour::Bold, "gym, published scores") + "\n" +
         render_published_rows(board) + render_published_tasks(board) + notes.render();
}

}  // namespace

std::string render_leaderboards(const app::Leaderboards& leaderboards) {
  std::vector<std::string> parts;
  for (const app::Board& board : leaderboards.boards)
    parts.push_back(render_board(board, leaderboards.base));
  if (leaderboards.published) parts.push_back(render_published(*leaderboards.published));
  std::string text = join(parts, "\n");
  if (leaderboards.left_out.empty()) return text;
  Notes notes;
  const std::size_t shown = std::min(kMostLeftOut, leaderboards.left_out.size());
  for (std::size_t i = 0; i < shown; ++i)
    notes.add("left out: " + printable(leaderboards.left_out[i].sentence));
  if (shown < leaderboards.left_out.size())
    notes.add(fmt::format("{} more are left out; --json lists them",
                          render_count(leaderboards.left_out.size() - shown, "run")));
  return text + notes.render();
}

}  // namespace personascope::cli
