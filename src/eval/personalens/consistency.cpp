#include "eval/personalens/consistency.hpp"

#include <algorithm>
#include <set>

#include "base/text.hpp"

namespace personascope::eval::personalens {
namespace {

using Texts = std::set<std::string>;
constexpr std::string_view kRetired = "retired ";

bool lists_text(const std::vector<std::string>& list, const std::string& text) {
  return std::ranges::find(list, text) != list.end();
}

class ProfileJudge {
 public:
  ProfileJudge(const Vocabulary& vocabulary, const User& user)
      : vocabulary_(vocabulary), people_(*vocabulary.people), user_(user) {}

  std::vector<Contradiction> judge() {
    age_ = static_cast<int>(find_integer_in(shown("age")).value_or(0));
    known_.set("age", {shown("age")});
    known_.set("gender", {shown("gender")});
    if (!shown("education").empty()) known_.set("education", {shown("education")});
    judge_origin();
    judge_occupation();
    judge_household();
    for (const Trait& trait : people_.traits) possible_[trait.name] = list_possible(trait);
    judge_affinities();
    return std::move(found_);
  }

 private:
  std::string shown(std::string_view name) const {
    const auto at = std::ranges::find(user_.demographics, name, &Attribute::name);
    return at == user_.demographics.end() ? "" : join(at->values, ", ");
  }
  void add(std::string rule, std::string detail) {
    found_.push_back({std::move(rule), std::move(detail)});
  }

  // Several rows can have the same home; a name and language must be of one of them.
  void judge_origin() {
    const std::string home = shown("home");
    const std::string origin = shown("grew up in").empty() ? home : shown("grew up in");
    bool has_place = false, has_name = false, has_language = false;
    Texts faiths;
    for (const Place& place : people_.places) {
      if (place.home == home && !is_home_known_) {
        known_.set("near", place.near);
        is_home_known_ = true;
      }
      if (place.home != origin) continue;
      has_place = true;
      for (const auto& [gender, names] : place.names)
        if ((gender == shown("gender") || !place.names.contains(shown("gender"))) &&
            lists_text(names, shown("name")))
          has_name = true;
      for (const WeightedText& language : place.languages)
        has_language = has_language || language.text == shown("first language");
      for (const WeightedText& faith : place.faiths) faiths.insert(faith.text);
    }
    if (!has_place) return;
    possible_["faith"] = std::move(faiths);
    if (!has_name)
      add("name", fmt::format("{}, {}, is no name of {}", shown("name"), shown("gender"), origin));
    if (!has_language)
      add("language",
          fmt::format("{} is not a first language of {}", shown("first language"), origin));
  }

  void judge_occupation() {
    std::string name = shown("occupation");
    auto at = std::ranges::find(people_.occupations, name, &Occupation::name);
    const bool has_retired = at == people_.occupations.end() && name.starts_with(kRetired);
    if (has_retired) {
      name = name.substr(kRetired.size());
      at = std::ranges::find(people_.occupations, name, &Occupation::name);
    }
    if (at == people_.occupations.end()) return;
    occupation_ = &*at;
    known_.set("work", {has_retired ? "retired" : at->work});
    known_.set("hours", {has_retired ? "none" : at->hours});
    known_.set("pay", {at->pay});
    known_.set("job", at->tags);
    if (age_ < at->from || (age_ > at->until && !has_retired))
      add("age for work", fmt::format("{} at {}", shown("occupation"), age_));
    apply("work and home", at->only, shown("occupation"));
    if (!lists_text(at->education, shown("education")))
      add("education for work", fmt::format("{} with {}", name, shown("education")));
    const auto ages = people_.education_ages.find(shown("education"));
    if (ages != people_.education_ages.end() && age_ < ages->second.first)
      add("age for education", fmt::format("{} at {}", shown("education"), age_));
  }

