#include "report/parquet_writer.hpp"

#include <map>
#include <string_view>
#include <utility>

#include "files/parquet_file.hpp"

namespace personascope::report {
namespace {

using enum files::ParquetType;

// Columns of numbers keep their type also where no row has a value, so that files of several runs
// can be read together.
const std::map<std::string_view, files::ParquetType> kTypes{{"run", Int},
                                                            {"position", Int},
                                                            {"place", Int},
                                                            {"n", Int},
                                                            {"clusters", Int},
                                                            {"input_tokens", Int},
                                                            {"output_tokens", Int},
                                                            {"failed_attempts", Int},
                                                            {"score", Double},
                                                            {"value", Double},
                                                            {"low", Double},
                                                            {"high", Double},
                                                            {"p", Double},
                                                            {"adjusted_p", Double},
                                                            {"cost_usd", Double},
                                                            {"latency_s", Double},
                                                            {"is_difference", Bool},
                                                            {"from_journal", Bool}};

class ParquetWriter final : public RowWriter {
 public:
  ParquetWriter(std::vector<std::string> columns, files::ParquetFile file)
      : columns_(std::move(columns)), file_(std::move(file)) {}

  Result<void> write(const Json& row) override {
    std::vector<Json> cells;
    for (const std::string& column : columns_) {
      const auto found = row.find(column);
      cells.push_back(found == row.end() ? Json() : *found);
    }
    return file_.add(cells);
  }
  Result<void> finish() override { return file_.finish(); }

 private:
  std::vector<std::string> columns_;
  files::ParquetFile file_;
};

}  // namespace

Result<std::unique_ptr<RowWriter>> make_parquet_writer(const std::vector<std::string>& columns,
                                                       WriteText write, std::string program) {
  std::vector<files::ParquetColumn> typed;
  for (const std::string& column : columns) {
    const auto known = kTypes.find(column);
    typed.push_back({column, known == kTypes.end() ? Unknown : known->second});
  }
  ASSIGN_OR_RETURN(auto file, files::ParquetFile::create(std::move(typed), std::move(program),
                                                         std::move(write)));
  return std::make_unique<ParquetWriter>(columns, std::move(file));
}

}  // namespace personascope::report
