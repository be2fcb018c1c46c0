// The words of the lens: prompts for both sides, how what is known is headed, rubrics, and the
// single-message templates of the published program's shape (data/lens).
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "eval/personalens/user.hpp"
#include "judge/rubric.hpp"

namespace personascope::eval::personalens {

// What the assistant may know of its user: any of eight combinations.
struct Knowledge {
  bool demographics = false;
  bool past = false;  // the summary of past interactions
  bool situation = false;
  auto operator<=>(const Knowledge&) const = default;
};
// "", "_d", "_d_p", …: the ending of the published program's folders.
std::string render_tag(const Knowledge& knowledge);
// "none", "d", "dp", "dps", …
std::string render_letters(const Knowledge& knowledge);
// Fails as Invalid for other letters.
Result<Knowledge> parse_letters(std::string_view letters);

struct Words {
  // Of the chat protocol.
  std::string user_system, user_system_multi;            // {demographics} {domain(s)} {affinities}
                                                         // {summary} {situation} {task}
  std::string user_opening;                              // what the user's model is greeted with
  std::string assistant_system, assistant_system_multi;  // {known}
  std::map<std::string, std::string, std::less<>> sections;   // by name, with {name} in each
  std::map<std::string, judge::Rubric, std::less<>> rubrics;  // by file name without ending
  // Of the reference protocol, in str.format syntax, by file name without ending: "user-first". An
  // imported pack has assistants' prompts by kind of model and context: "assistant/claude/dps".
  std::map<std::string, std::string, std::less<>> reference;
  std::string sha256;
};

// Reads the folder; files that it lacks (an imported pack) are taken from `ours`. Fails as NotFound
// or Invalid, with the file.
Result<Words> load_words(const std::string& folder, const std::string& ours);

// Which of an imported pack's prompts a model gets, as the published program chooses: "llama",
// "mistral", else "claude". The name may begin with its provider.
std::string_view find_family(std::string_view model);

// One user with one task: all that prompts are filled with.
struct Scenario {
  User user;
  LensTask task;
};

// Texts as prompts have them. Affinities and summaries of several domains stand below their names.
struct ScenarioTexts {
  std::string demographics;          // without the user's id
  std::string demographics_with_id;  // as judges of the published program see it
  std::string domains;
  std::string affinities;
  std::string summary;
  std::string situation;
  std::string task;
  std::string goal;
  // In the published program's shape; those of one domain are the same as above.
  std::string reference_affinities;
  std::string reference_summary;
};
// Fails as Invalid if the profile has nothing for one of the task's domains.
Result<ScenarioTexts> make_texts(const Scenario& scenario);

// The sections of those names ("demographics", "task"), filled, with an empty line between them.
std::string render_sections(const Words& words, const ScenarioTexts& texts,
                            const std::vector<std::string_view>& names);

// What the assistant knows: the sections that it may see, or the sentence for nothing.
std::string render_known(const Words& words, const ScenarioTexts& texts,
                         const Knowledge& knowledge);

// The reference protocol's messages. `history` is of the kind that the side is shown.
std::string render_reference_user(const Words& words, const ScenarioTexts& texts, Span span,
                                  std::string_view history);
std::string render_reference_assistant(const Words& words, const ScenarioTexts& texts,
                                       const Knowledge& knowledge, std::string_view family,
                                       std::string_view history);
const std::string& find_assistant_system(const Words& words, std::string_view family);
std::string render_reference_judge(const Words& words, const ScenarioTexts& texts,
                                   std::string_view rubric, std::string_view conversation);

}  // namespace personascope::eval::personalens
