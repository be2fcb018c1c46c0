#include "base/all.hpp"
#include "base/text.hpp"
#include "eval/fill.hpp"
#include "eval/personagym/grading.hpp"
#include "eval/personagym/reference_text.hpp"
#include "files/python_repr.hpp"

namespace personascope::eval::personagym {
namespace {

constexpr std::int64_t kMostTokens = 3000;

// Five answers at most, by their places in the sheet.
using Places = std::vector<std::size_t>;

core::Request make_request(std::string prompt, std::string_view model) {
  core::Request request;
  request.messages.push_back({core::Role::User, std::move(prompt)});
  request.sampling = make_reference_sampling(model, 0, 0);
  return request;
}

Task<Result<core::Reply>> ask(llm::AskChain& chain, llm::Model& model, core::Request request,
                              std::string item, std::vector<std::string> owners) {
  llm::Draw draw;
  draw.item = std::move(item);
  draw.owners = std::move(owners);
  draw.role = llm::kJudgeRole;
  co_return co_await chain.ask(model, std::move(request), std::move(draw));
}

std::string render_example_prompt(const Grading& grading, const Persona& persona,
                                  const std::string& rubric, const Sheet& sheet,
                                  const Places& places) {
  std::vector<std::string> parts;
  for (const std::size_t place : places)
    parts.push_back(fill_python(grading.pack.reference.examples_item,
                                {{"persona", persona.text},
                                 {"question", sheet.items[place].question},
                                 {"rubric", rubric}}));
  return fill_python(grading.pack.reference.examples,
                     {{"rubrics", files::render_python_repr(parts)}});
}

std::string render_grading_prompt(const Grading& grading, const Persona& persona,
                                  const std::string& rubric, const Sheet& sheet,
                                  const Places& places) {
  std::vector<std::string> parts;
  for (const std::size_t place : places) {
    const Item& item = sheet.items[place];
    parts.push_back(fill_python(rubric, {{"persona", persona.text},
                                         {"question", item.question},
                                         {"response", item.answer},
                                         {"score_example", item.examples}}));
  }
  return fill_python(grading.pack.reference.grading,
                     {{"rubrics", files::render_python_repr(parts)}});
}

core::Verdict make_verdict(const std::vector<double>& grades, std::size_t place,
                           std::size_t expected, const judge::Scale& scale,
                           const std::string& text) {
  if (grades.size() != expected)
    return core::make_failure(
        {ErrorKind::Unparsable,
         fmt::format("the reply has {} evaluations for {} answers", grades.size(), expected)},
        text);
  const double grade = grades[place];
  if (grade < scale.low() || grade > scale.high())
    return core::make_failure({ErrorKind::Unparsable, "the evaluation has no score on the scale"},
                              text);
  return core::make_score(grade, text);
}

Task<Result<Batch>> grade_batch(llm::AskChain& chain, const Grading& grading,
                                const Persona& persona, const GymTask& task, Sheet& sheet,
                                Places places) {
  Batch batch;
  const std::string item = sheet.items[places.front()].id + "+";
  std::vector<std::string> ids;
  for (const std::size_t place : places) ids.push_back(sheet.items[place].id);
  const std::string& rubric = grading.pack.reference.rubrics.find(task.id)->second;
  const auto fail_items = [&](const Error& fault) {
    batch.fault = fault;
    for (const std::size_t place : places) sheet.items[place].verdict = core::make_failure(fault);
  };
  if (grading.example_model) {
    const std::string& name = grading.example_model->endpoint().model;
    core::Request request =
        make_request(render_example_prompt(grading, persona, rubric, sheet, places), name);
    const Result<core::Reply> reply =
        co_await ask(chain, *grading.example_model, std::move(request), item + "/examples", ids);
    if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    if (!reply) {
      fail_items(reply.error());
      co_return batch;
    }
    const std::vector<std::string> examples =
        grading.plan.as_published ? read_examples_as_published(reply->text, places.size())
                                  : read_examples(reply->text, places.size());
    for (std::size_t i = 0; i < places.size(); ++i) sheet.items[places[i]].examples = examples[i];
  }
  const std::string prompt = render_grading_prompt(grading, persona, rubric, sheet, places);
  std::vector<Task<Result<core::Reply>>> asks;
  for (llm::Model* model : grading.models) {
    const std::string& name = model->endpoint().model;
    core::Request request = make_request(prompt, name);
    if (takes_system_message(name))
      request.messages.insert(request.messages.begin(),
                              {core::Role::System, grading.pack.reference.grading_system});
    asks.push_back(ask(chain, *model, std::move(request), item + "/grades", ids));
  }
  const std::vector<Result<core::Reply>> replies = co_await all(std::move(asks));
  std::vector<std::vector<core::Verdict>> verdicts(places.size());
  for (std::size_t judge = 0; judge < replies.size(); ++judge) {
    const Result<core::Reply>& reply = replies[judge];
    if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
    if (!reply) batch.fault = reply.error();
    batch.scores.push_back(reply ? read_grades(reply->text) : std::vector<double>{});
    for (std::size_t i = 0; i < places.size(); ++i) {
      core::Verdict verdict = reply ? make_verdict(batch.scores.back(), i, places.size(),
                                                   task.rubric.scale, reply->text)
                                    : core::make_failure(reply.error());
      verdicts[i].push_back(verdict);
      judge::Judgement judgement;
      judgement.judge = llm::render_name(grading.models[judge]->endpoint());
      judgement.verdict = std::move(verdict);
      sheet.items[places[i]].judgements.push_back(std::move(judgement));
    }
  }
  for (std::size_t i = 0; i < places.size(); ++i) {
    Item& own = sheet.items[places[i]];
    // The published program has no such outcome: its grades stay in the batch.
    own.verdict = own.refused ? core::make_refusal(own.answer)
                              : judge::combine_panel(verdicts[i], judge::PanelRule::Mean);
  }
  co_return batch;
}

}  // namespace

Task<Result<void>> grade_as_reference(llm::AskChain& chain, const Grading& grading,
                                      const Persona& persona, const GymTask& task, Sheet& sheet) {
  std::vector<Task<Result<Batch>>> tasks;
  for (std::size_t begin = 0; begin < sheet.items.size(); begin += kReferenceBatch) {
    Places places;
    for (std::size_t i = begin; i < std::min(begin + kReferenceBatch, sheet.items.size()); ++i) {
      Item& item = sheet.items[i];
      if (item.fault)
        item.verdict = core::make_failure(*item.fault);
      else
        places.push_back(i);
    }
    if (!places.empty())
      tasks.push_back(grade_batch(chain, grading, persona, task, sheet, std::move(places)));
  }
  std::vector<Result<Batch>> batches = co_await all(std::move(tasks));
  for (Result<Batch>& batch : batches) {
    if (!batch) co_return std::unexpected(std::move(batch).error());
    sheet.batches.push_back(std::move(*batch));
  }
  co_return Result<void>{};
}

core::Sampling make_reference_sampling(std::string_view model, double temperature, double top_p) {
  const std::string name = lower(model);
  core::Sampling sampling;
  sampling.temperature = temperature;
  if (name.find("gpt") == std::string::npos && name.find("claude") != std::string::npos) {
    sampling.max_tokens = kMostTokens;
    return sampling;
  }
  sampling.top_p = top_p;
  if (name.find("gpt") == std::string::npos && name.find("llama") != std::string::npos)
    return sampling;
  sampling.max_tokens = kMostTokens;
  sampling.frequency_penalty = 0;
  sampling.presence_penalty = 0;
  return sampling;
}

bool takes_system_message(std::string_view model) {
  const std::string name = lower(model);
  return name.find("gpt") != std::string::npos ||
         (name.find("llama") == std::string::npos && name.find("claude") == std::string::npos);
}

}  // namespace personascope::eval::personagym
