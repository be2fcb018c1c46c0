// Numbers and estimates as text for people.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/tables.hpp"

namespace personascope::cli {

// "4.123"; signed numbers always show their sign.
std::string render_number(double number);
std::string render_signed(double number);
// "0.034", "<0.001", or "-" where there is none.
std::string render_p(const std::optional<double>& p_value);
// "3.900 to 4.300", or "-".
std::string render_interval(const std::optional<stats::Interval>& interval);
std::string render_signed_interval(const std::optional<stats::Interval>& interval);

// Sentences below a table, each once: "run_b: fewer than 10 personas: ...".
class Notes {
 public:
  void add(std::string sentence);
  void add_caveats(const std::string& subject, const stats::Estimate& estimate);
  void add_reason(const std::string& subject, const Error& error);
  // Each on a line of its own after an empty one; nothing if there are none.
  std::string render() const;

 private:
  std::vector<std::string> sentences_;
};

// "in 20 clusters (persona)", or "each on its own".
std::string render_clusters(std::size_t clusters, const std::optional<std::string>& column);

}  // namespace personascope::cli
