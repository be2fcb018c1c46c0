// Draws personas of all 33 attributes from tables of shares, lists and rules (data/bench).
//
// A persona depends on the seed and its number alone, so a larger count only adds to a smaller one.
// Small groups are drawn more often than they are (`tilt` in marginals.yaml), so that there are
// enough of them to say something; each persona's weight takes this back.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/json.hpp"
#include "base/random.hpp"
#include "base/result.hpp"
#include "eval/persona_bench/condition.hpp"
#include "eval/persona_bench/persona.hpp"

namespace personascope::eval::persona_bench {

class Generator {
 public:
  // Reads marginals.yaml, origins.yaml, lists.yaml, jobs.yaml and rules.yaml of the folder. Fails
  // as NotFound or Invalid, with the file and the entry.
  static Result<Generator> load(const std::string& folder);

  struct Population {
    std::vector<Persona> personas;
    std::map<std::string, std::size_t> drawn_anew;  // by the rule or attribute that asked for it
  };
  // Fails as Invalid if the rules leave no persona to draw.
  Result<Population> draw(std::size_t count, std::uint64_t seed) const;

  // How many values each attribute can have, where they can be counted.
  const std::map<std::string, std::size_t>& possible_values() const { return possible_; }

 private:
  // A condition whose attribute is known by its place among the draws.
  struct Check {
    std::size_t place = 0;
    Condition condition;
  };
  struct Weighted {
    std::string value;
    double up_to = 0;   // the sum of tilted weights up to and with this one
    double weight = 1;  // of the population against the tilted draw
  };
  struct Table {
    std::vector<Check> when;
    std::vector<Weighted> values;  // or ranges, which have a dash
    bool is_ranges = false;
    Json spread;  // of "lognormal" or "normal"; null if values are given
    bool is_lognormal = false;
  };
  struct Entry {
    std::string text;
    std::vector<Check> only;
    std::vector<Check> never;
  };
  struct Draw {
    std::string name;
    bool hidden = false;
    std::vector<Table> tables;
    std::optional<std::size_t> by;                    // whose value chooses the list
    std::map<std::string, std::vector<Entry>> lists;  // under "" if nothing does
  };
  struct Rule {
    std::string id;
    std::vector<Check> when;
    std::vector<Check> must;
    std::vector<Check> must_not;
  };
  using Values = std::vector<std::string>;

  Result<std::size_t> place_of(const std::string& name, const std::string& where) const;
  Result<std::vector<Check>> read_checks(const Json& holder, const char* member,
                                         const std::string& where) const;
  Result<Table> read_table(const Json& value, const Json* tilt, const std::string& where) const;
  Result<std::vector<Entry>> read_entries(const Json& value, const std::string& where) const;
  Result<void> read_list(const Json& value, const Json& lists, const Json& jobs, Draw& draw) const;
  Result<void> read_draws(const Json& marginals, const Json& lists, const Json& jobs);
  Result<void> read_rules(const Json& rules);
  void count_possible();

  // Nothing where no entry of a list can be drawn.
  // `weight` is multiplied by that of the value.
  std::optional<std::string> draw_value(const Draw& draw, const Values& values, Random& random,
                                        double& weight) const;
  std::optional<std::string> draw_entry(const Draw& draw, const Values& values,
                                        Random& random) const;
  std::string fill_in(const std::string& value, const Values& values) const;
  // Why the persona cannot be; empty if it can.
  std::string find_fault(const Values& values) const;
  static bool all_hold(const std::vector<Check>& checks, const Values& values);
  static bool any_holds(const std::vector<Check>& checks, const Values& values);

  std::vector<Draw> draws_;
  std::vector<Rule> rules_;
  std::map<std::string, std::string> ancestries_;  // by place of birth
  std::map<std::string, std::string> languages_;   // by ancestry
  std::optional<std::size_t> birthplace_;
  std::optional<std::size_t> ancestry_;
  std::map<std::string, std::size_t> possible_;
};

}  // namespace personascope::eval::persona_bench
