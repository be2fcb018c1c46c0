// Python source text read for its literals, and texts printed as Python prints them.
#include "files/python_source.hpp"

#include "files/python_literal.hpp"
#include "files/python_repr.hpp"
#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(python_source, bytes) {
  const auto source = files::parse_python_source(bytes);
  if (fuzz::succeeds(source)) {
    int line = 1;
    for (const files::PythonAssignment& row : source->assignments) {
      fuzz::require(!row.name.empty(), "an assignment has a name");
      fuzz::require(row.line >= line, "assignments come in the order of the text");
      fuzz::require(!row.is_template || row.value.is_string(), "a template is a text");
      line = row.line;
    }
    for (const files::PythonGap& gap : source->gaps)
      fuzz::require(gap.line >= 1 && !gap.reason.empty(), "a gap has a line and a reason");
  }
  fuzz::succeeds(files::parse_python_literal(bytes));
  const std::string text = make_utf8(bytes);
  const auto read = files::parse_python_literal(files::render_python_repr(text));
  fuzz::require(read && *read == text, "what repr prints reads back as the same text");
  const std::string assigned = "a = " + files::render_python_repr(std::vector{text, text});
  if (assigned.size() > 1u << 20) return;
  const auto list = files::parse_python_source(assigned);
  fuzz::require(list && list->assignments.size() == 1 &&
                    list->assignments[0].value == Json::array({text, text}),
                "a list that repr prints reads back as the same list");
}
