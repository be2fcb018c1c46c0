// Reading what the generator draws from.
#include <algorithm>
#include <set>

#include "base/text.hpp"
#include "eval/persona_bench/generator.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::persona_bench {
namespace {

Result<std::map<std::string, std::string>> read_map(const Json& holder, const char* member) {
  std::map<std::string, std::string> map;
  const Json* value = find_member(holder, member);
  if (!value || !value->is_object())
    return fail(ErrorKind::Invalid, "origins.yaml: \"{}\" must be a map", member);
  for (const auto& [from, to] : value->items()) {
    if (!to.is_string())
      return fail(ErrorKind::Invalid, "origins.yaml: \"{}\" must have a text", printable(from));
    map[from] = to;
  }
  return map;
}

bool has_numbers(const Json& value, std::initializer_list<const char*> members) {
  return std::ranges::all_of(
      members, [&](const char* member) { return find_number(value, member).has_value(); });
}

}  // namespace

Result<std::size_t> Generator::place_of(const std::string& name, const std::string& where) const {
  for (std::size_t i = 0; i < draws_.size(); ++i)
    if (draws_[i].name == name) return i;
  return fail(ErrorKind::Invalid, "{}: \"{}\" is not drawn before", printable(where),
              printable(name));
}

Result<std::vector<Generator::Check>> Generator::read_checks(const Json& holder, const char* member,
                                                             const std::string& where) const {
  std::vector<Check> checks;
  const Json* value = find_member(holder, member);
  if (!value) return checks;
  ASSIGN_OR_RETURN(auto conditions, parse_conditions(*value, printable(where)));
  for (Condition& condition : conditions) {
    ASSIGN_OR_RETURN(const std::size_t place, place_of(condition.attribute, where));
    checks.push_back({place, std::move(condition)});
  }
  return checks;
}

Result<Generator::Table> Generator::read_table(const Json& value, const Json* tilt,
                                               const std::string& where) const {
  Table table;
  ASSIGN_OR_RETURN(table.when, read_checks(value, "when", where));
  if (const Json* spread = find_member(value, "lognormal")) {
    if (!has_numbers(*spread, {"median", "sigma", "least", "most", "round"}) ||
        *find_number(*spread, "median") <= 0 || *find_number(*spread, "round") <= 0 ||
        *find_number(*spread, "least") > *find_number(*spread, "most"))
      return fail(ErrorKind::Invalid, "{}: a lognormal needs median, sigma, least, most and round",
                  printable(where));
    table.spread = *spread;
    table.is_lognormal = true;
    return table;
  }
  if (const Json* spread = find_member(value, "normal")) {
    const Json* scores = find_member(*spread, "scores");
    if (!has_numbers(*spread, {"mean", "sd", "least", "most"}) ||
        *find_number(*spread, "least") > *find_number(*spread, "most") || !scores ||
        !scores->is_array() ||
        !std::ranges::all_of(*scores, [](const Json& name) { return name.is_string(); }))
      return fail(ErrorKind::Invalid, "{}: a normal needs scores, mean, sd, least and most",
                  printable(where));
    table.spread = *spread;
    return table;
  }
  const Json* ranges = find_member(value, "ranges");
  const Json* weights = ranges ? ranges : find_member(value, "values");
  table.is_ranges = ranges != nullptr;
  if (!weights || !weights->is_object() || weights->empty())
    return fail(ErrorKind::Invalid, "{}: a table needs values, ranges, lognormal or normal",
                printable(where));
  double sum = 0;
  double untilted = 0;
  for (const auto& [name, weight] : weights->items()) {
    if (!weight.is_number() || !(weight.get<double>() > 0) ||
        (table.is_ranges && !find_range(name)))
      return fail(ErrorKind::Invalid, "{}: \"{}\" must be a value{} with a positive weight",
                  printable(where), printable(name), table.is_ranges ? " such as 18-24" : "");
    const double factor = tilt ? find_number(*tilt, name).value_or(1) : 1;
    if (!(factor > 0))
      return fail(ErrorKind::Invalid, "{}: the tilt of \"{}\" must be above 0", printable(where),
                  printable(name));
    sum += weight.get<double>() * factor;
    untilted += weight.get<double>();
    table.values.push_back({name, sum, 1 / factor});
  }
  for (Weighted& one : table.values) one.weight *= sum / untilted;
  return table;
}

Result<std::vector<Generator::Entry>> Generator::read_entries(const Json& value,
                                                              const std::string& where) const {
  if (!value.is_array() || value.empty())
    return fail(ErrorKind::Invalid, "{}: must be a list of texts", printable(where));
  std::vector<Entry> entries;
  for (const Json& one : value) {
    Entry entry;
    const auto text =
        one.is_string() ? one.get<std::string>() : find_text(one, "text").value_or("");
    if (trim(text).empty())
      return fail(ErrorKind::Invalid, "{}: an entry has no text", printable(where));
    entry.text = text;
    ASSIGN_OR_RETURN(entry.only, read_checks(one, "only", text));
    ASSIGN_OR_RETURN(entry.never, read_checks(one, "never", text));
    entries.push_back(std::move(entry));
  }
  return entries;
}

