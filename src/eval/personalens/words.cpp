#include "eval/personalens/words.hpp"

#include <filesystem>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/personalens/dimension.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"
#include "judge/prompt.hpp"

namespace personascope::eval::personalens {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kLargestWordsFile = 4u << 20;

constexpr const char* kSections[] = {"demographics", "affinities", "summary", "situation",
                                     "task",         "goal",       "nothing"};

class WordFiles {
 public:
  WordFiles(std::string folder, std::string ours)
      : folder_(std::move(folder)), ours_(std::move(ours)) {}

  std::string find(const std::string& name) const {
    const std::string own = folder_ + "/" + name;
    return exists(own) ? own : ours_ + "/" + name;
  }
  Result<std::string> load(const std::string& name) {
    ASSIGN_OR_RETURN(std::string text, files::load_text(find(name), kLargestWordsFile));
    hash_.update(text);
    return text;
  }
  Result<std::string> load_prompt(const std::string& name) {
    const std::string file = "prompts/" + name + ".md";
    ASSIGN_OR_RETURN(const std::string text, load(file));
    ASSIGN_OR_RETURN(const judge::HeadedText headed, judge::parse_headed_text(text, find(file)));
    return std::string(trim(headed.body));
  }
  // What only an imported pack may have.
  Result<void> load_own(const std::string& name, Words& words) {
    const std::string file = "reference/" + name + ".txt";
    if (!exists(folder_ + "/" + file)) return {};
    ASSIGN_OR_RETURN(words.reference[name], load(file));
    add(name);
    return {};
  }
  void add(std::string_view text) { hash_.update(text); }
  std::string finish() { return render_hex(hash_.digest()); }

 private:
  static bool exists(const std::string& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
  }

  std::string folder_;
  std::string ours_;
  Sha256 hash_;
};

Values make_values(const ScenarioTexts& texts) {
  return {{"demographics", texts.demographics},
          {"domain", texts.domains},
          {"domains", texts.domains},
          {"affinities", texts.affinities},
          {"summary", texts.summary},
          {"situation", texts.situation},
          {"task", texts.task},
          {"goal", texts.goal}};
}

}  // namespace

std::string_view find_family(std::string_view model) {
  model.remove_prefix(model.find('/') == std::string_view::npos ? 0 : model.find('/') + 1);
  const std::string name = lower(model);
  const auto has = [&](const char* part) { return name.find(part) != std::string::npos; };
  if (has("claude")) return "claude";
  if (has("llama")) return "llama";
  return has("mistral") || has("mixtral") ? "mistral" : "claude";
}

std::string render_tag(const Knowledge& knowledge) {
  std::string tag;
  if (knowledge.demographics) tag += "_d";
  if (knowledge.past) tag += "_p";
  if (knowledge.situation) tag += "_s";
  return tag;
}

std::string render_letters(const Knowledge& knowledge) {
  const std::string letters = replace_all(render_tag(knowledge), "_", "");
  return letters.empty() ? "none" : letters;
}

Result<Knowledge> parse_letters(std::string_view letters) {
  Knowledge knowledge;
  if (letters == "none") return knowledge;
  for (const char letter : letters) {
    bool* known = letter == 'd'   ? &knowledge.demographics
                  : letter == 'p' ? &knowledge.past
                  : letter == 's' ? &knowledge.situation
                                  : nullptr;
    if (!known || *known)
      return fail(ErrorKind::Invalid,
                  "\"{}\" is not a context: write none, or some of the letters d (demographics), p "
                  "(past interactions) and s (situation), such as dp",
                  printable(shorten(letters, 20)));
    *known = true;
  }
  if (letters.empty())
    return fail(ErrorKind::Invalid, "a context is empty; for no context write none");
  return knowledge;
}

