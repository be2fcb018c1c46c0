#include "eval/personalens/import_pack.hpp"

#include <filesystem>

#include "base/text.hpp"
#include "eval/personagym/checkout.hpp"
#include "eval/personalens/folder_users.hpp"
#include "eval/personalens/words.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::personalens {
namespace {

using personagym::Checkout;

constexpr std::size_t kMostSentences = 20;  // of one kind

using Places = std::vector<std::string_view>;

struct PromptSource {
  std::string target;  // below reference/, without ending
  std::string file;
  std::string variable;
  std::optional<Places> places;  // to be filled in; nothing: it is sent as it is
};

std::vector<PromptSource> list_prompts() {
  const Places profile{"task_description", "demographic_profile", "user_affinity",
                       "interaction_summary", "situation_context"};
  const auto with = [](Places places, std::string_view more) {
    places.push_back(more);
    return places;
  };
  std::vector<PromptSource> list;
  for (const std::string span : {"", "-multi"}) {
    const std::string file =
        span.empty() ? "src/generate_dialogue.py" : "src/generate_dialogue_md.py";
    list.push_back({"user" + span + "-system", file, "self.system_prompt", std::nullopt});
    list.push_back({"user" + span + "-first", file, "self.task_prompt_initial_query", profile});
    list.push_back({"user" + span, file, "self.task_prompt", with(profile, "message_history")});
  }
  const std::string assistants = "util/assistant_prompts.py";
  for (const std::string family : {"claude", "llama", "mistral"}) {
    const std::string folder = "assistant/" + family + "/";
    const std::string prefix = upper(family) + "_";
    list.push_back({folder + "system", assistants, prefix + "SYSTEM_PROMPT", std::nullopt});
    const std::pair<const char*, Places> contexts[] = {
        {"none", {}},
        {"d", {"demographic_profile"}},
        {"p", {"interaction_summary"}},
        {"s", {"situation_context"}},
        {"dps", {"demographic_profile", "interaction_summary", "situation_context"}}};
    for (const auto& [letters, places] : contexts) {
      const std::string ending = places.empty() ? "" : "_" + upper(letters);
      list.push_back({folder + letters, assistants, prefix + "TASK_PROMPT" + ending,
                      with(places, "message_history")});
    }
  }
  const std::string judges = "util/evaluation_prompts.py";
  for (const std::string dimension : {"naturalness", "coherence"})
    for (const std::string side : {"user", "assistant"})
      list.push_back({"judge-" + dimension + "-" + side, judges,
                      "EVAL_DIALOGUE_" + upper(dimension) + "_" + upper(side),
                      Places{"conversation"}});
  list.push_back({"judge-task-completion", judges, "EVAL_DIALOGUE_TASK_COMPLETION",
                  Places{"conversation", "goal"}});
  list.push_back({"judge-personalization", judges, "EVAL_DIALOGUE_PERSONALIZATION",
                  with(profile, "conversation")});
  return list;
}

// Sentences of one kind, the first few of which are kept.
class Sentences {
 public:
  void add(std::string sentence) {
    if (++count_ <= kMostSentences) kept_.push_back(std::move(sentence));
  }
  void report(std::vector<std::string>& lines) const {
    lines.insert(lines.end(), kept_.begin(), kept_.end());
    if (count_ > kMostSentences)
      lines.push_back(fmt::format("and {} more of this kind", count_ - kMostSentences));
  }

 private:
  std::size_t count_ = 0;
  std::vector<std::string> kept_;
};

class LensImporter {
 public:
  LensImporter(std::string folder, std::string name)
      : checkout_(folder), folder_(std::move(folder)), name_(std::move(name)) {}

  Result<ImportedLensPack> read() {
    RETURN_IF_ERROR(read_users());
    for (const PromptSource& prompt : list_prompts()) read_prompt(prompt);
    write_card();
    return std::move(pack_);
  }

