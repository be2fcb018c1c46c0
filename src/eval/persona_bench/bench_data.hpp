// What the bench is run with: personas, questions, and the words of every prompt.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "eval/persona_bench/condition.hpp"
#include "eval/persona_bench/critic.hpp"
#include "eval/persona_bench/persona.hpp"
#include "eval/persona_bench/plan.hpp"
#include "judge/prompt.hpp"

namespace personascope::eval::persona_bench {

struct Question {
  std::string id;
  std::string text;
  std::vector<Need> needs;  // of whom it can be asked: "my children" needs children
};

// Whether the question can be asked of the persona. A condition on an attribute that the persona
// does not have is met.
bool suits(const Question& question, const Persona& persona);

struct BenchData {
  std::vector<Persona> personas;
  std::vector<Question> questions;
  std::map<Mode, judge::Prompt> answer;  // {persona} {question}
  CriticWords critics;
  std::string sha256;  // of all of it
};

// Reads the files that the plan names. Fails as NotFound or Invalid, with file, line and remedy,
// and if the plan's hash is another one.
Result<BenchData> load_bench_data(const BenchPlan& plan);

// A persona or a question that is far longer than the others.
std::vector<std::string> name_long_data(const BenchData& data);

// A table with a column "question", "id" if they have ids (else "q1", "q2", … by row), and
// "requires" if they have conditions (parse_needs).
Result<std::vector<Question>> load_questions(const std::string& path);

// A prompt without a judged text, as answers have them.
Result<judge::Prompt> load_answer_prompt(const std::string& path);

// Fails as Invalid if the plan was made of other data.
Result<void> check_same_data(const BenchPlan& plan, const std::string& sha256);

}  // namespace personascope::eval::persona_bench
