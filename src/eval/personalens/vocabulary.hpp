// What users are drawn from: demographics, affinities, tasks, situations, and sentences for
// summaries (data/lens).
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personalens/people.hpp"
#include "eval/personalens/user.hpp"

namespace personascope::eval::personalens {

// The version of data/lens that is drawn from; 1 is kept for old runs (its folder v1).
inline constexpr int kVocabularyVersion = 2;

struct AffinityChoice {
  std::string name;    // as the profile has it, with blanks: "wake style"
  std::string spoken;  // how it reads in a sentence: "the manner of waking"
  bool is_list = false;
  bool only_own = false;  // only the domain's own sentences may speak of it
  std::vector<std::string> values;
  // From version 2 on, for each value: who it fits, and other words for it in summaries.
  std::vector<FactConditions> fits;
  std::vector<std::string> paraphrases;
};

// Makes values likelier, or less likely, for some people.
struct Lean {
  FactConditions when;
  double factor = 1;
  std::map<std::string, std::map<std::string, std::vector<std::string>>> likes;  // by domain, name
};

struct Sentence {
  std::string role;  // opening, habit, complaint, exception, closing
  std::string text;
};

struct Domain {
  std::string name;
  std::string spoken;  // "alarms and reminders"
  std::vector<AffinityChoice> affinities;
  std::vector<Sentence> sentences;  // its own; {names} are those of the affinities
};

// What users of version 1 were drawn from, each by itself.
struct Demographics {
  std::vector<std::string> first_names, genders, occupations, places, languages, households,
      education;
  int youngest = 18;
  int oldest = 90;
};

struct Vocabulary {
  Demographics demographics;     // version 1 only
  std::optional<People> people;  // from version 2 on
  std::vector<Lean> leans;       // from version 2 on
  std::vector<Domain> domains;
  std::vector<Sentence> sentences;  // for every domain: {domain}, {attribute}, {value}, {values}
  std::vector<std::pair<std::string, std::vector<std::string>>> situations;
  std::map<std::string, FactConditions> situation_fits;  // of values that are not for everybody
  std::vector<LensTask> single;                          // without situations
  std::vector<LensTask> multi;
  std::map<int, std::string> users;  // ready-made ones of seed 0, by number: profile.json
  std::string sha256;                // of the files
};

// Reads data/lens, or what its folder v1 has of version 1. Fails as NotFound or Invalid, with the
// file.
Result<Vocabulary> load_vocabulary(const std::string& folder, int version = kVocabularyVersion);

}  // namespace personascope::eval::personalens
