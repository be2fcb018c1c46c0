// Who a drawn user can be: places with names, languages and faiths, occupations, education,
// households, and traits that one person has in all domains (data/lens/people.yaml).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personalens/facts.hpp"
#include "eval/personalens/user.hpp"

namespace personascope::eval::personalens {

using Ages = std::pair<int, int>;  // both ends included

struct Place {
  std::string home;                                       // "Lyon, France"
  std::map<std::string, std::vector<std::string>> names;  // by gender: "woman", "man"
  WeightedTexts languages;
  WeightedTexts faiths;
  std::vector<std::string> near;  // "coast", "rail", …
};

struct Occupation {
  std::string name;
  std::vector<std::string> education;  // one of these
  int from = 18;                       // ages
  int until = 90;                      // who is older has retired from it
  std::string pay, hours;
  std::string work = "working";
  bool retires = true;  // false: done for life
  std::vector<std::string> tags;
  FactConditions only;
  std::vector<std::string> households;  // if there are any: only these
};

struct Household {
  std::string name;
  Ages ages;
  double weight = 1;
  FactConditions only;
  std::vector<std::string> tags;
};

struct TraitTable {
  FactConditions when;
  WeightedTexts values;
};

struct Trait {
  std::string name;
  std::vector<TraitTable> tables;            // the first whose `when` holds
  std::map<std::string, std::string> shown;  // how a value reads among the demographics
};

struct InterestLine {
  FactConditions when;
  double percent = 0;
};

struct People {
  WeightedTexts genders;
  std::vector<std::pair<Ages, double>> ages;     // weights of ranges
  std::vector<std::pair<Ages, double>> retired;  // shares by age
  double moved = 0;                              // the share of those who grew up in another place
  std::vector<Place> places;
  std::vector<Occupation> occupations;
  std::map<std::string, Ages> education_ages;
  std::vector<Household> households;
  std::vector<Trait> traits;
  std::map<std::string, std::vector<InterestLine>> interests;  // by domain
  double other_interest = 0;                                   // in percent
};

// Fails as Invalid, naming `path` and the part.
Result<People> parse_people(const Json& value, const std::string& path);

struct Person {
  Attributes demographics;  // without user_id
  Facts facts;
};

// A person whose facts can be true together. The same random numbers give the same person.
Person draw_person(const People& people, Random& random);

// What a profile tells of a user: age, near, home_with.
Facts read_facts(const People& people, const User& user);

// How likely the person cares for the domain, from 0 to 1.
double find_interest(const People& people, const Facts& facts, const std::string& domain);

}  // namespace personascope::eval::personalens
