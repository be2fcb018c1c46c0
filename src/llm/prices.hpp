// What a call costs. An unknown price is never treated as zero.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "core/reply.hpp"

namespace personascope::llm {

// US dollars per million tokens.
struct Price {
  double input = 0;
  double output = 0;
  double cached_input = 0;
};

class Prices {
 public:
  // The list that comes with the program.
  static Prices make_default();
  // Adds the rows of a price file's content, replacing earlier ones of the same name. Fails as
  // Invalid, naming the row.
  Result<void> add(const Json& file);

  // By "provider/model": the row of that name, else the longest that ends in `*` and fits.
  std::optional<Price> find(std::string_view model) const;

 private:
  std::map<std::string, Price, std::less<>> rows_;
};

// Nothing if a token count is missing.
std::optional<double> cost_of(const Price& price, const core::Usage& usage);

}  // namespace personascope::llm
