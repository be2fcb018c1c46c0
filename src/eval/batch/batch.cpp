#include "eval/batch/batch.hpp"

#include "llm/structured.hpp"

namespace personascope::eval::batch {
namespace {

ItemRecord make_record(std::int64_t position, std::string id, const Result<core::Reply>& reply) {
  ItemRecord item;
  item.position = position;
  item.id = std::move(id);
  item.outcome = core::outcome_of(reply);
  if (!reply) item.error = reply.error();
  item.document = {{"answer", nullptr}, {"finish", nullptr}};
  if (reply) item.document = {{"answer", reply->text}, {"finish", core::name_of(reply->finish)}};
  return item;
}

}  // namespace

Result<std::unique_ptr<Batch>> Batch::create(BatchSetup setup, const FindModel& find_model) {
  ASSIGN_OR_RETURN(llm::Model * model, find_model(setup.plan.model));
  // Batch's constructor is private, so make_unique cannot reach it.
  return std::unique_ptr<Batch>(new Batch(std::move(setup), *model));
}

Result<bool> Batch::visit_calls(const VisitCall& visit) const {
  RETURN_IF_ERROR(check_batch_file(plan_.input.path, [&](const BatchLine& line) {
    return visit(model_, line.request, {.item = line.id, .role = line.role});
  }));
  return true;
}

Result<BatchLine> Batch::read(std::int64_t place) {
  ASSIGN_OR_RETURN(const std::string text, input_.read(place));
  auto line = parse_batch_line(text);
  if (!line) return std::unexpected(input_.make_change_error(line.error().message));
  return line;
}

Task<void> Batch::work(ItemContext& context, std::int64_t piece) {
  Result<BatchLine> line = read(piece);
  if (!line) {
    context.stop(std::move(line).error());
    co_return;
  }
  llm::Draw draw;
  draw.item = line->id;
  draw.role = line->role;
  const Result<core::Reply> reply = co_await llm::ask_structured(
      context.chain, model_, std::move(line->request), std::move(draw));
  if (!reply && core::is_unfinished(reply.error())) co_return;
  context.write_line(piece, render_answer_line(line->id_json, reply));
  context.record(make_record(piece, std::move(line->id), reply));
}

}  // namespace personascope::eval::batch
