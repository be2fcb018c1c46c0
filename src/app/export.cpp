#include "app/export.hpp"

#include "app/findings.hpp"
#include "base/text.hpp"
#include "files/parquet_file.hpp"
#include "files/text_file.hpp"

namespace personascope::app {

Result<std::int64_t> export_runs(Context& context, const ExportCommand& command) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  report::ExportOptions options = command.options;
  options.describe = describe_results;
  options.parquet_program = files::find_parquet_program(context.environment());
  if (command.output == "-")
    return report::export_runs(*reader, options, report::RowFormat::Jsonl, command.write_output);
  const auto format = report::find_row_format(command.output);
  if (!format)
    return fail(
        ErrorKind::Invalid,
        "the name {} does not tell the format: end it with .jsonl, .json, .csv, .md, .tex or "
        ".parquet",
        printable(command.output));
  ASSIGN_OR_RETURN(auto file, files::NewFile::create(command.output));
  ASSIGN_OR_RETURN(const std::int64_t rows,
                   report::export_runs(*reader, options, *format,
                                       [&](std::string_view text) { return file.write(text); }));
  RETURN_IF_ERROR(file.commit());
  return rows;
}

}  // namespace personascope::app
