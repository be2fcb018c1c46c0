// A dialogue between the simulated user and the assistant under test.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "core/message.hpp"
#include "eval/personalens/words.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::personalens {

enum class Protocol {
  Chat,       // both sides have real chat histories: ours
  Reference,  // single messages with the history inside, as the published program sends them
};
// "chat", "reference".
std::string_view name_of(Protocol protocol);

enum class Ending {
  Terminated,  // the user ended it
  Exhausted,   // the user had not ended it after the last turn
  Broken,      // a turn failed
  Given,       // it was read from a file, which does not say
};
// "terminated", "exhausted", "broken", "given".
std::string_view name_of(Ending ending);

struct Dialogue {
  std::vector<core::Message> turns;  // the user's and the assistant's, by turns
  Ending ending = Ending::Given;
  std::optional<Error> fault;  // why it broke: whose turn, which, what
  bool refused = false;        // it broke because one side declined to say anything
  bool mark_inside = false;    // the user went on talking after the word that ends a dialogue
};

// "[USER]: …" lines, as judges see them; the first `turns` only.
std::string render_conversation(const Dialogue& dialogue, std::size_t turns);

struct Conversing {
  const Words& words;
  llm::Model& user;
  llm::Model& assistant;
  Protocol protocol = Protocol::Chat;
  std::string_view family = "claude";  // of the assistant: which of a pack's prompts it gets
  // A turn is one message of each. By the reference protocol the opening is none, so that a user
  // who does not end it has the last word.
  std::int64_t max_turns = 20;
  std::int64_t max_tokens = 800;
  double user_temperature = 0.5;
  double assistant_temperature = 0;
};

// Holds the dialogue. Fails only if the run stops; a turn that fails ends as a broken dialogue.
// Everything outlives the task.
Task<Result<Dialogue>> converse(llm::AskChain& chain, const Conversing& conversing,
                                const Scenario& scenario, const ScenarioTexts& texts,
                                const Knowledge& knowledge, const std::string& item, int epoch);

// A dialogue's file in the published form, and back. Reading fails as Invalid, naming `path`.
struct DialogueFile {
  int user = 0;
  std::string task_id;
  std::string intent;
  std::string user_model;
  std::string assistant_model;
  Dialogue dialogue;
};
std::string render_dialogue_file(const DialogueFile& file);
Result<DialogueFile> parse_dialogue_file(std::string_view text, const std::string& path);

}  // namespace personascope::eval::personalens
