#include "eval/personalens/audit.hpp"

#include <algorithm>
#include <array>

#include "base/text.hpp"

namespace personascope::eval::personalens {
namespace {

using core::Message;
using core::Role;

// Lower case, each run of anything but letters, digits and apostrophes one blank, a blank at both
// ends: so that whole phrases can be looked for. A typographer's apostrophe is one like any other.
std::string fold(std::string_view text) {
  std::string folded = " ";
  for (const char c : lower(replace_all(text, "\u2019", "'"))) {
    const bool is_word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '\'' ||
                         static_cast<unsigned char>(c) >= 0x80;
    if (is_word)
      folded += c;
    else if (folded.back() != ' ')
      folded += ' ';
  }
  if (folded.back() != ' ') folded += ' ';
  return folded;
}

// Articles say nothing: "a soft harp" is liked in "soft harp, please" too.
std::string fold_value(std::string_view value) {
  std::string folded = fold(value);
  for (const std::string_view article : {" a ", " an ", " the "})
    if (folded.starts_with(article)) return folded.substr(article.size() - 1);
  return folded;
}

// Values shorter than this are words that turn up by chance ("noon", "6 AM").
constexpr std::size_t kShortestValue = 7;

std::vector<std::string> list_likes(const Scenario& scenario) {
  std::vector<std::string> likes;
  for (const std::string& domain : scenario.task.domains)
    if (const Attributes* attributes = scenario.user.find_affinities(domain))
      for (const Attribute& attribute : *attributes)
        for (const std::string& value : attribute.values)
          if (std::string folded = fold_value(value); folded.size() >= kShortestValue + 2)
            likes.push_back(std::move(folded));
  return likes;
}

bool names_new_like(const std::string& turn, const std::string& task,
                    const std::vector<std::string>& likes) {
  return std::ranges::any_of(likes, [&](const std::string& like) {
    return turn.find(like) != std::string::npos && task.find(like) == std::string::npos;
  });
}

constexpr std::array<std::string_view, 9> kRefusals{
    " don't like ", " do not like ", " don't want ", " do not want ", " can't stand ",
    " hate ",       " dislike ",     " not into ",   " never liked "};

// A value right after words that turn it down; an article may stand between.
bool turns_down(const std::string& turn, const std::vector<std::string>& likes) {
  for (const std::string_view refusal : kRefusals) {
    for (std::size_t at = turn.find(refusal); at != std::string::npos;
         at = turn.find(refusal, at + 1)) {
      std::string_view rest = std::string_view(turn).substr(at + refusal.size() - 1);
      for (const std::string_view article : {" a ", " an ", " the ", " any "})
        if (rest.starts_with(article)) rest.remove_prefix(article.size() - 1);
      if (std::ranges::any_of(likes,
                              [&](const std::string& like) { return rest.starts_with(like); }))
        return true;
    }
  }
  return false;
}

constexpr std::array<std::string_view, 7> kAssistantWords{" how can i help you ",
                                                          " how can i assist you ",
                                                          " how may i help you ",
                                                          " how may i assist you ",
                                                          " i'd be happy to help you ",
                                                          " as an ai ",
                                                          " i'm an ai "};

bool speaks_as_assistant(const std::string& raw, const std::string& folded) {
  const std::string low = lower(raw);
  for (const std::string_view line : split(low, '\n'))
    for (const std::string_view label : {"[assistant]", "assistant:", "**assistant"})
      if (trim(line).starts_with(label)) return true;
  return std::ranges::any_of(kAssistantWords, [&](std::string_view words) {
    return folded.find(words) != std::string::npos;
  });
}

// Whether the character that begins here is a letter outside of ASCII, as far as its first bytes
// tell: C2 and E2 are punctuation and symbols, E3 80 that of Chinese, EF B8 and F0 9F emoji, F3
// tags.
bool is_other_letter(std::string_view text) {
  const auto first = static_cast<unsigned char>(text[0]);
  const auto second = text.size() > 1 ? static_cast<unsigned char>(text[1]) : 0u;
  if (first < 0xC3 || first == 0xE2 || first >= 0xF3) return false;
  return !(first == 0xE3 && second == 0x80) && !(first == 0xEF && second == 0xB8) &&
         !(first == 0xF0 && second == 0x9F);
}

// Letters outside of ASCII outnumber those inside: another script.
bool is_foreign_script(std::string_view text) {
  std::size_t plain = 0;
  std::size_t other = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z')) ++plain;
    if (is_other_letter(text.substr(i))) ++other;
  }
  return other > plain;
}

}  // namespace

std::string_view name_of(UserFault fault) {
  switch (fault) {
    case UserFault::EndedEarly:
      return "ended_early";
    case UserFault::NeverEnded:
      return "never_ended";
    case UserFault::GaveAway:
      return "gave_away";
    case UserFault::SpokeAsAssistant:
      return "spoke_as_assistant";
    case UserFault::Contradicted:
      return "contradicted_profile";
    case UserFault::OtherLanguage:
      return "other_language";
    case UserFault::RepeatedItself:
      return "repeated_itself";
    case UserFault::WentOn:
      break;
  }
  return "went_on_after_end";
}

std::vector<UserFault> list_user_faults() {
  using enum UserFault;
  return {EndedEarly,   NeverEnded,    GaveAway,       SpokeAsAssistant,
          Contradicted, OtherLanguage, RepeatedItself, WentOn};
}

std::vector<UserFault> audit_user(const Scenario& scenario, const Dialogue& dialogue) {
  const std::vector<std::string> likes = list_likes(scenario);
  const std::string task = fold(scenario.task.intent);
  std::array<bool, 8> found{};
  const auto flag = [&](UserFault fault) { found[static_cast<std::size_t>(fault)] = true; };
  std::vector<const Message*> turns;
  for (const Message& turn : dialogue.turns)
    if (turn.role == Role::User) turns.push_back(&turn);
  if (dialogue.ending == Ending::Terminated && turns.size() <= 1) flag(UserFault::EndedEarly);
  if (dialogue.ending == Ending::Exhausted) flag(UserFault::NeverEnded);
  if (dialogue.mark_inside) flag(UserFault::WentOn);
  std::string before;
  for (std::size_t i = 0; i < turns.size(); ++i) {
    const std::string folded = fold(turns[i]->content);
    if (i == 0 && names_new_like(folded, task, likes)) flag(UserFault::GaveAway);
    if (speaks_as_assistant(turns[i]->content, folded)) flag(UserFault::SpokeAsAssistant);
    if (turns_down(folded, likes)) flag(UserFault::Contradicted);
    if (is_foreign_script(turns[i]->content) && !is_foreign_script(scenario.task.intent))
      flag(UserFault::OtherLanguage);
    if (i > 0 && folded == before) flag(UserFault::RepeatedItself);
    before = folded;
  }
  std::vector<UserFault> faults;
  for (const UserFault fault : list_user_faults())
    if (found[static_cast<std::size_t>(fault)]) faults.push_back(fault);
  return faults;
}

}  // namespace personascope::eval::personalens
