// Faults of the simulated user, which can look like the assistant's. Found by rules on the text:
// the same dialogue always gets the same flags, and no model is asked.
#pragma once

#include <string_view>
#include <vector>

#include "eval/personalens/dialogue.hpp"

namespace personascope::eval::personalens {

enum class UserFault {
  EndedEarly,        // it ended the dialogue in its first turn
  NeverEnded,        // it had not ended it after the last turn
  GaveAway,          // its first turn names a value of an affinity that the task does not name
  SpokeAsAssistant,  // a turn has the assistant's label, or offers help as an assistant does
  Contradicted,      // a turn turns down a value that the profile says it likes
  OtherLanguage,     // a turn is mostly in another script than the task
  RepeatedItself,    // a turn is word for word the one before
  WentOn,            // it went on talking after the word that ends a dialogue
};
// "ended_early", "never_ended", "gave_away", "spoke_as_assistant", "contradicted_profile",
// "other_language", "repeated_itself", "went_on_after_end".
std::string_view name_of(UserFault fault);
std::vector<UserFault> list_user_faults();

std::vector<UserFault> audit_user(const Scenario& scenario, const Dialogue& dialogue);

}  // namespace personascope::eval::personalens
