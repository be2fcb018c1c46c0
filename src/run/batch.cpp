#include "run/batch.hpp"

#include "base/secret.hpp"
#include "base/text.hpp"
#include "files/line_reader.hpp"
#include "llm/structured.hpp"
#include "run/ordered_lines.hpp"
#include "run/output.hpp"
#include "run/run_id.hpp"
#include "run/session.hpp"

namespace personascope::run {
namespace {

core::ItemRecord make_item(std::int64_t position, std::string id,
                           const Result<core::Reply>& reply) {
  core::ItemRecord item;
  item.position = position;
  item.id = std::move(id);
  item.outcome = core::outcome_of(reply);
  if (!reply) item.error = reply.error();
  item.document = {{"answer", nullptr}, {"finish", nullptr}};
  if (reply) item.document = {{"answer", reply->text}, {"finish", core::name_of(reply->finish)}};
  return item;
}

// Hands out the lines of the input one by one and takes the answers in.
class Batch {
 public:
  Batch(Session& session, llm::Model& model, files::LineReader reader, Output& answers)
      : session_(session),
        model_(model),
        reader_(std::move(reader)),
        lines_([&answers](std::string_view text) { return answers.write(text); }) {}

  Result<std::optional<Session::Work>> next() {
    ASSIGN_OR_RETURN(const auto text, reader_.next());
    if (!text) return std::optional<Session::Work>{};
    auto parsed = parse_batch_line(*text);
    if (!parsed)
      return fail(ErrorKind::Invalid, "line {} of the input has changed: {}", reader_.line_number(),
                  parsed.error().message);
    BatchLine line = std::move(*parsed);
    const std::int64_t index = next_index_++;
    return std::optional<Session::Work>(
        [this, index, line = std::move(line)]() mutable { return answer(index, std::move(line)); });
  }

  bool may_begin() const { return !lines_.is_full(); }

 private:
  Task<void> answer(std::int64_t index, BatchLine line) {
    llm::Draw draw;
    draw.item = line.id;
    draw.role = line.role;
    const Result<core::Reply> reply = co_await llm::ask_structured(
        session_.chain(), model_, std::move(line.request), std::move(draw));
    if (!reply && core::is_unfinished(reply.error())) co_return;
    const auto written = lines_.put(index, render_answer_line(line.id_json, reply));
    if (!written) session_.stop().request(written.error());
    session_.record(make_item(index, std::move(line.id), reply));
  }

  Session& session_;
  llm::Model& model_;
  files::LineReader reader_;
  OrderedLines lines_;
  std::int64_t next_index_ = 0;
};

Result<RunSummary> carry_out(const RunEnvironment& environment, const store::RunRecord& run,
                             const BatchPlan& plan, std::unique_ptr<ModelSet> models) {
  ASSIGN_OR_RETURN(const RoleRules rules, load_role_rules(environment.store, run.plan));
  ASSIGN_OR_RETURN(auto session, Session::create(environment, run, plan.engine, rules,
                                                 std::move(models), ItemIds::Plain));
  ASSIGN_OR_RETURN(llm::Model * model, session->add_model(plan.model, plan.base_url));
  ASSIGN_OR_RETURN(auto answers, Output::create(plan.output, "answers", environment));
  ASSIGN_OR_RETURN(auto reader, files::LineReader::open(plan.input.path));

  Batch batch(*session, *model, std::move(reader), answers);
  session->carry_out([&batch] { return batch.next(); }, [&batch] { return batch.may_begin(); });
  return session->conclude([&](Findings&) { return answers.commit(); });
}

}  // namespace

Json to_json(const BatchPlan& plan) {
  Json value = to_json(plan.input);
  value["output"] = plan.output;
  value["model"] = plan.model;
  value["engine"] = to_json(plan.engine);
  if (plan.base_url) value["base_url"] = without_credentials(*plan.base_url);
  if (plan.rescores) value["rescores"] = *plan.rescores;
  return value;
}

Result<BatchPlan> parse_batch_plan(const Json& value) {
  auto input = find_input_file(value);
  const auto output = find_text(value, "output");
  const auto model = find_text(value, "model");
  if (!input || !output || !model)
    return fail(ErrorKind::Invalid, "the stored plan is not a batch's");
  BatchPlan plan{.input = std::move(*input),
                 .output = *output,
                 .model = *model,
                 .base_url = find_text(value, "base_url"),
                 .engine = {},
                 .rescores = find_integer(value, "rescores")};
  ASSIGN_OR_RETURN(plan.engine, parse_stored_engine(value));
  return plan;
}

Result<store::RunRecord> create_batch_run(store::Store& store, const BatchPlan& plan,
                                          std::string_view version, const ModelSet* models) {
  return create_run(store, "batch", to_json(plan), plan.input.lines, version, models);
}

Result<std::unique_ptr<ModelSet>> check_batch_plan(const RunEnvironment& environment,
                                                   const BatchPlan& plan) {
  auto models = std::make_unique<ModelSet>(environment, plan.engine);
  RETURN_IF_ERROR(models->add(plan.model, plan.base_url));
  RETURN_IF_ERROR(Output::create(plan.output, "answers", environment));
  return models;
}

Run start_batch_run(const RunEnvironment& environment, store::RunRecord run, BatchPlan plan,
                    std::unique_ptr<ModelSet> models) {
  const std::int64_t id = run.id;
  return start_run(id, environment,
                   [run = std::move(run), plan = std::move(plan),
                    models = std::move(models)](const RunEnvironment& own) mutable {
                     return carry_out(own, run, plan, std::move(models));
                   });
}

}  // namespace personascope::run
