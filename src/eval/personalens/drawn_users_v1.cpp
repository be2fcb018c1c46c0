#include "eval/personalens/drawn_users_v1.hpp"

#include <algorithm>
#include <array>

#include "base/random.hpp"
#include "base/text.hpp"
#include "eval/personalens/sentence_filler.hpp"

namespace personascope::eval::personalens {
namespace {

template <class List>
const auto& pick(Random& random, const List& list) {
  return list[random.below(list.size())];
}

// Who a drawn word fits: ages from `youngest` to `oldest`.
struct AgeRule {
  std::string_view word;
  int youngest;
  int oldest;
};

constexpr std::array kAgeRules{
    AgeRule{"retired", 58, 120},           AgeRule{"student", 18, 35},
    AgeRule{"unemployed", 18, 66},         AgeRule{"stay-at-home", 20, 66},
    AgeRule{"between jobs", 18, 66},       AgeRule{"apprentice", 18, 30},
    AgeRule{"young children", 22, 48},     AgeRule{"teenage children", 34, 62},
    AgeRule{"single parent", 20, 60},      AgeRule{"lives with parents", 18, 40},
    AgeRule{"sheltered housing", 66, 120}, AgeRule{"elderly parent", 35, 72},
    AgeRule{"doctorate", 27, 120},         AgeRule{"master's degree", 23, 120},
    AgeRule{"bachelor's degree", 21, 120}, AgeRule{"professional qualification", 23, 120}};

// Past this age only those who are retired, or work at home or for themselves, are drawn.
constexpr int kLastWorkingAge = 75;

bool fits_age(const std::string& text, int age) {
  return std::ranges::all_of(kAgeRules, [&](const AgeRule& rule) {
    return text.find(rule.word) == std::string::npos ||
           (age >= rule.youngest && age <= rule.oldest);
  });
}

const std::string& pick_for_age(Random& random, const std::vector<std::string>& list, int age) {
  constexpr int kTries = 100;
  for (int i = 0; i < kTries; ++i) {
    const std::string& text = pick(random, list);
    if (fits_age(text, age)) return text;
  }
  return list.front();
}

// Words of affinities that are likelier, or less likely, for some people.
struct Leaning {
  bool (*holds)(int age, const std::string& household);
  std::string_view word;
  double factor;
};

constexpr auto kOld = [](int age, const std::string&) { return age >= 65; };
constexpr auto kYoung = [](int age, const std::string&) { return age < 30; };
constexpr auto kFamily = [](int, const std::string& household) {
  return household.find("child") != std::string::npos;
};
constexpr std::array kLeanings{Leaning{kOld, "large-print", 3}, Leaning{kOld, "step-free", 3},
                               Leaning{kOld, "printed", 2},     Leaning{kOld, "quiet", 2},
                               Leaning{kOld, "late night", .3}, Leaning{kOld, "arena", .3},
                               Leaning{kOld, "phone", 1.5},     Leaning{kYoung, "online", 2},
                               Leaning{kYoung, "mobile", 2},    Leaning{kYoung, "late night", 2},
                               Leaning{kYoung, "saver", 2},     Leaning{kYoung, "noon", 2},
                               Leaning{kYoung, "printed", .5},  Leaning{kFamily, "family", 3},
                               Leaning{kFamily, "child", 4},    Leaning{kFamily, "late night", .4}};

double weight_of(const std::string& value, int age, const std::string& household) {
  double weight = 1;
  for (const Leaning& leaning : kLeanings)
    if (leaning.holds(age, household) && value.find(leaning.word) != std::string::npos)
      weight *= leaning.factor;
  return weight;
}

// How likely the user cares for the domain at all.
double interest_in(std::string_view domain, int age) {
  if (domain == "Games") return age < 40 ? .8 : .4;
  if (domain == "Sports") return age < 65 ? .75 : .5;
  if (domain == "Rental Cars") return age < 75 ? .65 : .4;
  return .78;
}

std::vector<std::string> draw_values(Random& random, const AffinityChoice& choice, int age,
                                     const std::string& household) {
  std::size_t count = choice.is_list ? 2 + random.below(3) : 1;
  count = std::min(count, choice.values.size());
  std::vector<double> weights;
  for (const std::string& value : choice.values)
    weights.push_back(weight_of(value, age, household));
  std::vector<std::string> values;
  while (values.size() < count) {
    double total = 0;
    for (const double weight : weights) total += weight;
    double at = random.unit() * total;
    std::size_t place = 0;
    while (place + 1 < weights.size() && (weights[place] == 0 || at >= weights[place]))
      at -= weights[place++];
    if (weights[place] == 0) continue;  // rounding at the very end
    weights[place] = 0;
    values.push_back(choice.values[place]);
  }
  return values;
}

// Writes the summary of one domain: an opening, habits with a complaint and perhaps an exception, a
// closing. No attribute is spoken of twice, and no sentence is used twice.
class SummaryWriter {
 public:
  SummaryWriter(const Vocabulary& vocabulary, const Domain& domain, const Attributes& likes,
                Random& random)
      : vocabulary_(vocabulary),
        domain_(domain),
        random_(random),
        filler_(domain, likes, random,
                [&likes](std::size_t i) { return join_spoken(likes[i].values); }) {}

