#include "cli/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "app/findings.hpp"
#include "cli/findings_view.hpp"
#include "cli/terminal.hpp"

namespace personascope::cli {
namespace {

constexpr std::size_t kInAPipe = 80;

// The next step for those whose judge was the model that comes with the program.
std::string render_next(const Json& results) {
  if (find_text(results, "evaluation") != "gym") return "";
  const Json* judges = find_member(results, "judges");
  const bool is_tiny =
      judges && std::ranges::any_of(*judges, [](const Json& judge) {
        return judge.is_string() && judge.get_ref<const std::string&>().starts_with("embedded/");
      });
  if (!is_tiny) return "";
  return "Next: try a stronger judge and your own personas:\n"
         "  personascope gym run --persona \"…\" --model openai/gpt-4o-mini \\\n"
         "    --judge openai/gpt-4o\n";
}

}  // namespace

std::string render_results(const Json& results, std::int64_t run, NotesShown notes) {
  const core::Findings findings = app::describe_results(results);
  if (findings.empty()) return "";
  FindingsStyle style;
  const bool is_shown = is_terminal(stdout);
  style.columns = is_shown ? text_columns(stdout) : kInAPipe;
  style.table_columns = is_shown ? columns(stdout) : std::numeric_limits<std::size_t>::max();
  style.all_notes = fmt::format("personascope show {} --notes", run);
  if (notes == NotesShown::All) style.max_notes = std::numeric_limits<std::size_t>::max();
  return render_findings(findings, style) + render_next(results);
}

}  // namespace personascope::cli
