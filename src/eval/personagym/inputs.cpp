#include "eval/personagym/inputs.hpp"

#include "base/hash.hpp"
#include "eval/personagym/private_split.hpp"
#include "eval/personagym/reference_files.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::personagym {

Result<std::string> hash_inputs(const GymPlan& plan) {
  std::vector<std::string> paths = plan.task_files;
  for (const Persona& persona : plan.personas) {
    if (!plan.responses_from.empty())
      paths.push_back(find_file(plan.responses_from, persona.text, "_qa.json"));
    else if (!plan.questions_from.empty())
      paths.push_back(find_file(plan.questions_from, persona.text, ".json"));
  }
  if (plan.split == Split::Private) {
    paths.push_back(plan.seed_file);
    paths.push_back(find_parts(plan));
  }
  if (paths.empty()) return std::string();
  Sha256 hash;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(const std::string text, files::load_text(path));
    hash.update(std::to_string(text.size()) + "\n");
    hash.update(text);
  }
  return render_hex(hash.digest());
}

Result<void> check_inputs(const GymPlan& plan) {
  if (plan.inputs_sha256.empty()) return {};
  ASSIGN_OR_RETURN(const std::string now, hash_inputs(plan));
  if (now != plan.inputs_sha256)
    return fail(ErrorKind::Invalid,
                "the files of questions, answers, tasks or the seed have changed since the run was "
                "started; "
                "start a new run (unchanged calls get their stored answers)");
  return {};
}

}  // namespace personascope::eval::personagym