  std::string write() {
    std::vector<std::string> sentences;
    const auto add = [&](const char* role) {
      std::string text = draw(role);
      if (!text.empty()) sentences.push_back(std::move(text));
    };
    add("opening");
    add("habit");
    add("habit");
    add("complaint");
    add("habit");
    if (random_.below(2) == 0) add("exception");
    add("closing");
    return join(sentences, " ");
  }

 private:
  // A sentence of that role, filled in; empty if the attributes left allow none.
  std::string draw(std::string_view role) {
    std::vector<const Sentence*> candidates;
    for (const Sentence& sentence : domain_.sentences)
      if (sentence.role == role) candidates.push_back(&sentence);
    const std::size_t own = candidates.size();
    for (const Sentence& sentence : vocabulary_.sentences)
      if (sentence.role == role) candidates.push_back(&sentence);
    // The domain's own sentences say more: half of the draws are theirs.
    for (int i = 0; i < kTries && !candidates.empty(); ++i) {
      const bool wants_own = own > 0 && random_.below(2) == 0;
      const std::size_t place = wants_own ? random_.below(own) : random_.below(candidates.size());
      if (std::ranges::find(used_, candidates[place]) != used_.end()) continue;
      const std::string& pattern = candidates[place]->text;
      std::string text = place < own ? filler_.fill_own(pattern) : filler_.fill_general(pattern);
      if (text.empty()) continue;
      used_.push_back(candidates[place]);
      return text;
    }
    return "";
  }

  static constexpr int kTries = 60;
  const Vocabulary& vocabulary_;
  const Domain& domain_;
  Random& random_;
  SentenceFiller filler_;
  std::vector<const Sentence*> used_;
};

}  // namespace

User draw_user_v1(const Vocabulary& vocabulary, std::uint64_t seed, int number) {
  const std::string item = fmt::format("user{}", number);
  const Demographics& from = vocabulary.demographics;
  Random random(seed, "lens demographics", item);
  User user;
  user.number = number;
  const auto ages = static_cast<std::uint64_t>(from.oldest - from.youngest + 1);
  const int age = from.youngest + static_cast<int>(random.below(ages));
  std::string occupation = pick_for_age(random, from.occupations, age);
  if (age > kLastWorkingAge && !occupation.starts_with("retired"))
    occupation = "retired " + occupation;
  const std::string household = pick_for_age(random, from.households, age);
  user.demographics = {{"user_id", {item}},
                       {"name", {pick(random, from.first_names)}},
                       {"age", {std::to_string(age)}},
                       {"gender", {pick(random, from.genders)}},
                       {"occupation", {std::move(occupation)}},
                       {"home", {pick(random, from.places)}},
                       {"first language", {pick(random, from.languages)}},
                       {"household", {household}},
                       {"education", {pick_for_age(random, from.education, age)}}};
  for (const Domain& domain : vocabulary.domains) {
    Random own(seed, "lens affinities " + domain.name, item);
    user.interests.emplace_back(domain.name, own.unit() < interest_in(domain.name, age));
    Attributes likes;
    for (const AffinityChoice& choice : domain.affinities)
      likes.push_back({choice.name, draw_values(own, choice, age, household)});
    user.interactions.emplace_back(domain.name,
                                   SummaryWriter(vocabulary, domain, likes, own).write());
    user.affinities.emplace_back(domain.name, std::move(likes));
  }
  return user;
}

}  // namespace personascope::eval::personalens
