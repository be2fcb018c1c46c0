#include "app/gym.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/data.hpp"
#include "app/models.hpp"
#include "app/paths.hpp"
#include "app/personas.hpp"
#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/personagym/gym.hpp"
#include "eval/personagym/inputs.hpp"
#include "eval/personagym/reference_files.hpp"
#include "files/text_file.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

namespace gym = eval::personagym;
namespace fs = std::filesystem;

constexpr const char* kNone = "none";

bool is_embedded(const std::string& name) {
  return name.starts_with("embedded/");
}

std::string make_name(const std::string& name) {
  return llm::make_absolute_name(route_model_name(name));
}

// A folder that the published program keeps beside its code: here, or one level up.
std::string find_folder(const char* kind, const std::string& name) {
  std::error_code ignored;
  for (const std::string& place :
       {fmt::format("{}/{}", kind, name), fmt::format("../{}/{}", kind, name), name})
    if (fs::is_directory(place, ignored)) return make_absolute(place);
  return make_absolute(fmt::format("{}/{}", kind, name));
}

// Fills in ids: the pack's own where the text is one of its personas', else made of the text, so
// that a persona has the same one in every run.
void give_ids(std::vector<gym::Persona>& personas, const gym::Pack& pack) {
  std::set<std::string> taken;
  for (const gym::Persona& persona : personas) taken.insert(persona.id);
  for (gym::Persona& persona : personas) {
    if (!persona.id.empty()) continue;
    for (const gym::Persona& known : pack.personas)
      if (known.text == persona.text && !taken.contains(known.id)) persona.id = known.id;
    const std::string hash = render_hex(sha256(persona.text));
    for (std::size_t digits = 8; persona.id.empty(); ++digits) {
      std::string id = "persona-" + hash.substr(0, digits);
      if (!taken.contains(id)) persona.id = std::move(id);
    }
    taken.insert(persona.id);
  }
}

Result<std::vector<gym::Persona>> choose_personas(const GymCommand& command,
                                                  const gym::GymPlan& plan, const gym::Pack& pack) {
  std::vector<gym::Persona> personas;
  for (const std::string& text : command.personas) {
    if (trim(text).empty()) return fail(ErrorKind::Invalid, "--persona is empty");
    personas.push_back({"", std::string(trim(text))});
  }
  if (command.persona_list) {
    ASSIGN_OR_RETURN(const auto texts, parse_persona_list(*command.persona_list));
    for (const std::string& text : texts) personas.push_back({"", text});
  }
  if (command.personas_file) {
    ASSIGN_OR_RETURN(auto more, load_personas(*command.personas_file));
    personas.insert(personas.end(), more.begin(), more.end());
  }
  if (personas.empty()) {
    // Those that there are questions or answers for, else the pack's whole benchmark.
    const std::string& folder =
        plan.responses_from.empty() ? plan.questions_from : plan.responses_from;
    if (!folder.empty()) {
      ASSIGN_OR_RETURN(
          const auto texts,
          gym::list_personas(folder, plan.responses_from.empty() ? ".json" : "_qa.json"));
      for (const std::string& text : texts) personas.push_back({"", text});
    } else {
      for (const gym::Persona& persona : pack.personas)
        if (pack.questions.contains(persona.id)) personas.push_back(persona);
    }
  }
  give_ids(personas, pack);
  std::set<std::string> texts;
  for (const gym::Persona& persona : personas) {
    const std::string shown = printable(shorten(persona.text, 60));
    if (!is_utf8(persona.text))
      return fail(ErrorKind::Invalid, "the persona \"{}\" is not in UTF-8: save it as such", shown);
    if (!texts.insert(persona.text).second)
      return fail(ErrorKind::Invalid,
                  "the persona \"{}\" is given twice; to repeat it use --epochs", shown);
  }
  if (command.limit && std::ssize(personas) > *command.limit)
    personas.resize(static_cast<std::size_t>(*command.limit));
  return personas;
}

