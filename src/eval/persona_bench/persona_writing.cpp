#include "eval/persona_bench/persona_writing.hpp"

#include <algorithm>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "eval/persona_bench/answering.hpp"
#include "eval/persona_bench/bench_data.hpp"
#include "eval/persona_bench/diversity.hpp"
#include "eval/persona_bench/generator.hpp"
#include "eval/persona_bench/trial_line.hpp"
#include "files/text_file.hpp"
#include "llm/structured.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr std::string_view kWritingName = "personas";
constexpr int kLongestPhrase = 120;
constexpr std::size_t kReasonsShown = 50;
constexpr std::size_t kLongestReason = 400;

bool is_open(std::string_view attribute) {
  return std::ranges::find(kOpenAttributes, attribute) != kOpenAttributes.end();
}

core::Verdict make_fault(const Result<core::Reply>& reply) {
  if (reply) return core::make_refusal(reply->text);
  return reply.error().kind == ErrorKind::Refused ? core::make_refusal(reply.error().message)
                                                  : core::make_failure(reply.error());
}

// Puts the phrases into the persona; false if one is missing, or no phrase.
bool add_phrases(const std::string& text, Persona& persona) {
  const Result<Json> value = llm::find_json(text);
  if (!value) return false;
  for (const std::string_view name : kOpenAttributes) {
    const std::string phrase(trim(find_text(*value, name).value_or("")));
    if (phrase.empty() || phrase.find('\n') != std::string::npos) return false;
    persona.attributes.emplace_back(name, phrase);
  }
  sort_attributes(persona);
  return true;
}

}  // namespace

Json to_json(const WritingPlan& plan) {
  return {{"evaluation", kWritingName},
          {"folder", plan.folder},
          {"data_sha256", plan.data_sha256},
          {"personas_to", plan.personas_to},
          {"model", plan.model},
          {"judge", plan.judge},
          {"count", plan.count},
          {"seed", plan.seed},
          {"temperature", plan.temperature},
          {"max_tokens", plan.max_tokens}};
}

Result<WritingPlan> parse_writing_plan(const Json& value) {
  WritingPlan plan;
  const auto model = find_text(value, "model");
  const auto judge = find_text(value, "judge");
  const auto count = find_integer(value, "count");
  const Json* seed = find_member(value, "seed");
  if (find_text(value, "evaluation") != kWritingName || !model || !judge || !count || !seed ||
      !seed->is_number_unsigned())
    return fail(ErrorKind::Invalid, "the stored plan does not write personas");
  plan.folder = find_text(value, "folder").value_or("");
  plan.data_sha256 = find_text(value, "data_sha256").value_or("");
  plan.personas_to = find_text(value, "personas_to").value_or("");
  plan.model = *model;
  plan.judge = *judge;
  plan.count = *count;
  plan.seed = seed->get<std::uint64_t>();
  plan.temperature = find_number(value, "temperature").value_or(plan.temperature);
  plan.max_tokens = find_integer(value, "max_tokens").value_or(plan.max_tokens);
  return plan;
}

Result<WritingData> load_writing_data(const WritingPlan& plan) {
  WritingData data;
  ASSIGN_OR_RETURN(const Generator generator, Generator::load(plan.folder));
  ASSIGN_OR_RETURN(auto population,
                   generator.draw(static_cast<std::size_t>(plan.count), plan.seed));
  data.drawn = std::move(population.personas);
  data.possible = generator.possible_values();
  std::erase_if(data.possible, [](const auto& entry) { return is_open(entry.first); });
  ASSIGN_OR_RETURN(data.prompt,
                   load_answer_prompt(plan.folder + "/prompts/write-open-attributes.md"));
  ASSIGN_OR_RETURN(data.rubric, judge::load_rubric(plan.folder + "/rubrics/consistency.yaml"));
  Sha256 hash;
  for (Persona& persona : data.drawn) {
    std::erase_if(persona.attributes, [](const auto& entry) { return is_open(entry.first); });
    hash.update(render_line(persona));
  }
  hash.update(data.prompt.text);
  hash.update(data.rubric.sha256);
  data.sha256 = render_hex(hash.digest());
  if (!plan.data_sha256.empty() && plan.data_sha256 != data.sha256)
    return fail(ErrorKind::Invalid,
                "tables, prompt or rubric have changed since the run was started; start a new run");
  return data;
}

PersonaWriting::PersonaWriting(WritingPlan plan, WritingData data)
    : plan_(std::move(plan)), data_(std::move(data)), written_(data_.drawn.size()) {}

Result<std::unique_ptr<PersonaWriting>> PersonaWriting::create(WritingPlan plan,
                                                               const FindModel& find_model) {
  ASSIGN_OR_RETURN(WritingData data, load_writing_data(plan));
  // The constructor is private, so make_unique cannot reach it.
  std::unique_ptr<PersonaWriting> writing(new PersonaWriting(std::move(plan), std::move(data)));
  ASSIGN_OR_RETURN(writing->model_, find_model(writing->plan_.model));
  ASSIGN_OR_RETURN(llm::Model * judge, find_model(writing->plan_.judge));
  ASSIGN_OR_RETURN(writing->judge_,
                   judge::Judge::create(*judge, writing->data_.rubric, judge::JudgeOptions{}));
  return writing;
}