  void judge_household() {
    const std::string name = shown("household");
    const auto at = std::ranges::find(people_.households, name, &Household::name);
    if (at == people_.households.end()) return;
    known_.set("home_with", at->tags);
    if (age_ < at->ages.first || age_ > at->ages.second)
      add("age for household", fmt::format("{} at {}", name, age_));
    apply("household", at->only, name);
    if (occupation_ && !occupation_->households.empty() &&
        !lists_text(occupation_->households, name))
      add("household", fmt::format("{}: {}", occupation_->name, name));
  }

  // The values of a trait that the known facts leave open.
  Texts list_possible(const Trait& trait) {
    Texts values;
    for (const TraitTable& table : trait.tables) {
      if (!may_hold(table.when)) continue;
      for (const WeightedText& value : table.values) values.insert(value.text);
      if (must_hold(table.when)) break;  // the tables after it are never drawn from
    }
    for (const auto& [value, text] : trait.shown)
      if (shown(trait.name) == text) return {value};
    for (const auto& [value, text] : trait.shown) values.erase(value);
    return values;
  }

  // Whether conditions can hold, as far as is known.
  bool may_hold(const FactConditions& conditions) const {
    return std::ranges::all_of(conditions, [&](const FactCondition& condition) {
      const auto open = possible_.find(condition.fact);
      if (open == possible_.end()) return is_unknown(condition.fact) || known_.meet({condition});
      return std::ranges::any_of(
          condition.values, [&](const std::string& one) { return open->second.contains(one); });
    });
  }
  bool must_hold(const FactConditions& conditions) const {
    return std::ranges::all_of(conditions, [&](const FactCondition& condition) {
      const auto open = possible_.find(condition.fact);
      if (open == possible_.end()) return known_.meet({condition});
      return std::ranges::all_of(
          open->second, [&](const std::string& one) { return lists_text(condition.values, one); });
    });
  }
  bool is_unknown(const std::string& fact) const {
    if (fact == "near") return !is_home_known_;
    if (fact == "work" || fact == "hours" || fact == "pay" || fact == "job") return !occupation_;
    return false;
  }

  // Conditions of something that the profile has: known facts must meet them, others are narrowed.
  void apply(const std::string& rule, const FactConditions& conditions, const std::string& what) {
    for (const FactCondition& condition : conditions) {
      const auto open = possible_.find(condition.fact);
      if (open == possible_.end()) {
        if (!is_unknown(condition.fact) && !known_.meet({condition}))
          add(rule, fmt::format("{}, but not for this {}", what, condition.fact));
        continue;
      }
      Texts left;
      for (const std::string& one : condition.values)
        if (open->second.contains(one)) left.insert(one);
      // Judged against what remains; what contradicts is not counted again and again.
      if (left.empty())
        add(condition.fact, fmt::format("{} does not go with the rest", what));
      else
        open->second = std::move(left);
    }
  }

  void judge_affinities() {
    for (const Domain& domain : vocabulary_.domains) {
      const Attributes* likes = user_.find_affinities(domain.name);
      if (!likes) continue;
      for (const AffinityChoice& choice : domain.affinities) {
        const auto liked = std::ranges::find(*likes, choice.name, &Attribute::name);
        if (liked == likes->end()) continue;
        for (const std::string& value : liked->values) {
          const auto at = std::ranges::find(choice.values, value);
          if (at == choice.values.end()) continue;
          const auto place = static_cast<std::size_t>(at - choice.values.begin());
          apply("affinity", choice.fits[place],
                fmt::format("{}, {}: {}", domain.name, choice.name, value));
        }
      }
    }
  }

  const Vocabulary& vocabulary_;
  const People& people_;
  const User& user_;
  int age_ = 0;
  bool is_home_known_ = false;
  const Occupation* occupation_ = nullptr;
  Facts known_;
  std::map<std::string, Texts> possible_;  // what is not written: faith and traits
  std::vector<Contradiction> found_;
};

}  // namespace

std::vector<Contradiction> find_contradictions(const Vocabulary& vocabulary, const User& user) {
  return ProfileJudge(vocabulary, user).judge();
}

}  // namespace personascope::eval::personalens
