#include "eval/personalens/vocabulary.hpp"

#include <filesystem>

#include <algorithm>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr int kLargestUser = 100'000'000;

// Reads files of one folder, and remembers what it read.
class Reader {
 public:
  explicit Reader(std::string folder) : folder_(std::move(folder)) {}

  Result<std::string> load(const std::string& name) {
    ASSIGN_OR_RETURN(std::string text, files::load_text(path_of(name), 16u << 20));
    hash_.update(text);
    return text;
  }
  Result<Json> load_yaml(const char* name) {
    ASSIGN_OR_RETURN(const std::string text, load(name));
    return files::parse_yaml(text, path_of(name));
  }
  std::string path_of(const std::string& name) const { return folder_ + "/" + name; }
  std::string finish() { return render_hex(hash_.digest()); }

 private:
  std::string folder_;
  Sha256 hash_;
};

Result<std::vector<std::string>> need_list(const Json& value, const char* member,
                                           const std::string& path) {
  std::vector<std::string> texts;
  const Json* list = find_member(value, member);
  if (list && list->is_array())
    for (const Json& text : *list)
      if (text.is_string()) texts.push_back(text);
  if (texts.empty() || texts.size() != list->size())
    return fail(ErrorKind::Invalid, "{}: \"{}\" must be a list of texts", printable(path), member);
  return texts;
}

Result<void> load_demographics(Reader& reader, Demographics& demographics) {
  const std::string path = reader.path_of("demographics.yaml");
  ASSIGN_OR_RETURN(const Json value, reader.load_yaml("demographics.yaml"));
  ASSIGN_OR_RETURN(demographics.first_names, need_list(value, "first_names", path));
  ASSIGN_OR_RETURN(demographics.genders, need_list(value, "genders", path));
  ASSIGN_OR_RETURN(demographics.occupations, need_list(value, "occupations", path));
  ASSIGN_OR_RETURN(demographics.places, need_list(value, "places", path));
  ASSIGN_OR_RETURN(demographics.languages, need_list(value, "languages", path));
  ASSIGN_OR_RETURN(demographics.households, need_list(value, "household_types", path));
  ASSIGN_OR_RETURN(demographics.education, need_list(value, "education_levels", path));
  const Json* range = find_member(value, "age_range");
  if (!range || range->size() != 2 || !(*range)[0].is_number_integer() ||
      !(*range)[1].is_number_integer() || (*range)[0] > (*range)[1])
    return fail(ErrorKind::Invalid, "{}: \"age_range\" must be two ages", printable(path));
  demographics.youngest = (*range)[0];
  demographics.oldest = (*range)[1];
  return {};
}

std::vector<Sentence> read_sentences(const Json& list) {
  std::vector<Sentence> sentences;
  for (const Json& sentence : list)
    sentences.push_back(
        {find_text(sentence, "role").value_or("habit"), find_text(sentence, "text").value_or("")});
  return sentences;
}

bool lists(const Json* list, const std::string& text) {
  return list && std::ranges::find(*list, Json(text)) != list->end();
}

Result<void> load_domains(Reader& reader, Vocabulary& vocabulary) {
  ASSIGN_OR_RETURN(const Json affinities, reader.load_yaml("affinities.yaml"));
  ASSIGN_OR_RETURN(const Json summaries, reader.load_yaml("summaries.yaml"));
  const auto part = [&](const char* name, const std::string& domain) -> const Json* {
    const Json* all = find_member(summaries, name);
    return all ? find_member(*all, domain) : nullptr;
  };
  for (const auto& [name, attributes] : affinities.items()) {
    Domain domain;
    domain.name = name;
    const Json* spoken = part("domain_names", name);
    domain.spoken = spoken && spoken->is_string() ? spoken->get<std::string>() : lower(name);
    const Json* spoken_attributes = part("attribute_names", name);
    for (const auto& [attribute, described] : attributes.items()) {
      AffinityChoice choice;
      choice.name = replace_all(attribute, "_", " ");
      choice.spoken = spoken_attributes
                          ? find_text(*spoken_attributes, attribute).value_or(choice.name)
                          : choice.name;
      choice.is_list = find_text(described, "kind") == "list";
      choice.only_own = lists(part("domain_only", name), attribute);
      ASSIGN_OR_RETURN(choice.values, need_list(described, "values",
                                                reader.path_of("affinities.yaml") + ", " + name));
      domain.affinities.push_back(std::move(choice));
    }
    if (const Json* own = part("domains", name)) domain.sentences = read_sentences(*own);
    vocabulary.domains.push_back(std::move(domain));
  }
  if (const Json* patterns = find_member(summaries, "patterns"))
    vocabulary.sentences = read_sentences(*patterns);
  return {};
}

