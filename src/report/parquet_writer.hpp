// Rows as a Parquet file with typed columns.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "report/row_writer.hpp"

namespace personascope::report {

// `program` writes the file (files/parquet_file.hpp). Numbers become columns of whole or of real
// numbers, all other values texts: lists and objects as JSON. Fails as NotFound if the program is
// not there.
Result<std::unique_ptr<RowWriter>> make_parquet_writer(const std::vector<std::string>& columns,
                                                       WriteText write, std::string program);

}  // namespace personascope::report
