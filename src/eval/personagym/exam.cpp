#include "eval/personagym/exam.hpp"

#include <algorithm>

#include "base/random.hpp"
#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/personagym/grading.hpp"
#include "eval/personagym/published_tasks.hpp"
#include "eval/personagym/question_list.hpp"
#include "eval/personagym/reference_files.hpp"
#include "files/python_repr.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr int kTries = 5;  // as the published program has it
constexpr std::size_t kEnvironments = 10;
constexpr std::size_t kFewEnvironments = 30;
constexpr std::int64_t kListTokens = 3000;

Json make_environment_schema(const std::vector<Environment>& environments) {
  Json ids = Json::array();
  for (const Environment& environment : environments) ids.push_back(environment.id);
  const std::size_t count = std::min(kEnvironments, environments.size());
  return {{"type", "object"},
          {"properties",
           {{"environments",
             {{"type", "array"},
              {"items", {{"type", "string"}, {"enum", ids}}},
              {"minItems", 1},
              {"maxItems", count}}}}},
          {"required", {"environments"}},
          {"additionalProperties", false}};
}

std::string render_line(const Environment& environment) {
  if (environment.detail.empty()) return fmt::format("{} | {}\n", environment.id, environment.name);
  return fmt::format("{} | {} | {}\n", environment.id, environment.name, environment.detail);
}

std::string render_points(const std::vector<std::string>& points) {
  std::string text;
  for (const std::string& point : points) text += "- " + point + "\n";
  return text;
}

core::Request make_request(std::string prompt, const llm::Model& writer, Protocol protocol) {
  core::Request request;
  request.messages.push_back({core::Role::User, std::move(prompt)});
  if (protocol == Protocol::Reference) {
    request.sampling = make_reference_sampling(writer.endpoint().model, 0.9, 0.9);
    return request;
  }
  request.sampling.temperature = 0.9;
  request.sampling.top_p = 0.9;
  request.sampling.max_tokens = kListTokens;
  return request;
}

// A small model writes readable questions only near its likeliest words, and does not always find
// the end of a text.
void suit_small_model(core::Request& request, std::int64_t count) {
  request.sampling.temperature = 0.3;
  request.sampling.max_tokens = 50 + 100 * count;
}

// The writer's reply as a list, tried again while it is none; `read` says whether it will do. It
// serves the items whose ids begin with `owners`.
template <class Read>
Task<Result<std::vector<std::string>>> ask_for_list(llm::AskChain& chain, llm::Model& writer,
                                                    core::Request request, std::string item,
                                                    std::string owners, Read read) {
  Error last;
  for (int trial = 0; trial < kTries; ++trial) {
    const llm::Draw draw{.item = item,
                         .role = std::string(llm::kUserRole),
                         .epoch = 0,
                         .trial = trial,
                         .owners = {owners}};
    // Every try is a draw of its own. A small model that repeats itself is let off the leash.
    if (trial > 0 && llm::is_local(writer)) request.sampling.temperature = 0.3 + 0.15 * trial;
    const Result<core::Reply> reply = co_await llm::ask_structured(chain, writer, request, draw);
    if (!reply && reply.error().kind != ErrorKind::Unparsable)
      co_return std::unexpected(reply.error());
    if (reply && core::is_refusal(*reply))
      co_return fail(ErrorKind::Refused, "{} declined to write the list: {}",
                     llm::render_name(writer.endpoint()), shorten(reply->text, 200));
    Result<std::vector<std::string>> list =
        reply ? read(reply->text) : std::unexpected(reply.error());
    if (list) co_return list;
    last = std::move(list).error();
  }
  co_return fail(ErrorKind::Unparsable, "{} gave no usable list in {} tries: {}",
                 llm::render_name(writer.endpoint()), kTries, last.message);
}

}  // namespace

Result<Exam> Exam::create(const GymPlan& plan, const Pack& pack, const std::vector<GymTask>& tasks,
                          llm::Model* writer) {
  Exam exam(plan, pack, writer);
  if (!plan.questions_from.empty()) {
    for (const Persona& persona : plan.personas) {
      ASSIGN_OR_RETURN(const auto given, load_questions(plan.questions_from, persona.text));
      QuestionLists& own = exam.files_[persona.id];
      for (const auto& [name, questions] : given) {
        const GymTask* task = find_task(tasks, name);
        if (task) own[task->id] = questions;
      }
    }
  }
  for (const Persona& persona : plan.personas) {
    const QuestionLists* given = exam.find_given(persona);
    if (!given) continue;
    for (const GymTask& task : tasks) {
      const auto list = given->find(task.id);
      const std::int64_t count = list == given->end() ? 0 : std::ssize(list->second);
      if (count < plan.questions_per_task)
        return fail(ErrorKind::Invalid,
                    "the questions for \"{}\" have {} of task {}, not {}: ask for fewer with "
                    "`questions_per_task`, or have them written with `fresh_questions`",
                    printable(shorten(persona.text, 60)), count, printable(task.name),
                    plan.questions_per_task);
    }
  }
  return exam;
}

const QuestionLists* Exam::find_given(const Persona& persona) const {
  if (const auto own = files_.find(persona.id); own != files_.end()) return &own->second;
  if (plan_->ready_made == ReadyMade::Ignore) return nullptr;
  return personagym::find_questions(*pack_, persona.text);
}