// The place of a text in a list; nothing if it is not there.
std::optional<std::size_t> find_place(const std::vector<std::string>& list,
                                      const std::string& text) {
  const auto found = std::ranges::find(list, text);
  if (found == list.end()) return std::nullopt;
  return static_cast<std::size_t>(found - list.begin());
}

const Json* find_described(const Json& all, const std::string& domain, const std::string& name) {
  const Json* part = find_member(all, domain);
  return part ? find_member(*part, replace_all(name, " ", "_")) : nullptr;
}

Result<void> read_fits(const Json& fits, const std::string& path, const std::string& domain,
                       AffinityChoice& choice) {
  choice.fits.resize(choice.values.size());
  const Json* described = find_described(fits, domain, choice.name);
  if (!described) return {};
  for (const auto& [value, conditions] : described->items()) {
    const std::string place = fmt::format("{}, {}, {}", path, domain, printable(value));
    const auto at = find_place(choice.values, value);
    if (!at) return fail(ErrorKind::Invalid, "{}: no such value of {}", place, choice.name);
    ASSIGN_OR_RETURN(choice.fits[*at], parse_fact_conditions(&conditions, place));
  }
  return {};
}

Result<void> read_paraphrases(const Json& all, const std::string& path, const std::string& domain,
                              AffinityChoice& choice) {
  const Json* described = find_described(all, domain, choice.name);
  for (const std::string& value : choice.values) {
    const auto text = described ? find_text(*described, value) : std::nullopt;
    if (!text)
      return fail(ErrorKind::Invalid, "{}, {}: there is no paraphrase of \"{}\"", path, domain,
                  printable(value));
    choice.paraphrases.push_back(*text);
  }
  return {};
}

Result<Lean> parse_lean(const Json& value, const std::string& path) {
  Lean lean;
  ASSIGN_OR_RETURN(lean.when, parse_fact_conditions(find_member(value, "when"), path));
  lean.factor = find_number(value, "factor").value_or(1);
  const Json* likes = find_member(value, "likes");
  if (!likes || !likes->is_object() || lean.factor <= 0)
    return fail(ErrorKind::Invalid, "{}: a lean needs a factor above 0 and likes", path);
  for (const auto& [domain, attributes] : likes->items())
    for (const auto& [name, values] : attributes.items()) {
      auto& list = lean.likes[domain][replace_all(name, "_", " ")];
      ASSIGN_OR_RETURN(list, need_list(attributes, name.c_str(), path + ", leans"));
    }
  return lean;
}

// What version 2 adds: people, which affinities fit them, and paraphrases.
Result<void> load_people(Reader& reader, Vocabulary& vocabulary) {
  ASSIGN_OR_RETURN(const Json people, reader.load_yaml("people.yaml"));
  ASSIGN_OR_RETURN(vocabulary.people, parse_people(people, reader.path_of("people.yaml")));
  ASSIGN_OR_RETURN(const Json rules, reader.load_yaml("fits.yaml"));
  ASSIGN_OR_RETURN(const Json paraphrases, reader.load_yaml("paraphrases.yaml"));
  const std::string path = reader.path_of("fits.yaml");
  const Json* fits = find_member(rules, "fits");
  for (Domain& domain : vocabulary.domains)
    for (AffinityChoice& choice : domain.affinities) {
      RETURN_IF_ERROR(read_fits(fits ? *fits : Json::object(), path, domain.name, choice));
      RETURN_IF_ERROR(
          read_paraphrases(paraphrases, reader.path_of("paraphrases.yaml"), domain.name, choice));
    }
  if (const Json* situations = find_member(rules, "situations"))
    for (const auto& [side, values] : situations->items())
      for (const auto& [value, conditions] : values.items()) {
        ASSIGN_OR_RETURN(vocabulary.situation_fits[value],
                         parse_fact_conditions(&conditions, path + ", situations"));
      }
  if (const Json* leans = find_member(rules, "leans"))
    for (const Json& value : *leans) {
      ASSIGN_OR_RETURN(Lean lean, parse_lean(value, path));
      vocabulary.leans.push_back(std::move(lean));
    }
  return {};
}

