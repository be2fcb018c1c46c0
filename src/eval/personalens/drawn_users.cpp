#include "eval/personalens/drawn_users.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/text.hpp"
#include "eval/personalens/drawn_users_v1.hpp"
#include "eval/personalens/summary_writer.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::size_t kShortestList = 2;
constexpr std::size_t kLongestList = 4;

// The weight of each value for this person: 0 if it does not fit.
std::vector<double> weigh_values(const Domain& domain, const AffinityChoice& choice,
                                 const Facts& facts, const std::vector<const Lean*>& leans) {
  std::vector<double> weights;
  for (const FactConditions& fits : choice.fits) weights.push_back(facts.meet(fits) ? 1 : 0);
  for (const Lean* lean : leans) {
    const auto attributes = lean->likes.find(domain.name);
    if (attributes == lean->likes.end()) continue;
    const auto liked = attributes->second.find(choice.name);
    if (liked == attributes->second.end()) continue;
    for (std::size_t i = 0; i < choice.values.size(); ++i)
      if (std::ranges::find(liked->second, choice.values[i]) != liked->second.end())
        weights[i] *= lean->factor;
  }
  return weights;
}

std::vector<std::string> draw_values(Random& random, const AffinityChoice& choice,
                                     std::vector<double> weights) {
  const auto fitting = static_cast<std::size_t>(
      std::ranges::count_if(weights, [](double weight) { return weight > 0; }));
  const std::size_t wanted =
      choice.is_list ? kShortestList + random.below(kLongestList - kShortestList + 1) : 1;
  std::vector<std::string> values;
  while (values.size() < std::min(wanted, fitting)) {
    const std::size_t place = pick_weighted(random, weights);
    weights[place] = 0;
    values.push_back(choice.values[place]);
  }
  return values;
}

const std::string& draw_situation(Random& random, const Vocabulary& vocabulary,
                                  const std::vector<std::string>& values, const Facts& facts) {
  std::vector<const std::string*> possible;
  for (const std::string& value : values) {
    const auto fits = vocabulary.situation_fits.find(value);
    if (fits == vocabulary.situation_fits.end() || facts.meet(fits->second))
      possible.push_back(&value);
  }
  return *possible[random.below(possible.size())];
}

std::string name_user(const Vocabulary& vocabulary, int number) {
  return fmt::format("{}{}", vocabulary.people ? "ps-" : "user", number);
}

class DrawnUsers final : public UserSource {
 public:
  DrawnUsers(Vocabulary vocabulary, std::uint64_t seed, int count)
      : vocabulary_(std::move(vocabulary)), seed_(seed), count_(count) {}

  std::vector<int> list_users() const override {
    std::vector<int> users;
    for (int number = 0; number < count_; ++number) users.push_back(number);
    return users;
  }
  Result<User> load_user(int number) const override {
    if (number < 0 || number >= count_)
      return fail(ErrorKind::NotFound, "there is no user{}: users 0 to {} are drawn", number,
                  count_ - 1);
    const auto ready = vocabulary_.users.find(number);
    if (seed_ != 0 || ready == vocabulary_.users.end())
      return draw_user(vocabulary_, seed_, number);
    return parse_user(ready->second,
                      fmt::format("data/lens/users/{}.json", name_user(vocabulary_, number)),
                      number);
  }
  Result<std::vector<LensTask>> load_tasks(int number, Span span) const override {
    ASSIGN_OR_RETURN(const User user, load_user(number));
    return draw_tasks(vocabulary_, seed_, user, span);
  }

 private:
  Vocabulary vocabulary_;
  std::uint64_t seed_;
  int count_;
};

}  // namespace

User draw_user(const Vocabulary& vocabulary, std::uint64_t seed, int number, Summaries summaries) {
  if (!vocabulary.people) return draw_user_v1(vocabulary, seed, number);
  const std::string item = name_user(vocabulary, number);
  Random random(seed, "lens person", item);
  Person person = draw_person(*vocabulary.people, random);
  User user;
  user.number = number;
  user.demographics = std::move(person.demographics);
  user.demographics.insert(user.demographics.begin(), {"user_id", {item}});
  std::vector<const Lean*> leans;
  for (const Lean& lean : vocabulary.leans)
    if (person.facts.meet(lean.when)) leans.push_back(&lean);
  for (const Domain& domain : vocabulary.domains) {
    Random own(seed, "lens affinities " + domain.name, item);
    const double interest = find_interest(*vocabulary.people, person.facts, domain.name);
    user.interests.emplace_back(domain.name, own.unit() < interest);
    Attributes likes;
    for (const AffinityChoice& choice : domain.affinities)
      likes.push_back(
          {choice.name,
           draw_values(own, choice, weigh_values(domain, choice, person.facts, leans))});
    if (summaries == Summaries::Written)
      user.interactions.emplace_back(domain.name, write_summary(vocabulary, domain, likes, own));
    user.affinities.emplace_back(domain.name, std::move(likes));
  }
  return user;
}

std::vector<LensTask> draw_tasks(const Vocabulary& vocabulary, std::uint64_t seed, const User& user,
                                 Span span) {
  const auto cares = [&](const std::string& domain) {
    return std::ranges::any_of(user.interests, [&](const auto& interest) {
      return interest.first == domain && interest.second;
    });
  };
  const Facts facts = vocabulary.people ? read_facts(*vocabulary.people, user) : Facts();
  std::vector<LensTask> tasks;
  for (const LensTask& known : span == Span::Single ? vocabulary.single : vocabulary.multi) {
    if (!std::ranges::all_of(known.domains, cares)) continue;
    LensTask task = known;
    Random random(seed, "lens situation " + task.id, name_user(vocabulary, user.number));
    for (const auto& [side, values] : vocabulary.situations)
      task.situation.push_back({side, {draw_situation(random, vocabulary, values, facts)}});
    tasks.push_back(std::move(task));
  }
  return tasks;
}

std::unique_ptr<UserSource> make_drawn_users(Vocabulary vocabulary, std::uint64_t seed, int count) {
  return std::make_unique<DrawnUsers>(std::move(vocabulary), seed, count);
}

}  // namespace personascope::eval::personalens
