// Users' own data for the bench (PRISM-Filter, Synthetic-Personas, PERSONA, or tables like them)
// made into personas and questions.
//
// Columns are known by their letters and digits alone, whatever the case, blanks and underscores. A
// row may be a persona, a question, or both at once, as PERSONA's are: one column then holds all of
// the persona as lines "age: 44", as JSON or as a Python dict.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/result.hpp"
#include "eval/persona_bench/import_findings.hpp"
#include "eval/persona_bench/persona.hpp"
#include "files/row_reader.hpp"

namespace personascope::eval::persona_bench {

// The name under which the bench knows a column: one of the 33 if it is one, else the column's own
// in one line, with blanks for underscores.
std::string attribute_of_column(std::string_view column);

enum class Duplicates { Drop, Keep };

class DataImport {
 public:
  using Write = std::function<Result<void>(std::string_view line)>;
  // The functions get a line of JSON for each persona and each question, in the order of the rows.
  DataImport(Duplicates duplicates, Write write_persona, Write write_question);

  // Takes what is in a file; `path` is for places. Rows that cannot be used are dropped and noted.
  // Fails as the reader does and as the functions do, and as Invalid on absurdly many columns.
  Result<void> add(files::RowReader& rows, const std::string& path);

  const ImportedData& data() const { return data_; }

 private:
  struct Parts;  // of a row

  Result<void> add_row(const files::Row& row, const std::string& place);
  Result<void> sort_columns(const files::Row& row, const std::string& place, Parts& parts);
  Result<void> add_persona(Parts& parts, const std::string& place);
  Result<void> add_question(Parts& parts, const std::string& place);
  // Whether the thing was there before; notes it if so.
  bool is_repeated(const std::string& content, const Parts& parts, std::string_view what,
                   const std::string& place);
  std::string choose_id(const std::string& given, char letter, std::size_t number,
                        const std::string& place);
  // The cell in one line of UTF-8, empty where it stands for nothing.
  std::string clean(std::string_view text, const std::string& place);

  Duplicates duplicates_;
  Write write_persona_;
  Write write_question_;
  ImportedData data_;
  std::unordered_set<std::string> seen_;     // hashes of personas, questions and ids
  std::map<char, std::size_t> next_number_;  // of made ids, by letter
};

}  // namespace personascope::eval::persona_bench
