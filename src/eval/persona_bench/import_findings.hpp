// What importing data for the bench found: how much was taken, and what was dropped or odd, by
// reason and with the places.
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"

namespace personascope::eval::persona_bench {

// Places are kept for the first few of a reason; the count is of all.
class Notes {
 public:
  void add(std::string_view reason, const std::string& place);
  std::size_t total() const;
  // [{"reason", "count", "places"}], in the order in which the reasons came up.
  Json to_json() const;

 private:
  struct Note {
    std::string reason;
    std::size_t count = 0;
    std::vector<std::string> places;
  };
  std::vector<Note> notes_;
};

struct ImportedFile {
  std::string path;
  std::size_t rows = 0;
  std::size_t personas = 0;  // new ones
  std::size_t questions = 0;
};

struct ImportedData {
  std::vector<ImportedFile> files;
  std::size_t personas = 0;
  std::size_t questions = 0;
  std::size_t seen_again = 0;           // in rows that pair a persona with a question: no loss
  std::set<std::string> attributes;     // of the 33 that occur
  std::set<std::string> further;        // columns that became attributes of their own
  std::set<std::string> unused;         // columns that became nothing
  std::set<std::string> question_from;  // columns under another name than "question"
  Notes dropped;
  Notes odd;
};
// {"files", "personas", "questions", "seen_again", "missing_attributes", "further_attributes",
// "unused_columns", "question_columns", "dropped", "odd"}
Json to_json(const ImportedData& data);

}  // namespace personascope::eval::persona_bench
