#include "eval/personagym/plan_personas.hpp"

#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/personagym/persona_source.hpp"
#include "eval/personagym/reference_files.hpp"

namespace personascope::eval::personagym {
namespace {

// Fills in ids: the pack's own where the text is one of its personas', else made of the text, so
// that a persona has the same one in every run.
void give_ids(std::vector<Persona>& personas, const Pack& pack) {
  std::set<std::string> taken;
  for (const Persona& persona : personas) taken.insert(persona.id);
  for (Persona& persona : personas) {
    if (!persona.id.empty()) continue;
    for (const Persona& known : pack.personas)
      if (known.text == persona.text && !taken.contains(known.id)) persona.id = known.id;
    const std::string hash = render_hex(sha256(persona.text));
    for (std::size_t digits = 8; persona.id.empty(); ++digits) {
      std::string id = "persona-" + hash.substr(0, digits);
      if (!taken.contains(id)) persona.id = std::move(id);
    }
    taken.insert(persona.id);
  }
}

// Nobody, if the options name nobody.
Result<std::vector<Persona>> load_named(const GymOptions& options) {
  std::vector<Persona> personas;
  for (const std::string& text : options.persona_texts) {
    if (trim(text).empty()) return fail(ErrorKind::Invalid, "`persona` is empty");
    personas.push_back({"", std::string(trim(text))});
  }
  if (options.persona_list) {
    ASSIGN_OR_RETURN(const auto texts, parse_persona_list(*options.persona_list));
    for (const std::string& text : texts) personas.push_back({"", text});
  }
  if (options.personas_file) {
    ASSIGN_OR_RETURN(auto more, load_persona_file(*options.personas_file));
    personas.insert(personas.end(), more.begin(), more.end());
  }
  return personas;
}

Result<std::vector<Persona>> list_known(const GymPlan& plan, const Pack& pack) {
  std::vector<Persona> personas;
  const bool has_responses = !plan.responses_from.empty();
  const std::string& folder = has_responses ? plan.responses_from : plan.questions_from;
  if (folder.empty()) {
    for (const Persona& persona : pack.personas)
      if (pack.questions.contains(persona.id)) personas.push_back(persona);
    return personas;
  }
  ASSIGN_OR_RETURN(const auto texts, list_personas(folder, has_responses ? "_qa.json" : ".json"));
  for (const std::string& text : texts) personas.push_back({"", text});
  return personas;
}

}  // namespace

Result<std::vector<Persona>> choose_personas(const GymPlan& plan, const Pack& pack) {
  ASSIGN_OR_RETURN(std::vector<Persona> personas, load_named(plan));
  if (personas.empty()) {
    ASSIGN_OR_RETURN(personas, list_known(plan, pack));
  }
  give_ids(personas, pack);
  std::set<std::string> texts;
  for (const Persona& persona : personas) {
    const std::string shown = printable(shorten(persona.text, 60));
    if (!is_utf8(persona.text))
      return fail(ErrorKind::Invalid, "the persona \"{}\" is not in UTF-8: save it as such", shown);
    if (!texts.insert(persona.text).second)
      return fail(ErrorKind::Invalid,
                  "the persona \"{}\" is given twice; to repeat it use `epochs`", shown);
  }
  if (plan.limit && std::ssize(personas) > *plan.limit)
    personas.resize(static_cast<std::size_t>(*plan.limit));
  return personas;
}

std::vector<std::string> choose_distractors(const GymPlan& plan, const Pack& pack) {
  constexpr std::size_t kEnough = 4;
  std::vector<std::string> distractors;
  if (plan.reader.empty()) return distractors;
  for (const Persona& persona : pack.personas) {
    if (plan.personas.size() + distractors.size() >= kEnough) break;
    const bool known = std::ranges::any_of(
        plan.personas, [&](const Persona& own) { return own.text == persona.text; });
    if (!known) distractors.push_back(persona.text);
  }
  return distractors;
}

}  // namespace personascope::eval::personagym
