#include "eval/personagym/private_split.hpp"

#include <algorithm>
#include <map>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/text.hpp"
#include "core/stored_results.hpp"
#include "eval/fill.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personagym {
namespace {

using core::get_member;
using core::list_texts;

constexpr std::size_t kShortestSeed = 16;  // bytes
using Gaps = std::map<std::string, std::string, std::less<>>;

std::string fill_gaps(std::string_view text, const Gaps& gaps) {
  Values values;
  for (const auto& [name, value] : gaps) values.emplace_back(name, value);
  return fill(text, values);
}

// What fills a gap at the start of a sentence is written there with a capital.
std::string capitalize_sentences(std::string text) {
  bool is_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (is_start && text[i] >= 'a' && text[i] <= 'z')
      text[i] = static_cast<char>(text[i] - 'a' + 'A');
    if (text[i] != ' ') is_start = text[i] == '.' || text[i] == '?' || text[i] == '!';
  }
  return text;
}

// The first `count` of `size` places in an order by chance; fewer if there are not so many.
std::vector<std::size_t> draw_places(std::size_t size, std::size_t count, Random& random) {
  std::vector<std::size_t> places(size);
  for (std::size_t i = 0; i < size; ++i) places[i] = i;
  count = std::min(count, size);
  for (std::size_t i = 0; i < count; ++i) std::swap(places[i], places[i + random.below(size - i)]);
  places.resize(count);
  return places;
}

Result<std::vector<std::string>> need_texts(const Json& value, const char* member,
                                            std::size_t least) {
  std::vector<std::string> texts = list_texts(value, member);
  if (texts.size() >= least) return texts;
  return fail(ErrorKind::Invalid, "private.yaml: \"{}\" must be a list of at least {} texts",
              member, least);
}

// The gaps that a persona fills: its place and the words of its work.
Result<Gaps> draw_person(const Json& people, const Json& work, Random& random) {
  Gaps gaps;
  for (const auto& [name, value] : work.items())
    if (value.is_string()) gaps[name] = value.get<std::string>();
  const auto from = find_integer(work, "from");
  const auto until = find_integer(work, "until");
  if (!gaps.contains("work") || !from || !until || *from < 1 || *until < *from)
    return fail(ErrorKind::Invalid,
                "private.yaml: a work needs \"work\" and the ages \"from\" and \"until\"");
  const auto ages = static_cast<std::uint64_t>(*until - *from + 1);
  gaps["age"] = std::to_string(*from + static_cast<std::int64_t>(random.below(ages)));
  for (const auto& [gap, list] :
       {std::pair{"place", "places"}, std::pair{"habit", "habits"},
        std::pair{"conviction", "convictions"}, std::pair{"surprise", "surprises"}}) {
    ASSIGN_OR_RETURN(const auto texts, need_texts(people, list, 1));
    gaps[gap] = texts[random.below(texts.size())];
  }
  return gaps;
}

Result<std::vector<std::string>> draw_questions(const Json& parts, const std::string& task,
                                                Gaps gaps, Random& random) {
  ASSIGN_OR_RETURN(const auto frames,
                   need_texts(get_member(parts, "frames"), task.c_str(), kPrivateQuestions));
  std::vector<std::string> questions;
  for (const std::size_t place : draw_places(frames.size(), kPrivateQuestions, random)) {
    for (const auto& [name, list] : get_member(parts, "scenes").items()) {
      ASSIGN_OR_RETURN(const auto texts, need_texts(parts["scenes"], name.c_str(), 1));
      gaps[name] = texts[random.below(texts.size())];
    }
    questions.push_back(capitalize_sentences(fill_gaps(frames[place], gaps)));
  }
  return questions;
}

}  // namespace

Result<void> draw_private_split(const Json& parts, std::string_view seed, Pack& pack) {
  seed = trim(seed);
  if (seed.size() < kShortestSeed)
    return fail(ErrorKind::Invalid,
                "the seed has {} bytes, which can be guessed: it needs at least {} (`seed_file`)",
                seed.size(), kShortestSeed);
  const std::string key = render_hex(sha256(seed));
  const Json& people = get_member(parts, "people");
  const Json& works = get_member(people, "works");
  const auto text = find_text(people, "persona");
  if (!text || !works.is_array() || works.size() < kPrivatePersonas)
    return fail(ErrorKind::Invalid, "private.yaml: \"people\" needs \"persona\" and {} works",
                kPrivatePersonas);
  pack.personas.clear();
  pack.questions.clear();
  pack.probes.clear();
  Random random(0, "private split", key);
  for (const std::size_t place : draw_places(works.size(), kPrivatePersonas, random)) {
    ASSIGN_OR_RETURN(Gaps gaps, draw_person(people, works[place], random));
    Persona persona;
    persona.text = fill_gaps(*text, gaps);
    // Of the text, so that runs with different seeds do not share ids.
    persona.id = "private-" + render_hex(sha256(persona.text)).substr(0, 8);
    for (const GymTask& task : pack.tasks) {
      Random own(0, "private split " + task.id, key + persona.id);
      ASSIGN_OR_RETURN(pack.questions[persona.id][task.id],
                       draw_questions(parts, task.id, gaps, own));
    }
    pack.personas.push_back(std::move(persona));
  }
  return {};
}

std::string find_parts(const GymPlan& plan) {
  return plan.ours + "/private.yaml";
}

Result<void> use_split(const GymPlan& plan, Pack& pack) {
  if (plan.split == Split::Public) return {};
  ASSIGN_OR_RETURN(const std::string seed, files::load_text(plan.seed_file, 1u << 20));
  ASSIGN_OR_RETURN(const Json parts, files::load_yaml(find_parts(plan)));
  return draw_private_split(parts, seed, pack);
}

}  // namespace personascope::eval::personagym
