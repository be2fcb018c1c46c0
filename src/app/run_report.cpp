#include "app/run_report.hpp"

#include "app/findings.hpp"
#include "app/version.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "report/run_report.hpp"

namespace personascope::app {
namespace {

enum class ReportFormat { Html, Markdown, Latex };

Result<ReportFormat> parse_report_ending(const std::string& output) {
  const std::string name = lower(output);
  if (name.ends_with(".html") || name.ends_with(".htm")) return ReportFormat::Html;
  if (name.ends_with(".md")) return ReportFormat::Markdown;
  if (name.ends_with(".tex")) return ReportFormat::Latex;
  return fail(ErrorKind::Invalid,
              "the name {} does not tell the format: end it with .html, .md or .tex",
              printable(output));
}

std::string render_report(const report::RunReport& made, ReportFormat format) {
  switch (format) {
    case ReportFormat::Html:
      return report::render_html(made.blocks, made.title);
    case ReportFormat::Markdown:
      return report::render_markdown(made.blocks);
    case ReportFormat::Latex:
      return report::render_latex(made.blocks);
  }
  return "";
}

}  // namespace

Result<std::size_t> write_report(Context& context, const ReportCommand& command) {
  ASSIGN_OR_RETURN(const ReportFormat format, parse_report_ending(command.output));
  if (command.redact && command.transcripts > 0)
    return fail(ErrorKind::Invalid, "transcripts are texts: a redacted report has none");
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  report::ReportOptions options;
  options.runs = command.runs;
  options.transcripts = command.transcripts;
  if (command.worst_first) options.order = store::ItemOrder::WorstFirst;
  if (command.redact) options.texts = report::Texts::LeaveOut;
  options.version = version();
  options.describe = describe_results;
  ASSIGN_OR_RETURN(const report::RunReport made, report::make_report(*reader, options));
  const std::string text = render_report(made, format);
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(command.output));
  RETURN_IF_ERROR(file.write(text));
  RETURN_IF_ERROR(file.commit());
  return text.size();
}

}  // namespace personascope::app
