#include "eval/exam/examiner.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace personascope::eval::exam {
namespace {

// A verdict of a judge whose readings are not told apart.
judge::Judgement make_judgement(std::string judge, core::Verdict verdict) {
  judge::Reading reading;
  reading.verdict = std::move(verdict);
  return judge::combine_readings(std::move(judge), {std::move(reading)});
}

// The answer as judges of its evaluation see it.
std::string show_answer(const ExamCase& one, std::size_t answer) {
  if (!one.dimension) return one.item.answers[answer];
  const personalens::Dialogue& dialogue = one.dialogues[answer];
  const bool is_opening = one.dimension->scope == personalens::Scope::FirstTurn;
  return personalens::render_conversation(dialogue, is_opening ? 1 : dialogue.turns.size());
}

std::string describe_context(const ExamCase& one) {
  if (one.dimension)
    return "The answers are conversations of a user with an assistant.\n\n" + one.person;
  if (one.item.evaluation == "bench")
    return fmt::format("The user:\n{}\n\nThe question:\n{}", one.person, one.request);
  std::string text = fmt::format("The persona:\n{}\n\nThe question:\n{}", one.person, one.request);
  if (!one.good.empty())
    text += fmt::format("\n\nA good answer: {}\nA bad answer: {}", one.good, one.bad);
  return text;
}

}  // namespace

Examiner::Examiner(llm::Model& model, const ExamData& data, const ExamPlan& plan)
    : model_(&model),
      data_(&data),
      alone_(plan.alone),
      choices_(plan.judging.repeats),
      readings_(choices_ * (plan.judging.orders == judge::Orders::Both ? 2 : 1)) {
  lens_plan_.judging = plan.judging;
}

Result<std::unique_ptr<Examiner>> Examiner::create(llm::Model& model, const ExamData& data,
                                                   const ExamPlan& plan) {
  // The constructor is private, so make_unique cannot reach it. It stays at one place: the judges
  // of dialogues point to its plan.
  std::unique_ptr<Examiner> examiner(new Examiner(model, data, plan));
  for (const ExamCase& one : data.cases) {
    if (one.item.kind == ExamKind::WhoSpeaks) continue;
    const judge::Rubric* rubric = find_exam_rubric(data, one.item);
    if (one.item.evaluation == "gym" && !examiner->gym_.contains(rubric)) {
      ASSIGN_OR_RETURN(judge::Judge judge, judge::Judge::create(model, *rubric, plan.judging));
      examiner->gym_.emplace(rubric, std::move(judge));
    }
    if (one.dimension && !examiner->lens_.contains(one.dimension)) {
      ASSIGN_OR_RETURN(auto judges,
                       personalens::DialogueJudges::create(examiner->lens_plan_, data.lens,
                                                           {&model}, {one.dimension}));
      examiner->lens_.emplace(one.dimension, std::move(judges));
    }
  }
  ASSIGN_OR_RETURN(examiner->critic_,
                   persona_bench::Critic::create(persona_bench::CriticKind::Single, model,
                                                 data.bench, plan.judging.max_tokens));
  judge::JudgeOptions choosing = plan.judging;
  choosing.orders = judge::Orders::Ascending;  // what is chosen among has no order
  ASSIGN_OR_RETURN(examiner->pair_, judge::Judge::create(model, data.pair, choosing));
  ASSIGN_OR_RETURN(examiner->who_, judge::Judge::create(model, data.who, choosing));
  return examiner;
}

bool Examiner::compares(const ExamCase& one) const {
  if (alone_) return false;
  return one.item.kind == ExamKind::Pair || one.item.flaw == "order";
}

Task<Result<Sitting>> Examiner::sit(llm::AskChain& chain, const ExamCase& one) const {
  Sitting sitting;
  if (one.item.kind == ExamKind::WhoSpeaks) {
    CO_ASSIGN_OR_RETURN(judge::Judgement choice, co_await ask_who(chain, one));
    sitting.alone.push_back(std::move(choice));
    co_return sitting;
  }
  for (std::size_t answer = 0; answer < one.item.answers.size(); ++answer) {
    CO_ASSIGN_OR_RETURN(judge::Judgement judgement, co_await score(chain, one, answer));
    sitting.alone.push_back(std::move(judgement));
  }
  if (!compares(one)) co_return sitting;
  for (const std::size_t first : {std::size_t{0}, std::size_t{1}}) {
    CO_ASSIGN_OR_RETURN(judge::Judgement judgement, co_await compare(chain, one, first));
    sitting.paired.push_back(std::move(judgement));
  }
  co_return sitting;
}