std::string PersonaWriting::render_request(const Persona& drawn) const {
  judge::Fields fields;
  fields["persona"] = render_persona(drawn);
  for (const std::string_view name : kOpenAttributes)
    fields["attributes"] += fmt::format("{}- {}", fields["attributes"].empty() ? "" : "\n", name);
  return judge::render_prompt(data_.prompt, fields);
}

Task<void> PersonaWriting::work(ItemContext& context, std::int64_t piece) {
  const auto place = static_cast<std::size_t>(piece);
  Result<Written> written = co_await write(context, data_.drawn[place]);
  if (!written) co_return;
  ItemRecord record = make_item(piece, data_.drawn[place].id, written->verdict);
  record.document = {{"persona", render_persona(written->persona)},
                     {"verdict", core::to_json(written->verdict)}};
  context.record(std::move(record));
  written_[place] = std::move(*written);
}

Task<Result<PersonaWriting::Written>> PersonaWriting::write(ItemContext& context,
                                                            const Persona& drawn) const {
  Written written;
  written.persona = drawn;
  core::Request request;
  request.messages.push_back({core::Role::User, render_request(drawn)});
  request.sampling.temperature = plan_.temperature;
  request.sampling.max_tokens = plan_.max_tokens;
  const std::vector<std::string> members(kOpenAttributes.begin(), kOpenAttributes.end());
  request.output =
      core::OutputSchema{"attributes", make_text_schema(members, *model_, kLongestPhrase)};
  llm::Draw draw;
  draw.item = drawn.id;
  draw.role = llm::kModelRole;
  const Result<core::Reply> reply =
      co_await llm::ask_structured(context.chain, *model_, std::move(request), std::move(draw));
  if (!reply && core::is_unfinished(reply.error())) co_return std::unexpected(reply.error());
  if (!reply || core::is_refusal(*reply)) {
    written.verdict = make_fault(reply);
    co_return written;
  }
  if (!add_phrases(reply->text, written.persona)) {
    Error fault{ErrorKind::Unparsable, "the model left an attribute out"};
    written.verdict = core::make_failure(std::move(fault), reply->text);
    co_return written;
  }
  judge::Fields fields;
  fields["answer"] = render_persona(written.persona);
  const std::string id = drawn.id + "/consistency";
  Result<judge::Judgement> judgement = co_await judge_->judge(context.chain, id, fields);
  if (!judgement) co_return std::unexpected(judgement.error());
  written.verdict = std::move(judgement->verdict);
  co_return written;
}

Result<Json> PersonaWriting::finish() {
  std::vector<Persona> kept;
  Json contradictions = Json::array();
  std::size_t dropped = 0;
  std::size_t refused = 0;
  std::size_t failed = 0;
  for (std::optional<Written>& one : written_) {
    if (!one) return fail(ErrorKind::Internal, "a persona has no outcome");
    const core::Verdict& verdict = one->verdict;
    if (!core::is_scored(verdict)) {
      ++(verdict.kind == core::VerdictKind::Refused ? refused : failed);
    } else if (verdict.score >= 0.5) {
      kept.push_back(std::move(one->persona));
    } else {
      ++dropped;
      if (contradictions.size() < kReasonsShown)
        contradictions.push_back(
            {{"persona", one->persona.id}, {"why", shorten(verdict.text, kLongestReason)}});
    }
  }
  if (!plan_.personas_to.empty()) {
    ASSIGN_OR_RETURN(auto file, files::NewFile::create(plan_.personas_to));
    for (const Persona& persona : kept) RETURN_IF_ERROR(file.write(render_line(persona)));
    RETURN_IF_ERROR(file.commit());
  }
  Json found = to_json(measure_diversity(kept, data_.possible));
  found["evaluation"] = "bench/personas";
  found["model"] = plan_.model;
  found["judge"] = plan_.judge;
  found["notes"] = Json::array();
  found["asked"] = written_.size();
  found["kept"] = kept.size();
  found["dropped"] = dropped;
  found["refused"] = refused;
  found["failed"] = failed;
  found["contradictions"] = std::move(contradictions);
  found["seed"] = plan_.seed;
  found["output"] = plan_.personas_to;
  return found;
}

std::vector<Forecast> PersonaWriting::forecast() const {
  constexpr std::int64_t kRubricTokens = 500;
  constexpr std::int64_t kPhraseTokens = 100;
  std::int64_t asked = 0;
  std::int64_t judged = 0;
  for (const Persona& persona : data_.drawn) {
    asked += tokens_of(render_request(persona).size());
    judged += tokens_of(render_persona(persona).size()) + kRubricTokens + kPhraseTokens;
  }
  return {
      {plan_.model, "open attributes", items(), asked, items() * plan_.max_tokens},
      {plan_.judge, "consistency", items(), judged, items() * judge::JudgeOptions{}.max_tokens}};
}

}  // namespace personascope::eval::persona_bench
