#include "app/items.hpp"

#include "app/leaderboard.hpp"
#include "app/paths.hpp"
#include "files/text_file.hpp"

namespace personascope::app {
namespace {

Result<void> save_items(const ItemReport& found, const std::string& path) {
  const auto format = report::find_row_format(path).value_or(report::RowFormat::Jsonl);
  if (format == report::RowFormat::Parquet)
    return fail(ErrorKind::Invalid,
                "statistics of items are not written as Parquet: use .jsonl or .csv");
  ASSIGN_OR_RETURN(files::NewFile file, files::NewFile::create(make_absolute(path)));
  RETURN_IF_ERROR(report::write_item_statistics(
      found, format, [&](std::string_view text) { return file.write(text); }));
  return file.commit();
}

}  // namespace

Result<ItemReport> describe_items(Context& context, const ItemsRequest& request) {
  ASSIGN_OR_RETURN(store::Reader * reader, context.reader());
  std::vector<report::BoardRun> runs;
  for (const std::int64_t run : request.runs) {
    ASSIGN_OR_RETURN(report::BoardRun loaded, load_board_run(*reader, run, request.score));
    runs.push_back(std::move(loaded));
  }
  ASSIGN_OR_RETURN(ItemReport found, report::make_item_report(runs));
  if (request.output) RETURN_IF_ERROR(save_items(found, *request.output));
  return found;
}

}  // namespace personascope::app