// Whether the folder has a file for every persona, rather than for none. Fails as Invalid if it has
// some: they would be lost if the folder were written to.
Result<bool> has_every_file(const std::string& folder, const std::vector<gym::Persona>& personas,
                            const std::string& ending) {
  const auto there = gym::list_personas(folder, ending);
  if (!there && there.error().kind == ErrorKind::NotFound) return false;
  if (!there) return std::unexpected(there.error());
  const auto count = std::ranges::count_if(personas, [&](const gym::Persona& persona) {
    return std::ranges::find(*there, persona.text) != there->end();
  });
  if (count == 0 || count == std::ssize(personas)) return count > 0;
  return fail(ErrorKind::Invalid,
              "{} has files for {} of the {} personas: to keep them, name another folder to write "
              "to; or give it the others",
              printable(folder), count, personas.size());
}

// Which folders are read and which are written.
Result<void> choose_folders(const GymCommand& command, gym::GymPlan& plan) {
  if (command.saved_questions)
    plan.questions_from = find_folder("questions", *command.saved_questions);
  if (command.saved_responses) plan.responses_from = make_absolute(*command.saved_responses);
  if (command.model_name) plan.responses_to = make_absolute("results/" + *command.model_name);
  if (command.save_name)
    plan.scores_to = make_absolute("scores/" + *command.save_name + "/scores.json");
  if (command.scores) plan.scores_to = make_absolute(*command.scores);
  // Without personas, those of the folder are meant.
  const bool named = !command.personas.empty() || command.persona_list || command.personas_file;
  if (command.questions && !named && command.until != Stage::Questions) {
    const std::string folder = make_absolute(*command.questions);
    const auto there = gym::list_personas(folder, ".json");
    if (!there && there.error().kind != ErrorKind::NotFound) return std::unexpected(there.error());
    if (there && !there->empty()) plan.questions_from = folder;
  }
  if (command.questions && command.until == Stage::Answers)
    plan.questions_from = make_absolute(*command.questions);
  if (command.grade_only) {
    if (command.responses) plan.responses_from = make_absolute(*command.responses);
    if (plan.responses_from.empty())
      return fail(ErrorKind::Invalid, "name the folder of answers with --responses");
  }
  return {};
}

// Of the folders that may be either: taken from where every persona has its file, else written to.
Result<void> settle_folders(const GymCommand& command, gym::GymPlan& plan) {
  const bool reads = command.until == Stage::Grades;
  if (command.questions && make_absolute(*command.questions) != plan.questions_from) {
    const std::string folder = make_absolute(*command.questions);
    bool there = false;
    if (reads) {
      ASSIGN_OR_RETURN(there, has_every_file(folder, plan.personas, ".json"));
    }
    (there ? plan.questions_from : plan.questions_to) = folder;
  }
  if (command.responses && !command.grade_only) {
    const std::string folder = make_absolute(*command.responses);
    bool there = false;
    if (reads) {
      ASSIGN_OR_RETURN(there, has_every_file(folder, plan.personas, "_qa.json"));
    }
    (there ? plan.responses_from : plan.responses_to) = folder;
  }
  if (!plan.responses_from.empty() && plan.epochs > 1)
    return fail(ErrorKind::Invalid,
                "--epochs has every question answered several times, but the answers are those in "
                "{}: leave it out",
                printable(plan.responses_from));
  return {};
}

// Whatever will be written can be: it would be a pity to learn at the end that it cannot.
Result<void> make_folders(const gym::GymPlan& plan) {
  if (!plan.questions_to.empty()) RETURN_IF_ERROR(gym::make_folder(plan.questions_to));
  if (!plan.responses_to.empty()) RETURN_IF_ERROR(gym::make_folder(plan.responses_to));
  if (plan.scores_to.empty()) return {};
  std::error_code ignored;  // NewFile says it better
  fs::create_directories(fs::path(plan.scores_to).parent_path(), ignored);
  RETURN_IF_ERROR(files::NewFile::create(plan.scores_to));
  return {};
}

