#include "eval/personagym/side_scores.hpp"

#include <algorithm>

namespace personascope::eval::personagym {

// A text that is cleared keeps its room, so the verdict is made anew.
core::Verdict without_text(const core::Verdict& verdict) {
  core::Verdict kept;
  kept.kind = verdict.kind;
  kept.score = verdict.score;
  kept.distribution = verdict.distribution;
  kept.fault = verdict.fault;
  return kept;
}

judge::Tally::Item make_tally_item(std::string cluster, std::string model,
                                   const core::Verdict& verdict,
                                   const std::vector<judge::Judgement>& judgements) {
  judge::Tally::Item item;
  item.cluster = std::move(cluster);
  item.model = std::move(model);
  item.verdict = without_text(verdict);
  for (std::size_t place = 0; place < judgements.size(); ++place) {
    const judge::Judgement& judgement = judgements[place];
    item.judgements.emplace_back(place, judge::Judgement{.judge = judgement.judge,
                                                         .verdict = without_text(judgement.verdict),
                                                         .readings = {},
                                                         .order_gap = judgement.order_gap});
  }
  return item;
}

Json describe_tally(const judge::Tally& tally) {
  const Json summary = tally.summarize();
  const Json& score = summary["score"];
  const Json& counts = score["counts"];
  const Json* mean = find_member(score, "mean");
  Json value = {{"mean", mean ? (*mean)["value"] : Json(nullptr)},
                {"ci95", mean ? (*mean)["interval"] : Json(nullptr)},
                {"n", counts["scored"]},
                {"outcomes", counts},
                {"bounds", score["bounds"]},
                {"judges", summary["judges"]}};
  if (mean) value["method"] = (*mean)["method"];
  if (mean) value["caveats"] = (*mean)["caveats"];
  if (!mean) value["why_no_mean"] = score["why_no_mean"];
  if (const Json* panel = find_member(summary, "panel")) value["panel"] = *panel;
  return value;
}

void SideScores::take(const std::string& name, const judge::Rubric& rubric, std::int64_t position,
                      judge::Tally::Item item) {
  auto group = std::ranges::find(groups_, name, &Group::name);
  if (group == groups_.end()) group = groups_.insert(groups_.end(), Group{name, &rubric, {}});
  group->items.insert_or_assign(position, std::move(item));
}

Json SideScores::summarize() const {
  std::vector<const Group*> ordered;
  for (const Group& group : groups_) ordered.push_back(&group);
  std::ranges::sort(ordered, {}, [](const Group* group) { return group->name; });
  Json list = Json::array();
  for (const Group* group : ordered) {
    judge::Tally tally(*group->rubric, judges_, rule_);
    for (const auto& [position, item] : group->items) tally.add(item);
    Json value = describe_tally(tally);
    value["name"] = group->name;
    value["scale"] = {group->rubric->scale.low(), group->rubric->scale.high()};
    list.push_back(std::move(value));
  }
  return list;
}

}  // namespace personascope::eval::personagym
