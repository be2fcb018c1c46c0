// The exam: the questions of a persona, from files, ready-made in the pack, or written by a
// model.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/result.hpp"
#include "base/task.hpp"
#include "eval/personagym/plan.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::eval::personagym {

enum class Source { File, ReadyMade, Written };

class Exam {
 public:
  // Plan, pack, tasks and writer outlive the exam; the writer may be null if nothing has to be
  // written. Reads the question files. Fails as NotFound or Invalid, naming the file.
  static Result<Exam> create(const GymPlan& plan, const Pack& pack,
                             const std::vector<GymTask>& tasks, llm::Model* writer);

  Source source_of(const Persona& persona) const;
  bool has_written() const;  // whether any persona's questions are written by the writer

  // The questions of that task. Asked for again, they are the same: what was written before is in
  // the journal. Fails as Unparsable if the writer gives no usable list in five tries, else as the
  // chain does.
  Task<Result<std::vector<std::string>>> find_questions(llm::AskChain& chain,
                                                        const Persona& persona,
                                                        const GymTask& task) const;

 private:
  Exam(const GymPlan& plan, const Pack& pack, llm::Model* writer)
      : plan_(&plan), pack_(&pack), writer_(writer) {}
  std::vector<Environment> list_environments(const Persona& persona) const;
  Task<Result<std::string>> choose_environments(llm::AskChain& chain, const Persona& persona) const;
  Task<Result<std::vector<std::string>>> write(llm::AskChain& chain, const Persona& persona,
                                               const GymTask& task) const;
  const QuestionLists* find_given(const Persona& persona) const;

  const GymPlan* plan_;
  const Pack* pack_;
  llm::Model* writer_;
  std::map<std::string, QuestionLists, std::less<>> files_;  // by persona id
};

}  // namespace personascope::eval::personagym