// Nothing that is read is overwritten.
Result<void> check_outputs(const GymCommand& command, const gym::GymPlan& plan) {
  std::vector<std::string> sources = plan.task_files;
  sources.push_back(command.personas_file.value_or(""));
  for (const std::string& source : sources)
    RETURN_IF_ERROR(check_not_same_file(plan.scores_to, source, "--scores"));
  sources.push_back(plan.questions_from);
  sources.push_back(plan.responses_from);
  for (const std::string& source : sources)
    RETURN_IF_ERROR(check_not_same_file(command.output.value_or(""), source));
  return {};
}

Result<void> choose_models(const Context& context, const GymCommand& command, gym::GymPlan& plan) {
  const bool reference = plan.protocol == Protocol::Reference;
  const bool answers = plan.until != Stage::Questions && plan.responses_from.empty();
  if (answers || !command.model.empty()) {
    ASSIGN_OR_RETURN(const std::string model, choose_model(context, command.model));
    plan.model = make_name(model);
  }
  for (const std::string& judge : command.judges) plan.judges.push_back(make_name(judge));
  if (plan.judges.empty() && (plan.until == Stage::Grades || !command.question_model)) {
    // For a run without keys, or whose model is local, the model itself is all there is.
    auto judge = choose_model(context, "");
    if (!judge && plan.until == Stage::Grades) return std::unexpected(judge.error());
    plan.judges.push_back(make_name(judge ? *judge : plan.model));
  }
  for (std::size_t i = 0; i < plan.judges.size(); ++i)
    for (std::size_t k = 0; k < i; ++k)
      if (plan.judges[i] == plan.judges[k])
        return fail(ErrorKind::Invalid,
                    "{} is named twice; to ask it several times use --judge-repeats",
                    printable(plan.judges[i]));
  plan.question_model =
      make_name(command.question_model ? *command.question_model : plan.judges.front());
  if (plan.until != Stage::Grades) {
    plan.judges.clear();
    return {};
  }
  // Examples by a tiny model confuse its judge more than they steady it.
  if (command.example_model)
    plan.example_model = *command.example_model == kNone ? "" : make_name(*command.example_model);
  else if (reference || !is_embedded(plan.judges.front()))
    plan.example_model = plan.judges.front();
  if (command.reader || !reference) {
    ASSIGN_OR_RETURN(plan.reader, choose_reader(context, command.reader, plan.model));
  }
  return {};
}

void set_numbers(const GymCommand& command, gym::GymPlan& plan) {
  set_if(plan.questions_per_task, command.questions_per_task);
  set_if(plan.epochs, command.epochs);
  set_if(plan.seed, command.seed);
  set_if(plan.temperature, command.temperature);
  set_if(plan.top_p, command.top_p);
  set_if(plan.max_tokens, command.max_tokens);
  set_if(plan.canaries, command.canaries);
  set_if(plan.readings, command.readings);
  set_if(plan.controls, command.controls);
  if (plan.protocol == Protocol::Reference) plan.canaries = 0;  // its calls must be equal
  plan.judging = command.judging;
  plan.rule = command.rule;
}

// Personas to tell the true one from, where the run has too few of its own.
void add_distractors(const gym::Pack& pack, gym::GymPlan& plan) {
  constexpr std::size_t kEnough = 4;
  if (plan.reader.empty()) return;
  for (const gym::Persona& persona : pack.personas) {
    if (plan.personas.size() + plan.distractors.size() >= kEnough) return;
    const bool known = std::ranges::any_of(
        plan.personas, [&](const gym::Persona& own) { return own.text == persona.text; });
    if (!known) plan.distractors.push_back(persona.text);
  }
}