Result<void> Generator::read_list(const Json& value, const Json& lists, const Json& jobs,
                                  Draw& draw) const {
  const std::string name = find_text(value, "list").value_or("");
  const Json* list = find_member(lists, name);
  if (!list) list = find_member(jobs, name);
  if (!list)
    return fail(ErrorKind::Invalid, "marginals.yaml: \"{}\" has neither tables nor a known list",
                printable(draw.name));
  const auto by = find_text(value, "by");
  if (!by) {
    ASSIGN_OR_RETURN(draw.lists[""], read_entries(*list, name));
    return {};
  }
  ASSIGN_OR_RETURN(draw.by, place_of(*by, draw.name));
  if (!list->is_object())
    return fail(ErrorKind::Invalid, "the list \"{}\" needs a part for each {}", printable(name),
                printable(*by));
  for (const auto& [part, entries] : list->items()) {
    ASSIGN_OR_RETURN(draw.lists[part], read_entries(entries, name + ", " + part));
  }
  return {};
}

Result<void> Generator::read_draws(const Json& marginals, const Json& lists, const Json& jobs) {
  const Json* draws = find_member(marginals, "draws");
  if (!draws || !draws->is_array() || draws->empty())
    return fail(ErrorKind::Invalid, "marginals.yaml: \"draws\" must be a list");
  for (const Json& value : *draws) {
    Draw draw;
    const auto attribute = find_text(value, "attribute");
    draw.hidden = !attribute;
    draw.name = attribute ? *attribute : find_text(value, "hidden").value_or("");
    if (draw.name.empty())
      return fail(ErrorKind::Invalid, "marginals.yaml: a draw names no attribute");
    if (const Json* tables = find_member(value, "tables"); tables && tables->is_array()) {
      for (const Json& one : *tables) {
        ASSIGN_OR_RETURN(Table table, read_table(one, find_member(value, "tilt"), draw.name));
        draw.tables.push_back(std::move(table));
      }
    } else {
      RETURN_IF_ERROR(read_list(value, lists, jobs, draw));
    }
    if (draw.name == "place of birth") birthplace_ = draws_.size();
    if (draw.name == "ancestry") ancestry_ = draws_.size();
    draws_.push_back(std::move(draw));
  }
  return {};
}

Result<void> Generator::read_rules(const Json& rules) {
  const Json* list = find_member(rules, "rules");
  if (!list || !list->is_array())
    return fail(ErrorKind::Invalid, "rules.yaml: \"rules\" must be a list");
  for (const Json& value : *list) {
    Rule rule;
    rule.id = find_text(value, "id").value_or("a rule");
    ASSIGN_OR_RETURN(rule.when, read_checks(value, "if", rule.id));
    ASSIGN_OR_RETURN(rule.must, read_checks(value, "must", rule.id));
    ASSIGN_OR_RETURN(rule.must_not, read_checks(value, "must_not", rule.id));
    rules_.push_back(std::move(rule));
  }
  return {};
}

void Generator::count_possible() {
  for (const Draw& draw : draws_) {
    if (draw.hidden) continue;
    std::set<std::string> values;
    bool countable = true;
    for (const Table& table : draw.tables) {
      countable = countable && table.spread.is_null();
      for (const Weighted& one : table.values) {
        if (table.is_ranges) {
          const auto range = find_range(one.value).value();
          for (double number = range.first; number <= range.second; ++number)
            values.insert(std::to_string(static_cast<long long>(number)));
        } else if (!one.value.starts_with('{')) {
          values.insert(one.value);
        }
      }
    }
    for (const auto& [part, entries] : draw.lists)
      for (const Entry& entry : entries) values.insert(entry.text);
    if (draw.name == "ancestry")
      for (const auto& [place, ancestry] : ancestries_) values.insert(ancestry);
    if (draw.name == "household language")
      for (const auto& [ancestry, language] : languages_) values.insert(language);
    if (countable) possible_[draw.name] = values.size();
  }
}

Result<Generator> Generator::load(const std::string& folder) {
  ASSIGN_OR_RETURN(const Json marginals, files::load_yaml(folder + "/marginals.yaml"));
  ASSIGN_OR_RETURN(const Json origins, files::load_yaml(folder + "/origins.yaml"));
  ASSIGN_OR_RETURN(const Json lists, files::load_yaml(folder + "/lists.yaml"));
  ASSIGN_OR_RETURN(const Json jobs, files::load_yaml(folder + "/jobs.yaml"));
  ASSIGN_OR_RETURN(const Json rules, files::load_yaml(folder + "/rules.yaml"));
  Generator generator;
  ASSIGN_OR_RETURN(generator.ancestries_, read_map(origins, "ancestries"));
  ASSIGN_OR_RETURN(generator.languages_, read_map(origins, "languages"));
  RETURN_IF_ERROR(generator.read_draws(marginals, lists, jobs));
  RETURN_IF_ERROR(generator.read_rules(rules));
  generator.count_possible();
  return generator;
}

}  // namespace personascope::eval::persona_bench
