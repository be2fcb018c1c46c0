// The files of a copy of PersonaGym's repository, opened with care: they are outside data.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "files/python_source.hpp"

namespace personascope::eval::personagym {

class Checkout {
 public:
  explicit Checkout(std::string folder) : folder_(std::move(folder)) {}

  // The text as Python reads it: UTF-8, with \n at the ends of lines. Names are relative, and
  // errors begin with them. Fails if it is missing, no plain file, not UTF-8 or over 4 MB.
  Result<std::string> load(const std::string& name) const;
  Result<Json> load_json(const std::string& name) const;
  // Every literal that the Python file assigns to `variable`, at least one; fails with the reason
  // if there is none that can be read.
  Result<std::vector<files::PythonAssignment>> load_literals(const std::string& name,
                                                             std::string_view variable) const;

  // The names of the entries of a folder, sorted, hidden ones left out; empty if there is none.
  std::vector<std::string> list(const std::string& name) const;
  bool has(const std::string& name) const;

 private:
  std::string folder_;
};

// The `names` that do not occur in the text. Fails, with the reason, if Python's str.format could
// not fill it in with these names.
Result<std::vector<std::string_view>> find_unused_names(std::string_view text,
                                                        const std::vector<std::string_view>& names);

}  // namespace personascope::eval::personagym
