#include "report/estimate_json.hpp"
#include "report/item_statistics.hpp"

namespace personascope::report {
namespace {

Json item_to_json(const ItemStatistics& item) {
  Json flags = Json::array();
  for (const ItemFlag flag : item.flags) flags.push_back(std::string(code_of(flag)));
  return {{"id", item.id},
          {"cluster", item.cluster},
          {"label", item.label},
          {"models", item.models},
          {"mean", to_json_or_null(item.mean)},
          {"spread", to_json_or_null(item.spread)},
          {"item_rest", to_json_or_null(item.item_rest)},
          {"judge_gap", to_json_or_null(item.judge_gap)},
          {"flags", flags}};
}

Json value_to_json(const stats::Generalizability& value) {
  return {{"coefficient", value.coefficient}, {"standard_error", value.standard_error}};
}

Json reliability_to_json(const Result<Reliability>& reliability) {
  if (!reliability) return {{"undefined", reliability.error().message}};
  const stats::RankingComponents& found = reliability->components;
  Json twice = Json::object();
  for (const LargerTest& test : reliability->twice) twice[test.more] = value_to_json(test.value);
  Json json = value_to_json(reliability->now);
  json["components"] = {{"model", found.model},
                        {"model_by_persona", found.model_by_persona},
                        {"model_by_question", found.model_by_question},
                        {"draw", to_json_or_null(found.draw)},
                        {"model_by_judge", to_json_or_null(found.model_by_judge)}};
  json["size"] = {{"models", found.models},
                  {"personas", found.personas},
                  {"questions_per_persona", found.questions_per_persona},
                  {"draws_per_question", found.draws_per_question},
                  {"judges", found.judges}};
  json["twice"] = twice;
  return json;
}

}  // namespace

Json to_json(const ItemReport& report) {
  Json items = Json::array();
  for (const ItemStatistics& item : report.items) items.push_back(item_to_json(item));
  return {{"evaluation", report.evaluation},
          {"score", report.score.empty() ? Json(nullptr) : Json(report.score)},
          {"scale", report.scale ? to_json(*report.scale) : Json(nullptr)},
          {"models", report.models},
          {"judges", report.judges},
          {"flagged", report.flagged},
          {"reliability", reliability_to_json(report.reliability)},
          {"items", items}};
}

Result<void> write_item_statistics(const ItemReport& report, RowFormat format, WriteText write) {
  const auto writer = make_row_writer(
      format,
      {"id", "cluster", "label", "models", "mean", "spread", "item_rest", "judge_gap", "flags"},
      std::move(write));
  for (const ItemStatistics& item : report.items)
    RETURN_IF_ERROR(writer->write(item_to_json(item)));
  return writer->finish();
}

}  // namespace personascope::report