Result<Words> load_words(const std::string& folder, const std::string& ours) {
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored))
    return fail(
        ErrorKind::NotFound,
        "there is no folder {}: `words` names one with prompts/, rubrics/ or reference/, as "
        "in data/lens",
        printable(folder));
  WordFiles files(folder, ours);
  Words words;
  ASSIGN_OR_RETURN(words.user_system, files.load_prompt("user-system"));
  ASSIGN_OR_RETURN(words.user_system_multi, files.load_prompt("user-system-multi"));
  ASSIGN_OR_RETURN(words.user_opening, files.load_prompt("user-opening"));
  ASSIGN_OR_RETURN(words.assistant_system, files.load_prompt("assistant-system"));
  ASSIGN_OR_RETURN(words.assistant_system_multi, files.load_prompt("assistant-system-multi"));
  ASSIGN_OR_RETURN(const std::string sections, files.load("sections.yaml"));
  ASSIGN_OR_RETURN(const Json parsed, files::parse_yaml(sections, files.find("sections.yaml")));
  for (const char* name : kSections) {
    const auto text = find_text(parsed, name);
    if (!text)
      return fail(ErrorKind::Invalid, "{}: \"{}\" is missing",
                  printable(files.find("sections.yaml")), name);
    words.sections[name] = *text;
  }
  for (const char* name : {"user-system", "user-first", "user", "user-multi-system",
                           "user-multi-first", "user-multi", "assistant-system", "assistant"}) {
    ASSIGN_OR_RETURN(words.reference[name], files.load(fmt::format("reference/{}.txt", name)));
  }
  for (const char* family : {"claude", "llama", "mistral"})
    for (const char* name : {"system", "none", "d", "p", "s", "dp", "ds", "ps", "dps"})
      RETURN_IF_ERROR(files.load_own(fmt::format("assistant/{}/{}", family, name), words));
  for (const Dimension& dimension : list_dimensions()) {
    const std::string name(dimension.rubric);
    ASSIGN_OR_RETURN(judge::Rubric rubric,
                     judge::load_rubric(files.find("rubrics/" + name + ".yaml")));
    files.add(rubric.sha256);
    words.rubrics.emplace(name, std::move(rubric));
    if (!dimension.is_published()) continue;
    ASSIGN_OR_RETURN(words.reference["judge-" + name],
                     files.load("reference/judge-" + name + ".txt"));
  }
  words.sha256 = files.finish();
  return words;
}

Result<ScenarioTexts> make_texts(const Scenario& scenario) {
  const auto& [user, task] = scenario;
  ScenarioTexts texts;
  Attributes shown = user.demographics;
  texts.demographics_with_id = render_attributes(shown);
  std::erase_if(shown, [](const Attribute& attribute) { return attribute.name == "user_id"; });
  texts.demographics = render_attributes(shown);
  texts.domains = join(task.domains, ", ");
  for (const std::string& domain : task.domains) {
    const Attributes* likes = user.find_affinities(domain);
    const std::string* summary = user.find_summary(domain);
    if (!likes || !summary)
      return fail(ErrorKind::Invalid, "user{} has no {} for {}, which the task {} needs",
                  user.number, likes ? "interactions" : "affinities", printable(domain), task.id);
    if (task.span == Span::Single) {
      texts.affinities = texts.reference_affinities = render_attributes(*likes);
      texts.summary = texts.reference_summary = *summary;
      break;
    }
    const char* gap = texts.affinities.empty() ? "" : "\n\n";
    texts.affinities += fmt::format("{}{}:\n{}", gap, domain, render_attributes(*likes));
    texts.summary += fmt::format("{}{}:\n{}", gap, domain, *summary);
    texts.reference_affinities += fmt::format("\n{}:\n{}\n", domain, render_attributes(*likes));
    texts.reference_summary += fmt::format("\n<{0}>\n{1}\n</{0}>\n", domain, *summary);
  }
  texts.situation = render_attributes(task.situation);
  texts.task = task.intent;
  texts.goal = task.goal;
  return texts;
}

std::string render_sections(const Words& words, const ScenarioTexts& texts,
                            const std::vector<std::string_view>& names) {
  const Values values = make_values(texts);
  std::string text;
  for (const std::string_view name : names)
    text += (text.empty() ? "" : "\n\n") + fill(words.sections.find(name)->second, values);
  return text;
}

std::string render_known(const Words& words, const ScenarioTexts& texts,
                         const Knowledge& knowledge) {
  std::vector<std::string_view> names;
  if (knowledge.demographics) names.push_back("demographics");
  if (knowledge.past) names.push_back("summary");
  if (knowledge.situation) names.push_back("situation");
  if (names.empty()) names.push_back("nothing");
  return render_sections(words, texts, names);
}

}  // namespace personascope::eval::personalens
