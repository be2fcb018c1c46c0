// Personas whose open attributes a model writes to fit the drawn ones, with a judge that drops
// those in whom two attributes cannot both be true. An item is a persona.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eval/evaluation.hpp"
#include "eval/persona_bench/persona.hpp"
#include "judge/judge.hpp"
#include "judge/rubric.hpp"

namespace personascope::eval::persona_bench {

// Written by the model; the lists fill them otherwise.
inline constexpr std::array<std::string_view, 6> kOpenAttributes{
    "defining quirks", "mannerisms", "personal time", "lifestyle", "ideology", "political views"};

struct WritingPlan {
  std::string folder;       // tables, prompts and rubrics
  std::string data_sha256;  // of the drawn personas and of the words of the prompts
  std::string personas_to;  // the file of those that are kept
  std::string model;
  std::string judge;
  std::int64_t count = 300;
  std::uint64_t seed = 0;
  double temperature = 1;
  std::int64_t max_tokens = 600;
};
Json to_json(const WritingPlan& plan);
// Fails as Invalid if it is not a plan for writing personas.
Result<WritingPlan> parse_writing_plan(const Json& value);

// What personas are written with.
struct WritingData {
  std::vector<Persona> drawn;                   // without the open attributes
  std::map<std::string, std::size_t> possible;  // values of the others
  judge::Prompt prompt;
  judge::Rubric rubric;
  std::string sha256;  // of all of it
};
// Draws the personas and loads prompt and rubric. Fails as Invalid or NotFound, and if the plan's
// hash is another one.
Result<WritingData> load_writing_data(const WritingPlan& plan);

class PersonaWriting final : public Evaluation {
 public:
  // Fails as load_writing_data does.
  static Result<std::unique_ptr<PersonaWriting>> create(WritingPlan plan,
                                                        const FindModel& find_model);

  std::int64_t items() const override { return std::ssize(data_.drawn); }
  std::vector<Forecast> forecast() const override;
  std::int64_t pieces() const override { return items(); }
  Task<void> work(ItemContext& context, std::int64_t piece) override;
  // {"evaluation": "bench/personas", "asked", "kept", "dropped", "refused", "failed",
  // "contradictions": [{"persona", "why"}], "seed", "output", and how varied those kept are};
  // writes the file.
  Result<Json> finish() override;

 private:
  struct Written {
    Persona persona;
    core::Verdict verdict;  // 1: consistent; or why there is none
  };

  PersonaWriting(WritingPlan plan, WritingData data);
  // Fails only if the run stops.
  Task<Result<Written>> write(ItemContext& context, const Persona& drawn) const;
  std::string render_request(const Persona& drawn) const;

  WritingPlan plan_;
  WritingData data_;
  std::vector<std::optional<Written>> written_;
  llm::Model* model_ = nullptr;
  std::optional<judge::Judge> judge_;
};

}  // namespace personascope::eval::persona_bench
