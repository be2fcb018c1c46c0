// Numbers and estimates as text for people.
#pragma once

#include <optional>
#include <set>
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
std::string render_interval(const std::optional<app::ScoreInterval>& interval);
std::string render_signed_interval(const std::optional<app::ScoreInterval>& interval);
// "95 % interval".
std::string interval_title(double confidence);

// Sentences below a table, each once, with whatever of it they are about: "run_b; run_c: fewer than
// 10 clusters: ...".
class Notes {
 public:
  void add(std::string sentence);
  void add(const std::string& subject, std::string sentence);
  void add_caveats(const std::string& subject, const app::ScoreEstimate& estimate);
  // Of an estimate as JSON, which has them as sentences; nothing for one that is missing.
  void add_caveats(const std::string& subject, const Json* estimate);
  void add_reason(const std::string& subject, const Error& error);
  // Each on lines of its own, at most 100 columns wide, after an empty one; nothing if there are
  // none. What holds for all subjects names none.
  std::string render() const;

 private:
  struct Note {
    std::string sentence;
    std::vector<std::string> subjects;
  };
  std::vector<Note> notes_;
  std::set<std::string> subjects_;
};

// "in 20 clusters (persona)", or "without clusters".
std::string render_clusters(std::size_t clusters, const std::optional<std::string>& column);

}  // namespace personascope::cli
