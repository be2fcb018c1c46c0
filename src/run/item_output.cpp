#include "run/item_output.hpp"

#include "files/parquet_file.hpp"
#include "report/run_export.hpp"

namespace personascope::run {

Result<ItemOutput> ItemOutput::create(const std::optional<std::string>& path,
                                      std::string_view lines, const RunEnvironment& environment) {
  ItemOutput items;
  items.has_own_lines_ = !lines.empty();
  if (!path) return items;
  // Now, not when everything is paid for.
  if (lines.empty() && report::find_row_format(*path) == report::RowFormat::Parquet)
    RETURN_IF_ERROR(
        files::check_parquet_program(files::find_parquet_program(environment.settings)));
  ASSIGN_OR_RETURN(Output output,
                   Output::create(*path, lines.empty() ? "items" : lines, environment));
  items.target_ = std::make_unique<Target>(std::move(output));
  items.path_ = *path;
  return items;
}

Result<void> ItemOutput::put(std::int64_t position, std::string line) {
  return target_ ? target_->lines.put(position, std::move(line)) : Result<void>{};
}

Result<void> ItemOutput::finish(const RunEnvironment& environment, std::int64_t run) {
  if (!target_) return {};
  if (!has_own_lines_) {
    report::ExportOptions options;
    options.runs = {run};
    options.parquet_program = files::find_parquet_program(environment.settings);
    RETURN_IF_ERROR(
        report::export_runs(environment.store.reader(), options,
                            report::find_row_format(path_).value_or(report::RowFormat::Jsonl),
                            [&](std::string_view text) { return target_->output.write(text); }));
  }
  return target_->output.commit();
}

}  // namespace personascope::run
