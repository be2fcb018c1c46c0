// The literals that Python source text assigns to names, read without running it.
//
// `name = …` and `self.name = …` are found wherever a statement may begin: at module level, in
// functions and in classes; also `a = b = …` (up to eight names) and `name: type = …`. What is no
// literal is passed over. A file that Python itself would refuse is read as far as it can be.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"

namespace personascope::files {

struct PythonAssignment {
  std::string name;  // with its dots, as written
  Json value;
  bool is_template = false;  // an f-string: the text is in str.format's syntax
  int line = 0;              // from 1, of the name
};

// What looked like a literal and is none, or text that cannot be Python.
struct PythonGap {
  std::string name;  // empty if it is not the value of a name
  int line = 0;
  std::string reason;
};

struct PythonSource {
  std::vector<PythonAssignment> assignments;  // in the order of the text; a name may come again
  std::vector<PythonGap> gaps;                // the first 1000
};

// Fails as Unparsable if the text is not UTF-8, and as TooLarge above 4 MB.
Result<PythonSource> parse_python_source(std::string_view text);

}  // namespace personascope::files
