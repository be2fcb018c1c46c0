// For tests: the bench on a few personas and questions, with models that the test steers.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/text.hpp"
#include "eval/persona_bench/bench.hpp"
#include "files/testing/temporary_folder.hpp"
#include "llm/chain_bench.hpp"

namespace personascope::eval::persona_bench {

class BenchRig {
 public:
  // What the model and the critic say to a prompt.
  using Say = std::function<std::string(const std::string& prompt, int earlier)>;

  BenchRig() {
    for (const char* name : {"output-only", "chain-of-thought", "demographic-summary"})
      folder_.write(fmt::format("prompts/answer-{}.md", name),
                    fmt::format("{}\n{{persona}}\nAsks: {{question}}\n", name));
    folder_.write("prompts/answer-baseline.md", "baseline\nAsks: {question}\n");
    folder_.write("prompts/critic.md",
                  "{persona}\nAsks: {question}\n[[ANSWER BEGINS]]\n{answer}\n[[ANSWER ENDS]]\n");
    model_.endpoint_.model = "model";
    judge_.endpoint_.model = "judge";
    answer([](const std::string& prompt, int) { return prompt; });
    plan_.folder = folder_.path("");
    plan_.personas = folder_.path("personas.jsonl");
    plan_.questions = folder_.path("questions.jsonl");
    plan_.canaries = 0;
    plan_.temperature = 1;
    plan_.model = "fake/model";
    plan_.judge = "fake/judge";
  }

  void write_personas(const std::string& lines) { folder_.write("personas.jsonl", lines); }
  void write_questions(std::size_t count) {
    std::string lines;
    for (std::size_t i = 1; i <= count; ++i)
      lines += fmt::format("{{\"id\": \"q{}\", \"question\": \"Question {}?\"}}\n", i, i);
    folder_.write("questions.jsonl", lines);
  }

  // The model's answer, which is wrapped in JSON with the thoughts that any mode may want.
  void answer(Say say) {
    model_.behave_ = wrap([say](const std::string& prompt, int earlier) {
      Json reply = {{"answer_to_question", say(prompt, earlier)}};
      if (prompt.starts_with("chain")) reply["chain_of_thought"] = "Hm.";
      if (prompt.starts_with("demographic")) reply["demographic_summary"] = "Somebody.";
      return render_json(reply);
    });
  }
  // The critic passes the answers for which `passes` is true.
  void judge(std::function<bool(const std::string& prompt)> passes) {
    judge_.behave_ = wrap([passes](const std::string& prompt, int) {
      return render_json({{"chain_of_thought", "c"},
                          {"personalization_critic", "p"},
                          {"helpfulness_critic", "h"},
                          {"conclusion", "e"},
                          {"needs_revision", !passes(prompt)}});
    });
  }
  static llm::FakeModel::Behaviour wrap(Say say) {
    return [say](const core::Request& request, llm::Delivery, int earlier) -> Task<llm::Attempt> {
      llm::Attempt attempt =
          llm::FakeModel::make_attempt(say(request.messages.back().content, earlier));
      co_return attempt;
    };
  }

  // A reader to whom each of an answer's two tokens has the log-likelihood that `rate` gives for
  // the system text.
  void read(std::function<double(const std::string& system)> rate) {
    plan_.reader = "fake/reader";
    reader_.endpoint_.model = "reader";
    reader_.features_.likelihood = true;
    reader_.behave_ = [rate](const core::Request& request, llm::Delivery,
                             int) -> Task<llm::Attempt> {
      llm::Attempt attempt = llm::FakeModel::make_attempt(request.continuation.value_or(""));
      const double logprob = rate(request.messages.front().content);
      attempt.reply->logprobs.resize(2);
      for (core::TokenLogprobs& token : attempt.reply->logprobs) token.chosen = {"a", logprob};
      co_return attempt;
    };
  }

  // Carries out every piece of work, one after the other.
  Result<Json> run() {
    ASSIGN_OR_RETURN(auto evaluation, make_bench(plan_, [this](const std::string& name) {
                       return Result<llm::Model*>(name == plan_.judge    ? &judge_
                                                  : name == plan_.reader ? &reader_
                                                  : name == plan_.parser ? &parser_
                                                                         : &model_);
                     }));
    records_.clear();
    lines_.clear();
    ItemContext context{.chain = chain_.chain(), .record = [this](ItemRecord record) {
                          lines_.push_back(core::to_json(record));
                          records_.push_back(std::move(record));
                        }};
    for (std::int64_t piece = 0; piece < evaluation->pieces(); ++piece) {
      chain_.loop().spawn(evaluation->work(context, piece));
      chain_.loop().run();
    }
    return evaluation->finish();
  }

  files::TemporaryFolder folder_;
  llm::ChainBench chain_;
  llm::FakeModel model_;
  llm::FakeModel judge_;
  llm::FakeModel reader_;
  llm::FakeModel parser_;
  BenchPlan plan_;
  std::vector<ItemRecord> records_;
  std::vector<Json> lines_;
};

inline constexpr const char* kSixPersonas =
    R"({"id": "u1", "age": "31", "religion": "Quaker", "sex": "Male"}
{"id": "u2", "age": "32", "religion": "Hindu", "sex": "Male"}
{"id": "u3", "age": "33", "religion": "Sikh", "sex": "Male"}
{"id": "u4", "age": "34", "religion": "Jewish", "sex": "Female"}
{"id": "u5", "age": "35", "religion": "None", "sex": "Female"}
{"id": "u6", "age": "36", "religion": "Muslim", "sex": "Female"}
)";

// What stands between the critic's marker lines.
inline std::string answer_in(const std::string& prompt) {
  const std::size_t begin = prompt.find("[[ANSWER BEGINS]]");
  return prompt.substr(begin, prompt.find("[[ANSWER ENDS]]") - begin);
}

inline bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

// The row whose `member` is `name`; null if there is none.
inline Json find_row(const Json& rows, const char* member, const std::string& name) {
  for (const Json& row : rows)
    if (row[member] == name) return row;
  return nullptr;
}

}  // namespace personascope::eval::persona_bench
