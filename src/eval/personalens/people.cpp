#include "eval/personalens/people.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::eval::personalens {
namespace {

Result<std::vector<std::string>> read_texts(const Json& value, const char* member,
                                            const std::string& place) {
  std::vector<std::string> texts;
  const Json* list = find_member(value, member);
  if (!list) return texts;
  if (!list->is_array() ||
      !std::ranges::all_of(*list, [](const Json& text) { return text.is_string(); }))
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list of texts", place, member);
  return list->get<std::vector<std::string>>();
}

Result<std::vector<std::pair<Ages, double>>> read_by_age(const Json& value, const char* member,
                                                         const std::string& path) {
  std::vector<std::pair<Ages, double>> numbers;
  const Json* ranges = find_member(value, member);
  if (ranges && ranges->is_object())
    for (const auto& [range, number] : ranges->items()) {
      ASSIGN_OR_RETURN(const Ages ages, parse_ages(range, path));
      if (number.is_number()) numbers.emplace_back(ages, number.get<double>());
    }
  if (numbers.empty() || numbers.size() != ranges->size())
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be numbers by age", path, member);
  std::ranges::sort(numbers);
  return numbers;
}

// Lists of objects with a name, read one by one with a place for messages.
template <class Read>
Result<void> read_each(const Json& value, const char* member, const char* name,
                       const std::string& path, Read read) {
  const Json* list = find_member(value, member);
  if (!list || !list->is_array() || list->empty())
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list", path, member);
  for (const Json& one : *list) {
    const auto text = find_text(one, name);
    if (!text)
      return fail(ErrorKind::Invalid, "{}: each of \"{}\" needs \"{}\"", path, member, name);
    RETURN_IF_ERROR(read(one, *text, fmt::format("{}, {}", path, printable(*text))));
  }
  return {};
}

class PeopleReader {
 public:
  PeopleReader(const Json& value, const std::string& path) : value_(value), path_(path) {}

  Result<People> read() {
    ASSIGN_OR_RETURN(people_.genders, parse_weights(find_member(value_, "genders"), path_));
    ASSIGN_OR_RETURN(people_.ages, read_by_age(value_, "ages", path_));
    ASSIGN_OR_RETURN(people_.retired, read_by_age(value_, "retired_share", path_));
    people_.moved = find_number(value_, "moved").value_or(0);
    RETURN_IF_ERROR(
        read_each(value_, "places", "home", path_,
                  [&](const Json& one, const std::string& home, const std::string& place) {
                    return add_place(one, home, place);
                  }));
    RETURN_IF_ERROR(
        read_each(value_, "occupations", "name", path_,
                  [&](const Json& one, const std::string& name, const std::string& place) {
                    return add_occupation(one, name, place);
                  }));
    RETURN_IF_ERROR(
        read_each(value_, "households", "name", path_,
                  [&](const Json& one, const std::string& name, const std::string& place) {
                    return add_household(one, name, place);
                  }));
    RETURN_IF_ERROR(
        read_each(value_, "traits", "name", path_,
                  [&](const Json& one, const std::string& name, const std::string& place) {
                    return add_trait(one, name, place);
                  }));
    if (const Json* ages = find_member(value_, "education_ages"))
      for (const auto& [level, range] : ages->items()) {
        ASSIGN_OR_RETURN(people_.education_ages[level],
                         parse_ages(range.is_string() ? range.get<std::string>() : "", path_));
      }
    RETURN_IF_ERROR(read_interests());
    return std::move(people_);
  }

 private:
  Result<void> add_place(const Json& one, const std::string& home, const std::string& where) {
    Place place{home, {}, {}, {}, {}};
    const auto pool = find_text(one, "names").value_or("");
    const Json* names = find_member(value_, "names");
    const Json* own = names ? find_member(*names, pool) : nullptr;
    if (!own)
      return fail(ErrorKind::Invalid, "{}: there are no names \"{}\"", where, printable(pool));
    for (const char* gender : {"woman", "man"}) {
      ASSIGN_OR_RETURN(place.names[gender], read_texts(*own, gender, where));
      if (place.names[gender].empty())
        return fail(ErrorKind::Invalid, "{}: there are no names of a {}", where, gender);
    }
    const auto faiths = find_text(one, "faiths").value_or("");
    const Json* all_faiths = find_member(value_, "faiths");
    ASSIGN_OR_RETURN(place.faiths,
                     parse_weights(all_faiths ? find_member(*all_faiths, faiths) : nullptr, where));
    ASSIGN_OR_RETURN(place.languages, parse_weights(find_member(one, "languages"), where));
    ASSIGN_OR_RETURN(place.near, read_texts(one, "near", where));
    people_.places.push_back(std::move(place));
    return {};
  }