Result<gym::GymPlan> make_plan(const Context& context, const GymCommand& command) {
  gym::GymPlan plan;
  plan.protocol = command.protocol;
  plan.as_published = command.as_published;
  plan.until = command.until;
  if (plan.as_published && plan.protocol != Protocol::Reference)
    return fail(ErrorKind::Invalid, "--as-published is about --protocol reference");
  ASSIGN_OR_RETURN(plan.ours, find_data(context, "gym"));
  plan.pack = plan.ours;
  if (command.benchmark) {
    const auto pack = find_pack(context, *command.benchmark);
    std::error_code ignored;
    const std::string folder = find_folder("questions", *command.benchmark);
    if (!pack && !fs::is_directory(folder, ignored)) return std::unexpected(pack.error());
    if (pack)
      plan.pack = *pack;
    else
      plan.questions_from = folder;
  }
  ASSIGN_OR_RETURN(const gym::Pack pack, gym::load_pack(plan.pack, plan.ours));
  plan.pack_sha256 = pack.sha256;
  for (const std::string& file : command.task_files) plan.task_files.push_back(make_absolute(file));
  plan.tasks = command.tasks;
  const bool fresh = plan.until == Stage::Questions && command.engine.fresh.value_or(false);
  if (command.fresh_questions || fresh) plan.ready_made = gym::ReadyMade::Ignore;
  set_numbers(command, plan);
  RETURN_IF_ERROR(choose_folders(command, plan));
  ASSIGN_OR_RETURN(plan.personas, choose_personas(command, plan, pack));
  RETURN_IF_ERROR(settle_folders(command, plan));
  RETURN_IF_ERROR(check_outputs(command, plan));
  ASSIGN_OR_RETURN(plan.inputs_sha256, gym::hash_inputs(plan));
  RETURN_IF_ERROR(choose_models(context, command, plan));
  add_distractors(pack, plan);
  return plan;
}

EvaluationSetup make_setup(const gym::GymPlan& plan) {
  return {.command = "gym",
          .plan = gym::to_json(plan),
          .model = plan.model,
          .has_judge = !plan.judges.empty(),
          .make = make_with<gym::Gym>(plan)};
}

EvaluationFlags flags_of(const GymCommand& command) {
  return {.output = command.output, .base_url = command.base_url, .engine = command.engine};
}

}  // namespace

std::string route_model_name(const std::string& name) {
  const std::size_t slash = name.find('/');
  if (slash != std::string::npos && llm::find_provider(name.substr(0, slash))) return name;
  const std::string low = lower(name);
  if (low.find("gpt") != std::string::npos) return "openai/" + name;
  if (low.find("claude") != std::string::npos) return "anthropic/" + name;
  if (low.find("llama") != std::string::npos) return "together/" + name;
  return name;
}

Result<run::RunSummary> start_gym(Context& context, const GymCommand& command,
                                  const Listener& listener) {
  ASSIGN_OR_RETURN(const gym::GymPlan plan, make_plan(context, command));
  EvaluationSetup setup = make_setup(plan);
  setup.make = [&plan, make = std::move(setup.make)](
                   const eval::FindModel& find_model) -> Result<std::unique_ptr<eval::Evaluation>> {
    ASSIGN_OR_RETURN(auto made, make(find_model));
    RETURN_IF_ERROR(make_folders(plan));
    return made;
  };
  return start_evaluation(context, setup, flags_of(command), listener);
}

Result<std::vector<run::Estimate>> estimate_gym(Context& context, const GymCommand& command) {
  ASSIGN_OR_RETURN(const gym::GymPlan plan, make_plan(context, command));
  return estimate_evaluation(context, make_setup(plan), flags_of(command));
}

Result<EvaluationSetup> load_gym(const Json& stored) {
  ASSIGN_OR_RETURN(const gym::GymPlan plan, gym::parse_gym_plan(stored));
  return make_setup(plan);
}

}  // namespace personascope::app
