#include "eval/persona_bench/bench_data.hpp"

#include <algorithm>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/evaluation.hpp"
#include "eval/long_text.hpp"
#include "files/table_reader.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::pair<Mode, const char*> kAnswerPrompts[] = {
    {Mode::Baseline, "answer-baseline.md"},
    {Mode::OutputOnly, "answer-output-only.md"},
    {Mode::ChainOfThought, "answer-chain-of-thought.md"},
    {Mode::DemographicSummary, "answer-demographic-summary.md"}};

std::string hash_of(const BenchData& data) {
  Sha256 hash;
  const auto add = [&](std::string_view text) {
    hash.update(text);
    hash.update("\n");
  };
  for (const Persona& persona : data.personas) add(render_line(persona));
  for (const Question& question : data.questions) {
    add(question.id);
    add(question.text);
    for (const Need& need : question.needs) {
      const auto& range = need.condition.range;
      add(fmt::format("{} {} {} {}-{}", need.condition.attribute, need.is_negated,
                      join(need.condition.values, "|"), range ? range->first : 0,
                      range ? range->second : 0));
    }
  }
  for (const auto& [mode, prompt] : data.answer) add(prompt.text);
  add(data.critics.single.text);
  for (const std::string* words :
       {&data.critics.personalization.text, &data.critics.helpfulness.text,
        &data.critics.closing.sha256, &data.critics.direct.sha256})
    if (!words->empty()) add(*words);
  return render_hex(hash.digest());
}

}  // namespace

Result<judge::Prompt> load_answer_prompt(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, 1u << 20));
  ASSIGN_OR_RETURN(judge::HeadedText headed, judge::parse_headed_text(text, path));
  judge::Prompt prompt;
  prompt.text = trim(headed.body);
  return prompt;
}

Result<void> check_same_data(const BenchPlan& plan, const std::string& sha256) {
  if (!plan.data_sha256.empty() && plan.data_sha256 != sha256)
    return fail(ErrorKind::Invalid,
                "personas, questions or prompts have changed since the run was started; start a "
                "new run (unchanged calls get their stored answers)");
  return {};
}

Result<std::vector<Question>> load_questions(const std::string& path) {
  ASSIGN_OR_RETURN(auto reader, files::TableReader::open(path));
  std::optional<std::size_t> id_column;
  std::optional<std::size_t> text_column;
  std::optional<std::size_t> needs_column;
  for (std::size_t i = 0; i < reader.columns().size(); ++i) {
    if (reader.columns()[i] == "id") id_column = i;
    if (reader.columns()[i] == "question") text_column = i;
    if (reader.columns()[i] == "requires") needs_column = i;
  }
  if (!text_column)
    return fail(ErrorKind::Invalid, "{} has no column \"question\"", printable(path));
  std::vector<Question> questions;
  std::set<std::string> ids;
  std::vector<std::string> cells;
  for (;;) {
    ASSIGN_OR_RETURN(const bool more, reader.next(cells));
    if (!more) break;
    Question question;
    question.text = trim(cells[*text_column]);
    if (id_column) question.id = trim(cells[*id_column]);
    if (question.id.empty()) question.id = fmt::format("q{}", questions.size() + 1);
    if (needs_column) {
      ASSIGN_OR_RETURN(question.needs, parse_needs(cells[*needs_column], reader.place()));
    }
    if (question.text.empty())
      return fail(ErrorKind::Invalid, "{}: the question is empty", reader.place());
    if (!ids.insert(question.id).second)
      return fail(ErrorKind::Invalid, "{}: the id {} was there before", reader.place(),
                  printable(question.id));
    questions.push_back(std::move(question));
  }
  if (questions.empty()) return fail(ErrorKind::Invalid, "{} has no questions", printable(path));
  return questions;
}

bool suits(const Question& question, const Persona& persona) {
  return std::ranges::all_of(question.needs, [&](const Need& need) {
    const std::string* value = persona.find(need.condition.attribute);
    return !value || holds(need.condition, *value) != need.is_negated;
  });
}

Result<BenchData> load_bench_data(const BenchPlan& plan) {
  BenchData data;
  ASSIGN_OR_RETURN(data.personas, load_personas(plan.personas));
  ASSIGN_OR_RETURN(data.questions, load_questions(plan.questions));
  for (const auto& [mode, name] : kAnswerPrompts) {
    ASSIGN_OR_RETURN(data.answer[mode],
                     load_answer_prompt(fmt::format("{}/prompts/{}", plan.folder, name)));
  }
  ASSIGN_OR_RETURN(data.critics, load_critic_words(plan.folder, plan.critics));
  data.sha256 = hash_of(data);
  RETURN_IF_ERROR(check_same_data(plan, data.sha256));
  return data;
}

std::vector<std::string> name_long_data(const BenchData& data) {
  LongestRequest personas("persona");
  for (const Persona& persona : data.personas)
    personas.add(persona.id, tokens_of(render_persona(persona).size()));
  LongestRequest questions("question");
  for (const Question& question : data.questions)
    questions.add(question.id, tokens_of(question.text.size()));
  std::vector<std::string> notes = personas.describe();
  for (std::string& note : questions.describe()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace personascope::eval::persona_bench
