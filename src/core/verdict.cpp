#include "core/verdict.hpp"

#include <array>

namespace personascope::core {
namespace {

constexpr std::array kKinds{VerdictKind::Score, VerdictKind::CannotAssess, VerdictKind::Refused,
                            VerdictKind::Failed};

Json to_json(const ScoreDistribution& distribution) {
  Json shares = Json::array();
  for (const ScoreShare& share : distribution.shares)
    shares.push_back({{"score", share.score}, {"probability", share.probability}});
  return {{"shares", std::move(shares)},
          {"captured_mass", distribution.captured_mass},
          {"standard_deviation", distribution.standard_deviation},
          {"low_mass", distribution.low_mass}};
}

Result<ScoreDistribution> parse_distribution(const Json& value) {
  const Json* shares = find_member(value, "shares");
  const auto mass = find_number(value, "captured_mass");
  const auto deviation = find_number(value, "standard_deviation");
  const Json* low = find_member(value, "low_mass");
  if (!shares || !shares->is_array() || !mass || !deviation || !low || !low->is_boolean())
    return fail(ErrorKind::Unparsable, "a verdict's distribution is incomplete");
  ScoreDistribution distribution{{}, *mass, *deviation, low->get<bool>()};
  for (const Json& entry : *shares) {
    const auto score = find_number(entry, "score");
    const auto probability = find_number(entry, "probability");
    if (!score || !probability)
      return fail(ErrorKind::Unparsable, "a verdict's distribution is incomplete");
    distribution.shares.push_back({*score, *probability});
  }
  return distribution;
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

Result<Verdict> parse_verdict(const Json& value) {
  const std::string name = find_text(value, "verdict").value_or("");
  Verdict verdict;
  bool known = false;
  for (const VerdictKind kind : kKinds) {
    if (name_of(kind) != name) continue;
    verdict.kind = kind;
    known = true;
  }
  if (!known) return fail(ErrorKind::Unparsable, "this is not a verdict");
  verdict.text = find_text(value, "text").value_or("");
  if (is_scored(verdict)) {
    const auto score = find_number(value, "score");
    if (!score) return fail(ErrorKind::Unparsable, "a verdict of kind score has no score");
    verdict.score = *score;
  }
  if (const Json* distribution = find_member(value, "distribution")) {
    ASSIGN_OR_RETURN(verdict.distribution, parse_distribution(*distribution));
  }
  if (const Json* declines = find_member(value, "answer_declines"))
    verdict.answer_declines = declines->is_boolean() && declines->get<bool>();
  if (const Json* error = find_member(value, "error"))
    verdict.fault = {error_kind_named(find_text(*error, "kind").value_or("")),
                     find_text(*error, "message").value_or("")};
  return verdict;
}

}  // namespace personascope::core