  Result<void> add_occupation(const Json& one, const std::string& name, const std::string& where) {
    Occupation occupation;
    occupation.name = name;
    const auto group = find_text(one, "education").value_or("");
    const Json* groups = find_member(value_, "education");
    if (groups) {
      ASSIGN_OR_RETURN(occupation.education, read_texts(*groups, group.c_str(), where));
    }
    if (occupation.education.empty())
      return fail(ErrorKind::Invalid, "{}: there is no education \"{}\"", where, printable(group));
    occupation.from = static_cast<int>(find_integer(one, "from").value_or(18));
    occupation.until = static_cast<int>(find_integer(one, "until").value_or(90));
    occupation.pay = find_text(one, "pay").value_or("middle");
    occupation.hours = find_text(one, "hours").value_or("day");
    occupation.work = find_text(one, "work").value_or("working");
    const Json* retires = find_member(one, "retires");
    occupation.retires = !retires || *retires != false;
    ASSIGN_OR_RETURN(occupation.tags, read_texts(one, "job", where));
    ASSIGN_OR_RETURN(occupation.only, parse_fact_conditions(find_member(one, "only"), where));
    ASSIGN_OR_RETURN(occupation.households, read_texts(one, "households", where));
    people_.occupations.push_back(std::move(occupation));
    return {};
  }

  Result<void> add_household(const Json& one, const std::string& name, const std::string& where) {
    Household household;
    household.name = name;
    ASSIGN_OR_RETURN(household.ages, parse_ages(find_text(one, "ages").value_or(""), where));
    household.weight = find_number(one, "weight").value_or(1);
    ASSIGN_OR_RETURN(household.only, parse_fact_conditions(find_member(one, "only"), where));
    ASSIGN_OR_RETURN(household.tags, read_texts(one, "home_with", where));
    people_.households.push_back(std::move(household));
    return {};
  }

  Result<void> add_trait(const Json& one, const std::string& name, const std::string& where) {
    Trait trait{name, {}, {}};
    const Json* tables = find_member(one, "tables");
    for (const Json& table : tables ? *tables : Json::array()) {
      TraitTable read;
      ASSIGN_OR_RETURN(read.when, parse_fact_conditions(find_member(table, "when"), where));
      ASSIGN_OR_RETURN(read.values, parse_weights(find_member(table, "values"), where));
      trait.tables.push_back(std::move(read));
    }
    if (trait.tables.empty() || !trait.tables.back().when.empty())
      return fail(ErrorKind::Invalid, "{}: the last table must hold for everybody", where);
    if (const Json* shown = find_member(one, "shown"))
      for (const auto& [value, text] : shown->items())
        if (text.is_string()) trait.shown.emplace(value, text.get<std::string>());
    people_.traits.push_back(std::move(trait));
    return {};
  }

  Result<void> read_interests() {
    const Json* interests = find_member(value_, "interests");
    people_.other_interest = interests ? find_number(*interests, "otherwise").value_or(0) : 0;
    if (!interests) return {};
    for (const auto& [domain, lines] : interests->items()) {
      if (!lines.is_array()) continue;
      for (const Json& line : lines) {
        InterestLine read{{}, find_number(line, "percent").value_or(0)};
        ASSIGN_OR_RETURN(read.when, parse_fact_conditions(find_member(line, "when"), path_));
        people_.interests[domain].push_back(std::move(read));
      }
    }
    return {};
  }

  const Json& value_;
  const std::string& path_;
  People people_;
};

}  // namespace

Result<People> parse_people(const Json& value, const std::string& path) {
  return PeopleReader(value, path).read();
}

double find_interest(const People& people, const Facts& facts, const std::string& domain) {
  if (const auto lines = people.interests.find(domain); lines != people.interests.end())
    for (const InterestLine& line : lines->second)
      if (facts.meet(line.when)) return line.percent / 100;
  return people.other_interest / 100;
}

}  // namespace personascope::eval::personalens
