#include "eval/personagym/reference_words.hpp"

#include "eval/personagym/published_tasks.hpp"

namespace personascope::eval::personagym {
namespace {

struct Words {
  std::string target;  // below reference/
  std::string file;
  std::string variable;                 // of a Python file; empty: the whole file
  std::vector<std::string_view> names;  // the places to be filled in
};

const std::vector<Words>& prompts() {
  static const std::vector<Words> kPrompts{
      {"persona-system.txt", "code/utils.py", "persona_prompt", {"persona"}},
      {"choose-environments.txt", "code/run.py", "settings_prompt", {"persona", "settings_list"}},
      {"write-questions.txt",
       "code/run.py",
       "question_prompt",
       {"persona", "settings", "num_questions", "task", "description"}},
      {"examples-item.txt",
       "prompts/score_examples/prompt.txt",
       "",
       {"persona", "question", "rubric"}},
      {"examples.txt", "prompts/score_examples/parallel_examples.txt", "", {"rubrics"}},
      {"grading.txt", "prompts/rubric_grading/prompt.txt", "", {"rubrics"}},
  };
  return kPrompts;
}

class Reader {
 public:
  Reader(const Checkout& checkout, ImportedPack& pack) : checkout_(checkout), pack_(pack) {}

  void read() {
    for (const Words& prompt : prompts())
      if (add("prompt", prompt.target, load(prompt))) ++pack_.findings.prompts;
    // It is sent as it is: braces mean nothing in it.
    if (add("prompt", "grading-system.txt",
            checkout_.load("prompts/rubric_grading/sys_prompt.txt")))
      ++pack_.findings.prompts;
    for (const PublishedTask& task : kPublishedTasks) {
      Words rubric{fmt::format("rubrics/{}.txt", task.id),
                   fmt::format("rubrics/{}.txt", task.key),
                   "",
                   {"persona", "question", "response", "score_example"}};
      if (!checkout_.has(rubric.file) && checkout_.has(fmt::format("rubrics/{}.txt", task.name)))
        rubric.file = fmt::format("rubrics/{}.txt", task.name);
      if (add("rubric", rubric.target, load(rubric))) ++pack_.findings.rubrics;
    }
    read_descriptions();
  }

 private:
  bool add(std::string_view what, const std::string& target, const Result<std::string>& text) {
    if (text)
      pack_.files["reference/" + target] = *text;
    else
      miss(fmt::format("{} {}: {}", what, target, text.error().message));
    return text.has_value();
  }

  void miss(std::string sentence) { pack_.findings.missing.push_back(std::move(sentence)); }
  void wonder(std::string sentence) { pack_.findings.odd.push_back(std::move(sentence)); }

  Result<std::string> load(const Words& words) {
    std::string text;
    if (words.variable.empty()) {
      ASSIGN_OR_RETURN(text, checkout_.load(words.file));
    } else {
      ASSIGN_OR_RETURN(const auto literals, checkout_.load_literals(words.file, words.variable));
      const files::PythonAssignment& first = literals.front();
      if (!first.value.is_string())
        return fail(ErrorKind::Invalid, "{}, line {}: {} is not text", words.file, first.line,
                    words.variable);
      for (const files::PythonAssignment& other : literals)
        if (other.value != first.value)
          wonder(fmt::format("{}: {} in line {} differs from line {}, which is used", words.file,
                             words.variable, other.line, first.line));
      text = first.value;
    }
    const auto unused = find_unused_names(text, words.names);
    if (!unused) return fail(ErrorKind::Invalid, "{}: {}", words.file, unused.error().message);
    for (const std::string_view name : *unused)
      wonder(fmt::format("{}: {{{}}} does not occur in {}", words.file, name, words.target));
    return text;
  }

  void read_descriptions() {
    const std::string file = "code/eval_tasks.py";
    const auto literals = checkout_.load_literals(file, "question_requirements");
    if (!literals) return miss(fmt::format("descriptions of tasks: {}", literals.error().message));
    std::string yaml;
    for (const PublishedTask& task : kPublishedTasks) {
      const Json& dict = literals->front().value;
      auto text = find_text(dict, task.key);
      if (!text) text = find_text(dict, task.name);
      if (!text) {
        miss(fmt::format("description of {}: {}: question_requirements has none", task.name, file));
        continue;
      }
      ++pack_.findings.descriptions;
      yaml += fmt::format("{}: {}\n", task.id, render_json(*text));
    }
    if (!yaml.empty()) pack_.files["reference/descriptions.yaml"] = std::move(yaml);
  }

  const Checkout& checkout_;
  ImportedPack& pack_;
};

}  // namespace

void read_reference_words(const Checkout& checkout, ImportedPack& pack) {
  Reader(checkout, pack).read();
}

}  // namespace personascope::eval::personagym
