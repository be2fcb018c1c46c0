#include "core/verdict.hpp"

namespace personascope::core {
namespace {

Json to_json(const ScoreDistribution& distribution) {
  Json shares = Json::array();
  for (const ScoreShare& share : distribution.shares)
    shares.push_back({{"score", share.score}, {"probability", share.probability}});
  return {{"shares", std::move(shares)},
          {"captured_mass", distribution.captured_mass},
          {"standard_deviation", distribution.standard_deviation},
          {"low_mass", distribution.low_mass}};
}

}  // namespace

std::string_view name_of(VerdictKind kind) {
  switch (kind) {
    case VerdictKind::Score:
      return "score";
    case VerdictKind::CannotAssess:
      return "cannot_assess";
    case VerdictKind::Refused:
      return "refused";
    case VerdictKind::Failed:
      return "failed";
  }
  return "failed";
}

Outcome outcome_of(const Verdict& verdict) {
  switch (verdict.kind) {
    case VerdictKind::Score:
      return Outcome::Scored;
    case VerdictKind::CannotAssess:
      return Outcome::Abstained;
    case VerdictKind::Refused:
      return Outcome::Refused;
    case VerdictKind::Failed:
      break;
  }
  return Outcome::Failed;
}

Verdict make_score(double score, std::string text) {
  Verdict verdict;
  verdict.kind = VerdictKind::Score;
  verdict.score = score;
  verdict.text = std::move(text);
  return verdict;
}

Verdict make_abstention(std::string text) {
  Verdict verdict;
  verdict.kind = VerdictKind::CannotAssess;
  verdict.text = std::move(text);
  return verdict;
}

Verdict make_refusal(std::string text) {
  Verdict verdict;
  verdict.kind = VerdictKind::Refused;
  verdict.text = std::move(text);
  return verdict;
}

Verdict make_declined(std::string text) {
  Verdict verdict = make_refusal(std::move(text));
  verdict.answer_declines = true;
  return verdict;
}

Verdict make_failure(Error fault, std::string text) {
  Verdict verdict;
  verdict.fault = std::move(fault);
  verdict.text = std::move(text);
  return verdict;
}

Json to_json(const Verdict& verdict) {
  Json value = {{"verdict", name_of(verdict.kind)}, {"text", verdict.text}};
  if (is_scored(verdict)) value["score"] = verdict.score;
  if (verdict.distribution) value["distribution"] = to_json(*verdict.distribution);
  if (verdict.answer_declines) value["answer_declines"] = true;
  if (verdict.kind == VerdictKind::Failed)
    value["error"] = {{"kind", name_of(verdict.fault.kind)}, {"message", verdict.fault.message}};
  return value;
}

}  // namespace personascope::core
