#include "eval/fill.hpp"
#include "eval/personalens/words.hpp"

namespace personascope::eval::personalens {
namespace {

// In the place of what the assistant may not know, where the published program has no prompt for
// such a context and its prompt for everything is taken.
constexpr std::string_view kNotKnown = "Not known.";

// Our names for the places, and the published program's.
Values name_values(const ScenarioTexts& texts, std::string_view demographics) {
  return {{"demographics", demographics},
          {"demographic_profile", demographics},
          {"domain", texts.domains},
          {"domains", texts.domains},
          {"affinities", texts.reference_affinities},
          {"user_affinity", texts.reference_affinities},
          {"summary", texts.reference_summary},
          {"interaction_summary", texts.reference_summary},
          {"situation", texts.situation},
          {"situation_context", texts.situation},
          {"task", texts.task},
          {"task_description", texts.task},
          {"goal", texts.goal}};
}

const std::string* find_words(const Words& words, const std::string& name) {
  const auto found = words.reference.find(name);
  return found == words.reference.end() ? nullptr : &found->second;
}

}  // namespace

std::string render_reference_user(const Words& words, const ScenarioTexts& texts, Span span,
                                  std::string_view history) {
  Values values = name_values(texts, texts.demographics);
  values.emplace_back("history", history);
  values.emplace_back("message_history", history);
  std::string name = span == Span::Multi ? "user-multi" : "user";
  if (history.empty()) name += "-first";
  return fill_python(*find_words(words, name), values);
}

const std::string& find_assistant_system(const Words& words, std::string_view family) {
  const std::string* own = find_words(words, fmt::format("assistant/{}/system", family));
  return own ? *own : *find_words(words, "assistant-system");
}

std::string render_reference_assistant(const Words& words, const ScenarioTexts& texts,
                                       const Knowledge& knowledge, std::string_view family,
                                       std::string_view history) {
  const std::string letters = render_letters(knowledge);
  const std::string* text = find_words(words, fmt::format("assistant/{}/{}", family, letters));
  if (!text && letters.size() == 2)
    text = find_words(words, fmt::format("assistant/{}/dps", family));
  if (!text) text = find_words(words, "assistant");
  const std::string known = render_known(words, texts, knowledge);
  const auto show = [](bool is_known, std::string_view value) {
    return is_known ? value : kNotKnown;
  };
  return fill_python(*text,
                     {{"known", known},
                      {"history", history},
                      {"message_history", history},
                      {"demographic_profile", show(knowledge.demographics, texts.demographics)},
                      {"interaction_summary", show(knowledge.past, texts.reference_summary)},
                      {"situation_context", show(knowledge.situation, texts.situation)}});
}

std::string render_reference_judge(const Words& words, const ScenarioTexts& texts,
                                   std::string_view rubric, std::string_view conversation) {
  Values values = name_values(texts, texts.demographics_with_id);
  values.emplace_back("conversation", conversation);
  return fill_python(*find_words(words, fmt::format("judge-{}", rubric)), values);
}

}  // namespace personascope::eval::personalens
