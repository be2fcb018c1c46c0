#include <algorithm>

#include "base/text.hpp"
#include "eval/personalens/people.hpp"

namespace personascope::eval::personalens {
namespace {

template <class List>
const auto& pick_even(Random& random, const List& list) {
  return list[random.below(list.size())];
}

bool within(const Ages& ages, int age) {
  return age >= ages.first && age <= ages.second;
}

int draw_age(const People& people, Random& random) {
  std::vector<double> weights;
  for (const auto& [ages, weight] : people.ages) weights.push_back(weight);
  const Ages& range = people.ages[pick_weighted(random, weights)].first;
  return range.first +
         static_cast<int>(random.below(static_cast<std::uint64_t>(range.second - range.first + 1)));
}

std::string draw_name(const Place& origin, const std::string& gender, Random& random) {
  const bool is_either = !origin.names.contains(gender);
  const char* either = random.below(2) == 0 ? "woman" : "man";
  return pick_even(random, origin.names.at(is_either ? either : gender));
}

double find_share(const std::vector<std::pair<Ages, double>>& shares, int age) {
  for (const auto& [ages, share] : shares)
    if (within(ages, age)) return share;
  return 0;
}

struct Work {
  const Occupation* occupation = nullptr;
  bool has_retired = false;
};

// An occupation that the person could have at that age, or have retired from.
Work draw_work(const People& people, const Facts& facts, int age, Random& random) {
  const bool retires = random.unit() < find_share(people.retired, age);
  std::vector<Work> possible;
  for (const Occupation& occupation : people.occupations) {
    const bool is_worked = occupation.work == "working" && occupation.retires;
    // Nobody retires from what they could not have done for some years.
    const bool has_retired = is_worked && (retires || age > occupation.until) &&
                             age >= std::max(occupation.from + 10, 58);
    if (age < occupation.from || !facts.meet(occupation.only)) continue;
    if (!has_retired && age > occupation.until) continue;
    if (retires && is_worked && !has_retired) continue;
    possible.push_back({&occupation, has_retired});
  }
  return pick_even(random, possible);
}

std::string draw_education(const People& people, const Occupation& occupation, int age,
                           Random& random) {
  std::vector<std::string> possible;
  for (const std::string& level : occupation.education) {
    const auto ages = people.education_ages.find(level);
    if (ages == people.education_ages.end() || within(ages->second, age)) possible.push_back(level);
  }
  return possible.empty() ? occupation.education.back() : pick_even(random, possible);
}

const Household& draw_household(const People& people, const Occupation& occupation,
                                const Facts& facts, int age, Random& random) {
  std::vector<double> weights;
  for (const Household& household : people.households) {
    const bool is_allowed =
        occupation.households.empty() ||
        std::ranges::find(occupation.households, household.name) != occupation.households.end();
    const bool fits = is_allowed && within(household.ages, age) && facts.meet(household.only);
    weights.push_back(fits ? household.weight : 0);
  }
  return people.households[pick_weighted(random, weights)];
}

const std::string& find_demographic(const User& user, std::string_view name) {
  static const std::string nothing;
  const auto found = std::ranges::find(user.demographics, name, &Attribute::name);
  return found == user.demographics.end() || found->values.empty() ? nothing
                                                                   : found->values.front();
}

}  // namespace

Facts read_facts(const People& people, const User& user) {
  Facts facts;
  facts.set("age", {find_demographic(user, "age")});
  const auto place = std::ranges::find(people.places, find_demographic(user, "home"), &Place::home);
  facts.set("near", place == people.places.end() ? std::vector<std::string>() : place->near);
  const auto household =
      std::ranges::find(people.households, find_demographic(user, "household"), &Household::name);
  facts.set("home_with",
            household == people.households.end() ? std::vector<std::string>() : household->tags);
  return facts;
}

Person draw_person(const People& people, Random& random) {
  Person person;
  Facts& facts = person.facts;
  const Place& place = pick_even(random, people.places);
  const Place& elsewhere = pick_even(random, people.places);
  const bool has_moved = random.unit() < people.moved && elsewhere.home != place.home;
  const Place& origin = has_moved ? elsewhere : place;
  const int age = draw_age(people, random);
  const std::string gender = pick_text(random, people.genders);
  facts.set("age", {std::to_string(age)});
  facts.set("gender", {gender});
  facts.set("near", place.near);
  facts.set("faith", {pick_text(random, origin.faiths)});
  const std::string name = draw_name(origin, gender, random);

  const Work work = draw_work(people, facts, age, random);
  const Occupation& occupation = *work.occupation;
  facts.set("work", {work.has_retired ? "retired" : occupation.work});
  facts.set("hours", {work.has_retired ? "none" : occupation.hours});
  facts.set("pay", {occupation.pay});
  facts.set("job", occupation.tags);
  const std::string education = draw_education(people, occupation, age, random);
  facts.set("education", {education});
  const Household& household = draw_household(people, occupation, facts, age, random);
  facts.set("home_with", household.tags);

  person.demographics = {{"name", {name}},
                         {"age", {std::to_string(age)}},
                         {"gender", {gender}},
                         {"occupation", {(work.has_retired ? "retired " : "") + occupation.name}},
                         {"home", {place.home}},
                         {"first language", {pick_text(random, origin.languages)}},
                         {"household", {household.name}},
                         {"education", {education}}};
  if (has_moved) person.demographics.push_back({"grew up in", {origin.home}});
  for (const Trait& trait : people.traits) {
    const auto table = std::ranges::find_if(
        trait.tables, [&](const TraitTable& one) { return facts.meet(one.when); });
    const std::string& value = pick_text(random, table->values);
    if (const auto shown = trait.shown.find(value); shown != trait.shown.end())
      person.demographics.push_back({trait.name, {shown->second}});
    facts.set(trait.name, {value});
  }
  return person;
}

}  // namespace personascope::eval::personalens
