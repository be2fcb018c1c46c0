// What users are drawn from: demographics, affinities, tasks, situations, and sentences for
// summaries (data/lens).
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/json.hpp"
#include "base/result.hpp"
#include "eval/personalens/user.hpp"

namespace personascope::eval::personalens {

struct AffinityChoice {
  std::string name;    // as the profile has it, with blanks: "wake style"
  std::string spoken;  // how it reads in a sentence: "the manner of waking"
  bool is_list = false;
  bool only_own = false;  // only the domain's own sentences may speak of it
  std::vector<std::string> values;
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

struct Vocabulary {
  std::vector<std::string> first_names, genders, occupations, places, languages, households,
      education;
  int youngest = 18;
  int oldest = 90;
  std::vector<Domain> domains;
  std::vector<Sentence> sentences;  // for every domain: {domain}, {attribute}, {value}, {values}
  std::vector<std::pair<std::string, std::vector<std::string>>> situations;
  std::vector<LensTask> single;  // without situations
  std::vector<LensTask> multi;
  std::map<int, std::string> users;  // ready-made ones of seed 0, by number: texts of profile.json
  std::string sha256;                // of the files
};

// Reads data/lens. Fails as NotFound or Invalid, with the file.
Result<Vocabulary> load_vocabulary(const std::string& folder);

}  // namespace personascope::eval::personalens
