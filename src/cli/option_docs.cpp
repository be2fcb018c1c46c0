#include "cli/option_docs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "app/catalog.hpp"
#include "app/run_types.hpp"
#include "base/text.hpp"
#include "cli/option_flags.hpp"

namespace personascope::cli {
namespace {

using core::OptionSpec;

struct Line {
  std::string option;
  std::string help;
  std::vector<std::string> stages;
};

std::string escape(const std::string& text) {
  return replace_all(text, "|", "\\|");
}

std::string render_spellings(const OptionSpec& spec) {
  if (spec.positional) return fmt::format("`{}`", spec.value);
  const std::string value =
      spec.kind == core::OptionKind::Choice ? join(spec.choices, "|") : spec.value;
  const std::string flag = core::flag_of(spec) + (value.empty() ? "" : " " + value);
  if (spec.short_flag.empty()) return fmt::format("`{}`", flag);
  return fmt::format("`-{}`, `{}`", spec.short_flag, flag);
}

void add_line(std::vector<Line>& lines, const OptionSpec& spec,
              const std::vector<OptionSpec>& options, const std::string& stage) {
  Line line{escape(render_spellings(spec)), escape(name_flags(core::describe(spec), options)), {}};
  if (spec.required && !spec.positional) line.help += "; required";
  const auto same = std::ranges::find_if(lines, [&](const Line& other) {
    return other.option == line.option && other.help == line.help;
  });
  Line& kept = same == lines.end() ? lines.emplace_back(std::move(line)) : *same;
  kept.stages.push_back(stage);
}

std::string render(const std::vector<Line>& lines, std::size_t stages) {
  std::string text =
      stages > 1 ? "| option | | commands |\n|---|---|---|\n" : "| option | |\n|---|---|\n";
  for (const Line& line : lines) {
    text += fmt::format("| {} | {} |", line.option, line.help);
    if (stages > 1)
      text += fmt::format(" {} |", line.stages.size() == stages ? "all" : join(line.stages, ", "));
    text += "\n";
  }
  return text;
}

}  // namespace

std::string render_option_docs(std::string_view group) {
  std::vector<Line> lines;
  if (group == "engine") {
    const auto options = app::engine_options().specs("");
    for (const OptionSpec& spec : options) add_line(lines, spec, options, "");
    return render(lines, 1);
  }
  std::size_t stages = 0;
  for (const app::Command& command : app::list_commands()) {
    const std::size_t blank = command.name.find(' ');
    if (command.name.substr(0, blank) != group) continue;
    ++stages;
    for (const OptionSpec& spec : command.options)
      if (spec.group.empty() && !spec.hidden)
        add_line(lines, spec, command.options, command.name.substr(blank + 1));
  }
  return render(lines, stages);
}

std::string fill_option_docs(std::string_view text) {
  constexpr std::string_view kBegin = "<!-- options ";
  constexpr std::string_view kEnd = "<!-- end of options -->";
  std::string filled;
  for (;;) {
    const std::size_t begin = text.find(kBegin);
    const std::size_t close = begin == text.npos ? text.npos : text.find(" -->\n", begin);
    const std::size_t end = close == text.npos ? text.npos : text.find(kEnd, close);
    if (end == text.npos) return filled + std::string(text);
    const std::size_t name = begin + kBegin.size();
    filled += text.substr(0, close + 5);
    filled += render_option_docs(text.substr(name, close - name));
    filled += kEnd;
    text.remove_prefix(end + kEnd.size());
  }
}

}  // namespace personascope::cli
