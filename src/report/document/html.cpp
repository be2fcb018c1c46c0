#include <fmt/format.h>

#include "report/chart/escape.hpp"
#include "report/document/block.hpp"

namespace personascope::report {
namespace {

constexpr std::string_view kPageCss = R"(
:root{color-scheme:light dark;--ink:#1f2328;--muted:#59636e;--page:#fff;--line:#d8dce1;--soft:#f5f6f8;--warn:#8a5a00}
@media (prefers-color-scheme:dark){:root{--ink:#e8eaed;--muted:#a3acb6;--page:#15181d;--line:#343b44;--soft:#1d2127;--warn:#f0c96a}}
body{margin:0 auto;padding:1rem;max-width:60rem;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;overflow-wrap:anywhere}
h1{font-size:1.7rem}h2{font-size:1.35rem;border-top:1px solid var(--line);padding-top:1rem;margin-top:2rem}h3{font-size:1.1rem}
figure{margin:1rem 0}figure svg{max-width:100%;height:auto}
.scroll{overflow-x:auto}table{border-collapse:collapse;margin:.3rem 0;font-variant-numeric:tabular-nums}
th,td{text-align:left;padding:.2rem .7rem .2rem 0;border-bottom:1px solid var(--line);vertical-align:top}td.n,th.n{text-align:right;white-space:nowrap}
caption{text-align:left;font-weight:600;padding:.3rem 0}.muted{color:var(--muted)}.warn{color:var(--warn)}
dl{display:grid;grid-template-columns:max-content 1fr;gap:.2rem 1rem}dt{color:var(--muted)}dd{margin:0}
details{border:1px solid var(--line);border-radius:6px;padding:.4rem .8rem;margin:.5rem 0}summary{cursor:pointer}
pre{white-space:pre-wrap;overflow-wrap:anywhere;background:var(--soft);padding:.6rem;border-radius:6px;margin:.3rem 0;font:inherit}
@media (max-width:40rem){dl{grid-template-columns:1fr}dt{margin-top:.4rem}}
@media print{details{break-inside:avoid}}
)";

std::string render_block(const HeadingBlock& heading) {
  return fmt::format("<h{}>{}</h{}>\n", heading.level, escape_markup(heading.text), heading.level);
}

std::string render_block(const ParagraphBlock& paragraph) {
  return fmt::format("<p>{}</p>\n", escape_markup(paragraph.text));
}

std::string render_block(const FactsBlock& block) {
  std::string text = "<dl>\n";
  for (const auto& [name, fact] : block.facts)
    text += fmt::format("<dt>{}</dt><dd>{}</dd>\n", escape_markup(name), escape_markup(fact));
  return text + "</dl>\n";
}

std::string render_block(const TableBlock& table) {
  const auto class_of_column = [&](std::size_t column) {
    return column < table.is_number.size() && table.is_number[column] ? " class=\"n\"" : "";
  };
  std::string text = "<div class=\"scroll\" tabindex=\"0\"><table>";
  if (!table.title.empty())
    text += fmt::format("<caption>{}</caption>", escape_markup(table.title));
  text += "<thead><tr>";
  for (std::size_t i = 0; i < table.headings.size(); ++i)
    text += fmt::format("<th scope=\"col\"{}>{}</th>", class_of_column(i),
                        escape_markup(table.headings[i]));
  text += "</tr></thead>\n<tbody>\n";
  for (const auto& row : table.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i)
      text += fmt::format("<td{}>{}</td>", class_of_column(i), escape_markup(row[i]));
    text += "</tr>\n";
  }
  text += "</tbody></table></div>\n";
  if (!table.meaning.empty())
    text += fmt::format("<p class=\"muted\">{}</p>\n", escape_markup(table.meaning));
  return text;
}

std::string render_block(const NotesBlock& block) {
  std::string text = "<ul>\n";
  for (const core::Note& note : block.notes) {
    std::string subjects;
    for (const std::string& subject : note.subjects)
      subjects += (subjects.empty() ? "" : "; ") + subject;
    text += fmt::format(
        "<li{}>{}{}{}</li>\n", note.severity == core::Severity::Warning ? " class=\"warn\"" : "",
        escape_markup(subjects), subjects.empty() ? "" : ": ", escape_markup(note.text));
  }
  return text + "</ul>\n";
}

std::string render_block(const ChartBlock& block) {
  return fmt::format("<figure>{}</figure>\n", render_svg(block.chart, {Theme::Auto, Place::Page}));
}

std::string render_block(const TranscriptBlock& transcript) {
  std::string text =
      fmt::format("<details><summary>{}</summary>\n", escape_markup(transcript.title));
  for (const TranscriptBlock::Section& section : transcript.sections)
    text += fmt::format("<p class=\"muted\">{}</p><pre dir=\"auto\">{}</pre>\n",
                        escape_markup(section.heading), escape_markup(section.text));
  return text + "</details>\n";
}

}  // namespace

std::string render_html(const std::vector<Block>& blocks, const std::string& title) {
  std::string text = fmt::format(
      R"(<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>{}</title>
<style>{}{}</style>
</head>
<body>
<main>
)",
      escape_markup(title), kPageCss, chart_css(Theme::Auto));
  for (const Block& block : blocks)
    text += std::visit([](const auto& shape) { return render_block(shape); }, block);
  return text + "</main>\n</body>\n</html>\n";
}

}  // namespace personascope::report