Source Exam::source_of(const Persona& persona) const {
  if (files_.contains(persona.id)) return Source::File;
  return find_given(persona) ? Source::ReadyMade : Source::Written;
}

bool Exam::has_written() const {
  return std::ranges::any_of(plan_->personas, [this](const Persona& persona) {
    return source_of(persona) == Source::Written;
  });
}

Task<Result<std::vector<std::string>>> Exam::find_questions(llm::AskChain& chain,
                                                            const Persona& persona,
                                                            const GymTask& task) const {
  const QuestionLists* given = find_given(persona);
  if (!given) co_return co_await write(chain, persona, task);
  const std::vector<std::string>& all = given->find(task.id)->second;
  co_return std::vector<std::string>(
      all.begin(), all.begin() + static_cast<std::ptrdiff_t>(plan_->questions_per_task));
}

// All of them, but for a small model some drawn by seed: it would lose itself in the whole list.
std::vector<Environment> Exam::list_environments(const Persona& persona) const {
  std::vector<Environment> list = pack_->environments;
  if (!llm::is_local(*writer_) || plan_->protocol == Protocol::Reference) return list;
  Random random(plan_->seed, "environments", persona.id);
  while (list.size() > kFewEnvironments)
    list.erase(list.begin() + static_cast<std::ptrdiff_t>(random.below(list.size())));
  return list;
}

Task<Result<std::string>> Exam::choose_environments(llm::AskChain& chain,
                                                    const Persona& persona) const {
  const bool reference = plan_->protocol == Protocol::Reference;
  const std::vector<Environment> environments = list_environments(persona);
  std::string prompt;
  if (reference) {
    std::vector<std::string> names;
    for (const Environment& environment : environments) names.push_back(environment.name);
    const std::string list = files::render_python_repr(names);
    prompt = fill_python(pack_->reference.choose_environments,
                         {{"persona", persona.text}, {"settings_list", list}});
  } else {
    std::string lines;
    for (const Environment& environment : environments) lines += render_line(environment);
    prompt = fill(pack_->prompts.choose_environments,
                  {{"persona", persona.text}, {"environments", trim(lines)}});
  }
  core::Request request = make_request(std::move(prompt), *writer_, plan_->protocol);
  if (!reference)
    request.output = core::OutputSchema{"environments", make_environment_schema(environments)};
  const auto read = [&](std::string_view text) -> Result<std::vector<std::string>> {
    // As they came: the published program asks no more of them.
    if (reference) return parse_python_texts(text, "environments");
    ASSIGN_OR_RETURN(const auto chosen, parse_text_list(text, "environments"));
    std::vector<std::string> lines;
    for (const Environment& environment : environments)
      if (std::ranges::find(chosen, environment.id) != chosen.end() ||
          std::ranges::find(chosen, environment.name) != chosen.end())
        lines.push_back(render_line(environment));
    if (lines.empty()) return fail(ErrorKind::Unparsable, "no known environment was chosen");
    return lines;
  };
  CO_ASSIGN_OR_RETURN(const auto lines,
                      co_await ask_for_list(chain, *writer_, std::move(request),
                                            persona.id + "/environments", persona.id + "/", read));
  if (reference) co_return files::render_python_repr(lines);
  co_return std::string(trim(join(lines, "")));
}

Task<Result<std::vector<std::string>>> Exam::write(llm::AskChain& chain, const Persona& persona,
                                                   const GymTask& task) const {
  CO_ASSIGN_OR_RETURN(const std::string environments, co_await choose_environments(chain, persona));
  const std::int64_t count = plan_->questions_per_task;
  const std::string number = std::to_string(count);
  core::Request request;
  if (plan_->protocol == Protocol::Reference) {
    const std::string name = name_in_files(task);
    const auto description = pack_->reference.descriptions.find(task.id);
    request = make_request(
        fill_python(
            pack_->reference.write_questions,
            {{"persona", persona.text},
             {"settings", environments},
             {"num_questions", number},
             {"task", name},
             {"description",
              description == pack_->reference.descriptions.end() ? "" : description->second}}),
        *writer_, plan_->protocol);
  } else {
    const std::string guidance = render_points(task.guidance);
    request = make_request(fill(pack_->prompts.write_questions, {{"persona", persona.text},
                                                                 {"environments", environments},
                                                                 {"task_name", task.name},
                                                                 {"task_asks", task.rubric.asks},
                                                                 {"guidance", trim(guidance)},
                                                                 {"count", number}}),
                           *writer_, plan_->protocol);
    request.output = core::OutputSchema{"questions", make_question_schema(count)};
    if (llm::is_local(*writer_)) suit_small_model(request, count);
  }
  const auto read = [&](std::string_view text) -> Result<std::vector<std::string>> {
    if (plan_->protocol == Protocol::Reference) {
      ASSIGN_OR_RETURN(auto questions, parse_python_texts(text, "questions"));
      RETURN_IF_ERROR(check_count(questions, count));
      return questions;
    }
    ASSIGN_OR_RETURN(auto questions, parse_text_list(text, "questions"));
    RETURN_IF_ERROR(check_questions(questions, count, persona.text));
    return questions;
  };
  const std::string items = persona.id + "/" + task.id + "/";
  co_return co_await ask_for_list(chain, *writer_, std::move(request), items + "questions", items,
                                  read);
}

}  // namespace personascope::eval::personagym