judge::Fields Examiner::make_who_fields(const ExamCase& one) const {
  std::string people;
  for (std::size_t i = 0; i < one.people.size(); ++i)
    people += fmt::format("{}Person {}:\n{}", i == 0 ? "" : "\n\n", i + 1, one.people[i]);
  return {{"people", std::move(people)},
          {"question", one.request},
          {"answer", one.item.answers.front()}};
}

judge::Fields Examiner::make_pair_fields(const ExamCase& one, std::size_t first) const {
  const judge::Rubric& rubric = *find_exam_rubric(*data_, one.item);
  const auto& levels = rubric.scale.levels;
  const judge::Level& best = is_better_low(one.item) ? levels.front() : levels.back();
  return {{"about", describe_context(one)},
          {"measure", rubric.asks.empty() ? rubric.name : rubric.asks},
          {"best", best.criterion},
          {"answers", fmt::format("The first answer:\n{}\n\nThe second answer:\n{}",
                                  show_answer(one, first), show_answer(one, 1 - first))}};
}

Task<Result<judge::Judgement>> Examiner::ask_who(llm::AskChain& chain, const ExamCase& one) const {
  const judge::Fields fields = make_who_fields(one);
  const std::string id = one.item.id + "/who";
  co_return co_await who_->judge(chain, id, fields);
}

Task<Result<judge::Judgement>> Examiner::compare(llm::AskChain& chain, const ExamCase& one,
                                                 std::size_t first) const {
  const judge::Fields fields = make_pair_fields(one, first);
  const std::string id = fmt::format("{}/pair {}", one.item.id, first + 1);
  co_return co_await pair_->judge(chain, id, fields);
}

Task<Result<judge::Judgement>> Examiner::score(llm::AskChain& chain, const ExamCase& one,
                                               std::size_t answer) const {
  const std::string id = fmt::format("{}/{}", one.item.id, answer + 1);
  if (one.dimension) {
    CO_ASSIGN_OR_RETURN(const auto scores,
                        co_await lens_.find(one.dimension)
                            ->second.judge(chain, *one.scene, one.dialogues[answer], id));
    co_return make_judgement(name(), scores.front().verdict);
  }
  if (one.item.evaluation == "bench") {
    persona_bench::Answer shown;
    shown.text = one.item.answers[answer];
    CO_ASSIGN_OR_RETURN(core::Verdict verdict,
                        co_await critic_->judge(chain, id, one.person, one.request, shown));
    co_return make_judgement(name(), std::move(verdict));
  }
  judge::Fields fields{
      {"persona", one.person}, {"question", one.request}, {"answer", one.item.answers[answer]}};
  if (!one.good.empty()) {
    fields["good"] = one.good;
    fields["bad"] = one.bad;
  }
  co_return co_await gym_.find(find_exam_rubric(*data_, one.item))->second.judge(chain, id, fields);
}

Examiner::Load Examiner::measure(const ExamCase& one) const {
  Load load;
  const auto add = [&](std::int64_t calls, std::size_t bytes) {
    load.calls += calls;
    load.bytes += static_cast<std::size_t>(calls) * bytes;
  };
  const auto size_of = [](const judge::Fields& fields) {
    std::size_t bytes = 0;
    for (const auto& [name, value] : fields) bytes += value.size();
    return bytes;
  };
  if (one.item.kind == ExamKind::WhoSpeaks) {
    add(choices_, who_->prompt().text.size() + size_of(make_who_fields(one)));
    return load;
  }
  const judge::Rubric& rubric = *find_exam_rubric(*data_, one.item);
  for (std::size_t answer = 0; answer < one.item.answers.size(); ++answer) {
    const std::size_t shown =
        one.person.size() + one.request.size() + show_answer(one, answer).size();
    if (one.item.evaluation == "bench") {
      add(critic_->calls(), critic_->bytes() + shown);
      continue;
    }
    std::int64_t turns = 1;
    if (one.dimension && one.dimension->scope == personalens::Scope::EachTurn)
      turns = std::ranges::count(one.dialogues[answer].turns, core::Role::Assistant,
                                 &core::Message::role);
    add(readings_ * turns, rubric.prompt.text.size() + rubric.asks.size() + shown);
  }
  if (compares(one))
    add(2 * choices_, pair_->prompt().text.size() + size_of(make_pair_fields(one, 0)));
  return load;
}

}  // namespace personascope::eval::exam
