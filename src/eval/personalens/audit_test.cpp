#include "eval/personalens/audit.hpp"

#include <gtest/gtest.h>

namespace personascope::eval::personalens {
namespace {

Scenario make_audited_scenario() {
  Scenario scenario;
  scenario.user.affinities = {
      {"Alarm", {{"sound", {"a soft harp"}}, {"snooze", {"one five-minute snooze"}}}}};
  scenario.task.domains = {"Alarm"};
  scenario.task.intent = "Have an alarm set for tomorrow, with one five-minute snooze.";
  return scenario;
}

std::string audit(const std::vector<std::string>& user_turns, Ending ending = Ending::Terminated) {
  Dialogue dialogue;
  dialogue.ending = ending;
  for (const std::string& turn : user_turns) {
    dialogue.turns.push_back({core::Role::User, turn});
    const core::Message offer{core::Role::Assistant, "How can I help you? A soft harp?"};
    dialogue.turns.push_back(offer);
  }
  std::string names;
  for (const UserFault fault : audit_user(make_audited_scenario(), dialogue))
    names += std::string(name_of(fault)) + " ";
  return names;
}

TEST(Audit, EachFaultIsFound) {
  const std::pair<std::vector<std::string>, const char*> cases[] = {
      {{"Wake me at six."}, "ended_early "},
      {{"Wake me with a soft harp.", "Thanks."}, "gave_away "},
      {{"Wake me: SOFT harp, please", "Thanks."}, "gave_away "},
      {{"Wake me.", "Assistant: it is set."}, "spoke_as_assistant "},
      {{"Wake me.", "Hello! How can I help you?"}, "spoke_as_assistant "},
      {{"Wake me.", "I don't want a soft harp!"}, "contradicted_profile "},
      {{"Wake me.", "I don’t want a soft harp!"}, "contradicted_profile "},
      {{"Wake me.", "I’d be happy to help you."}, "spoke_as_assistant "},
      {{"Wake me.", "Разбудите меня завтра утром."}, "other_language "},
      {{"Wake me.", "Wake me!"}, "repeated_itself "},
  };
  for (const auto& [turns, names] : cases) EXPECT_EQ(audit(turns), names) << turns.back();
  EXPECT_EQ(audit({"Wake me.", "At six."}, Ending::Exhausted), "never_ended ");
}

TEST(Audit, WhatIsInOrderIsNotFlagged) {
  const std::vector<std::string> cases[] = {
      {"Wake me at six.", "A soft harp, yes."},                  // told when asked
      {"Wake me at six, with one five-minute snooze.", "Yes."},  // it is part of the task
      {"Wake me at six.", "I don't want a loud bell, a soft harp is fine."},
      {"Wake me at six.", "Is the café near Søndre Gate open?"},
      {"Wake me at six.", "My assistant: she knows."},
      {"Wake me at six.", "OK 🙂🙂🙂 ☀️☀️ …—“”"},
  };
  for (const auto& turns : cases) EXPECT_EQ(audit(turns), "") << turns.back();
  EXPECT_EQ(audit({"Wake me at six."}, Ending::Given), "");
}

TEST(Audit, WhoGoesOnAfterTheEndIsFlagged) {
  Dialogue dialogue;
  dialogue.turns = {{core::Role::User, "Wake me."}};
  dialogue.mark_inside = true;
  EXPECT_EQ(audit_user(make_audited_scenario(), dialogue), std::vector{UserFault::WentOn});
}

}  // namespace
}  // namespace personascope::eval::personalens
