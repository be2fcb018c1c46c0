#include "eval/personagym/plan_folders.hpp"

#include <algorithm>
#include <filesystem>

#include "base/text.hpp"
#include "eval/personagym/reference_files.hpp"
#include "files/paths.hpp"
#include "files/text_file.hpp"

namespace personascope::eval::personagym {
namespace {

namespace fs = std::filesystem;
using files::make_absolute;

// Whether the folder has a file for every persona, rather than for none.
Result<bool> has_every_file(const std::string& folder, const std::vector<Persona>& personas,
                            const std::string& ending) {
  const auto there = list_personas(folder, ending);
  if (!there && there.error().kind == ErrorKind::NotFound) return false;
  if (!there) return std::unexpected(there.error());
  const auto count = std::ranges::count_if(personas, [&](const Persona& persona) {
    return std::ranges::find(*there, persona.text) != there->end();
  });
  if (count == 0 || count == std::ssize(personas)) return count > 0;
  return fail(ErrorKind::Invalid,
              "{} has files for {} of the {} personas: name another folder to keep them, or add "
              "files for the others",
              printable(folder), count, personas.size());
}

}  // namespace

std::string find_folder(const char* kind, const std::string& name) {
  std::error_code ignored;
  for (const std::string& place :
       {fmt::format("{}/{}", kind, name), fmt::format("../{}/{}", kind, name), name})
    if (fs::is_directory(place, ignored)) return make_absolute(place);
  return make_absolute(fmt::format("{}/{}", kind, name));
}

Result<void> choose_folders(std::string_view stage, GymPlan& plan) {
  if (plan.saved_questions) plan.questions_from = find_folder("questions", *plan.saved_questions);
  if (plan.saved_responses) plan.responses_from = make_absolute(*plan.saved_responses);
  if (plan.model_name) plan.responses_to = make_absolute("results/" + *plan.model_name);
  if (plan.save_name) plan.scores_to = make_absolute("scores/" + *plan.save_name + "/scores.json");
  if (plan.scores) plan.scores_to = make_absolute(*plan.scores);
  // Without personas, those of the folder are meant.
  const bool named = !plan.persona_texts.empty() || plan.persona_list || plan.personas_file;
  if (plan.questions && !named && plan.until != Stage::Questions) {
    const std::string folder = make_absolute(*plan.questions);
    const auto there = list_personas(folder, ".json");
    if (!there && there.error().kind != ErrorKind::NotFound) return std::unexpected(there.error());
    if (there && !there->empty()) plan.questions_from = folder;
  }
  if (plan.questions && plan.until == Stage::Answers)
    plan.questions_from = make_absolute(*plan.questions);
  if (stage != "grade") return {};
  if (plan.responses) plan.responses_from = make_absolute(*plan.responses);
  if (plan.responses_from.empty())
    return fail(ErrorKind::Invalid, "name the folder of answers with `responses`");
  return {};
}

Result<void> settle_folders(std::string_view stage, GymPlan& plan) {
  const bool reads = plan.until == Stage::Grades;
  if (plan.questions && make_absolute(*plan.questions) != plan.questions_from) {
    const std::string folder = make_absolute(*plan.questions);
    bool there = false;
    if (reads) {
      ASSIGN_OR_RETURN(there, has_every_file(folder, plan.personas, ".json"));
    }
    (there ? plan.questions_from : plan.questions_to) = folder;
  }
  if (plan.responses && stage != "grade") {
    const std::string folder = make_absolute(*plan.responses);
    bool there = false;
    if (reads) {
      ASSIGN_OR_RETURN(there, has_every_file(folder, plan.personas, "_qa.json"));
    }
    (there ? plan.responses_from : plan.responses_to) = folder;
  }
  if (!plan.responses_from.empty() && plan.epochs > 1)
    return fail(ErrorKind::Invalid,
                "`epochs` asks for several answers per question, but the answers are those in {}: "
                "leave it out",
                printable(plan.responses_from));
  return {};
}

Result<void> make_folders(const GymPlan& plan) {
  if (!plan.questions_to.empty()) RETURN_IF_ERROR(make_folder(plan.questions_to));
  if (!plan.responses_to.empty()) RETURN_IF_ERROR(make_folder(plan.responses_to));
  if (plan.scores_to.empty()) return {};
  std::error_code ignored;  // NewFile has the better message
  fs::create_directories(fs::path(plan.scores_to).parent_path(), ignored);
  RETURN_IF_ERROR(files::NewFile::create(plan.scores_to));
  return {};
}

}  // namespace personascope::eval::personagym