Result<void> load_situations(Reader& reader, Vocabulary& vocabulary) {
  const std::string path = reader.path_of("situations.yaml");
  ASSIGN_OR_RETURN(const Json value, reader.load_yaml("situations.yaml"));
  for (const auto& [side, values] : value.items()) {
    ASSIGN_OR_RETURN(auto list, need_list(value, side.c_str(), path));
    vocabulary.situations.emplace_back(replace_all(side, "_", " "), std::move(list));
  }
  return {};
}

Result<LensTask> parse_task(const Json& line, Span span, const std::string& place) {
  LensTask task;
  task.span = span;
  task.id = find_text(line, "id").value_or("");
  task.description = find_text(line, "description").value_or("");
  task.intent = find_text(line, "user_intent").value_or("");
  task.goal = find_text(line, "goal").value_or("");
  if (span == Span::Single) {
    task.domains.push_back(find_text(line, "domain").value_or(""));
    ASSIGN_OR_RETURN(task.affinity_types, need_list(line, "affinities", place));
  } else {
    ASSIGN_OR_RETURN(task.domains, need_list(line, "domains", place));
    const Json* affinities = find_member(line, "affinities");
    for (const std::string& domain : task.domains) {
      ASSIGN_OR_RETURN(const auto types,
                       need_list(affinities ? *affinities : Json::object(), domain.c_str(), place));
      task.affinity_types.insert(task.affinity_types.end(), types.begin(), types.end());
    }
  }
  for (std::string& type : task.affinity_types) type = replace_all(type, "_", " ");
  if (task.id.empty() || task.intent.empty() || task.goal.empty() || task.domains[0].empty())
    return fail(ErrorKind::Invalid, "{}: a task needs id, domain, user_intent and goal", place);
  return task;
}

Result<std::vector<LensTask>> load_task_lines(Reader& reader, const char* name, Span span) {
  ASSIGN_OR_RETURN(const std::string text, reader.load(name));
  std::vector<LensTask> tasks;
  std::size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    if (trim(line).empty()) continue;
    const std::string place = fmt::format("{}, line {}", printable(reader.path_of(name)), number);
    const auto value = parse_json(line);
    if (!value) return fail(ErrorKind::Invalid, "{}: {}", place, value.error().message);
    ASSIGN_OR_RETURN(LensTask task, parse_task(*value, span, place));
    tasks.push_back(std::move(task));
  }
  return tasks;
}

// users/ps-7.json; in version 1 users/user7.json.
Result<void> load_ready_made(Reader& reader, const std::string& start, Vocabulary& vocabulary) {
  std::error_code ignored;
  for (const auto& entry : std::filesystem::directory_iterator(reader.path_of("users"), ignored)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with(start) || !name.ends_with(".json")) continue;
    const auto number = find_integer_in(
        std::string_view(name).substr(start.size(), name.size() - start.size() - 5));
    if (number && *number >= 0 && *number <= kLargestUser)
      vocabulary.users.emplace(static_cast<int>(*number), "");
  }
  for (auto& [number, text] : vocabulary.users) {
    ASSIGN_OR_RETURN(text, reader.load(fmt::format("users/{}{}.json", start, number)));
  }
  return {};
}

}  // namespace

Result<Vocabulary> load_vocabulary(const std::string& folder, int version) {
  const bool is_first = version == 1;
  Reader reader(is_first ? folder + "/v1" : folder);
  Vocabulary vocabulary;
  if (is_first) RETURN_IF_ERROR(load_demographics(reader, vocabulary.demographics));
  RETURN_IF_ERROR(load_domains(reader, vocabulary));
  if (!is_first) RETURN_IF_ERROR(load_people(reader, vocabulary));
  RETURN_IF_ERROR(load_situations(reader, vocabulary));
  ASSIGN_OR_RETURN(vocabulary.single, load_task_lines(reader, "tasks.jsonl", Span::Single));
  ASSIGN_OR_RETURN(vocabulary.multi, load_task_lines(reader, "tasks_multi.jsonl", Span::Multi));
  RETURN_IF_ERROR(load_ready_made(reader, is_first ? "user" : "ps-", vocabulary));
  vocabulary.sha256 = reader.finish();
  return vocabulary;
}

}  // namespace personascope::eval::personalens
