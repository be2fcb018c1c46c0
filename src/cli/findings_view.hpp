// Findings for a terminal: any evaluation's, by their shapes alone.
#pragma once

#include <cstddef>
#include <string>

#include "core/findings.hpp"

namespace personascope::cli {

struct FindingsStyle {
  std::size_t columns = 80;        // of sentences
  std::size_t table_columns = 80;  // of tables: more than there are where nobody looks
  std::size_t max_notes = 3;       // the most important ones
  std::string all_notes;           // the command that shows the others; may be empty
};

// Empty for empty findings. Texts from outside are made printable.
std::string render_findings(const core::Findings& findings, const FindingsStyle& style);

}  // namespace personascope::cli