 private:
  Result<void> read_users() {
    ASSIGN_OR_RETURN(const auto users, open_folder_users(folder_));
    Sentences faults, odd;
    for (const int number : users->list_users()) {
      ++pack_.users;
      Scenario scenario;
      auto user = users->load_user(number);
      if (!user) {
        faults.add(user.error().message);
        continue;
      }
      scenario.user = std::move(*user);
      for (const std::string& oddity : scenario.user.oddities) odd.add(oddity);
      for (const Span span : {Span::Single, Span::Multi}) {
        auto tasks = users->load_tasks(number, span);
        if (!tasks) {
          faults.add(tasks.error().message);
          continue;
        }
        (span == Span::Single ? pack_.tasks : pack_.multi_tasks) += tasks->size();
        for (LensTask& task : *tasks) {
          scenario.task = std::move(task);
          if (const auto texts = make_texts(scenario); !texts) faults.add(texts.error().message);
        }
      }
    }
    faults.report(pack_.missing);
    odd.report(pack_.odd);
    return {};
  }

  void read_prompt(const PromptSource& prompt) {
    auto text = load_prompt(prompt);
    if (text) {
      ++pack_.prompts;
      pack_.files["reference/" + prompt.target + ".txt"] = std::move(*text);
    } else {
      pack_.missing.push_back(
          fmt::format("prompt {}: {}; ours is used", prompt.target, text.error().message));
    }
  }

  Result<std::string> load_prompt(const PromptSource& prompt) {
    ASSIGN_OR_RETURN(const auto literals, checkout_.load_literals(prompt.file, prompt.variable));
    const files::PythonAssignment& first = literals.front();
    if (!first.value.is_string())
      return fail(ErrorKind::Invalid, "{}, line {}: {} is not text", prompt.file, first.line,
                  prompt.variable);
    std::string text = first.value;
    for (const files::PythonAssignment& other : literals)
      if (other.value != first.value)
        pack_.odd.push_back(
            fmt::format("{}: {} is another in line {} than in line {}, which is "
                        "taken",
                        prompt.file, prompt.variable, other.line, first.line));
    if (!prompt.places) return text;
    const auto unused = personagym::find_unused_names(text, *prompt.places);
    if (!unused)
      return fail(ErrorKind::Invalid, "{}, {}: {}", prompt.file, prompt.variable,
                  unused.error().message);
    for (const std::string_view place : *unused)
      pack_.odd.push_back(
          fmt::format("{}: {{{}}} does not occur in {}", prompt.file, place, prompt.variable));
    return text;
  }

  // JSON's texts are YAML's.
  void write_card() {
    std::string yaml = fmt::format(
        "name: {}\nversion: 1\n"
        "source: PersonaLens (arXiv 2506.09902), used in place from a user's own copy\n"
        "licence: that of the copy (the published one is CC-BY-NC-4.0)\nlanguages: [en]\n"
        "users: {}\n",
        render_json(name_), render_json(folder_));
    const auto add_list = [&](std::string_view key, const std::vector<std::string>& lines) {
      if (!lines.empty()) yaml += fmt::format("{}:\n", key);
      for (const std::string& line : lines) yaml += fmt::format("  - {}\n", render_json(line));
    };
    add_list("left_out", pack_.missing);
    add_list("odd", pack_.odd);
    pack_.files["pack.yaml"] = std::move(yaml);
  }

  Checkout checkout_;
  std::string folder_;
  std::string name_;
  ImportedLensPack pack_;
};

}  // namespace

Result<ImportedLensPack> import_pack(const std::string& checkout, const std::string& name) {
  std::error_code error;
  if (!std::filesystem::is_directory(checkout, error))
    return fail(ErrorKind::NotFound, "{} is no folder; name the folder of a copy of PersonaLens",
                printable(checkout));
  return LensImporter(checkout, name).read();
}

Result<std::string> find_pack_users(const std::string& pack) {
  const std::string path = pack + "/pack.yaml";
  ASSIGN_OR_RETURN(const Json card, files::load_yaml(path));
  const auto users = find_text(card, "users");
  if (!users)
    return fail(ErrorKind::Invalid,
                "{} does not say where its users are: it is no pack of `personascope import "
                "personalens`",
                printable(path));
  return *users;
}

}  // namespace personascope::eval::personalens
