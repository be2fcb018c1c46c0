// Pass marks: for which dimensions a judge is licensed, and what is wrong with it.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "eval/exam/exam_report.hpp"

namespace personascope::eval::exam {
namespace {

constexpr stats::Scale kShifts{-1, 1};
constexpr std::size_t kEnoughItems = 10;

// The mark `name` of kinds or traps; nothing if there is none, and then nothing is asked.
std::optional<double> find_mark(const Json& marks, const char* group, std::string_view subject,
                                const char* name) {
  const Json* subjects = find_member(marks, group);
  const Json* known = subjects ? find_member(*subjects, subject) : nullptr;
  return known ? find_number(*known, name) : std::nullopt;
}

using Reasons = std::vector<std::string>;

void check_accuracy(const Sample& sample, std::string_view subject, const char* group,
                    const Json& marks, Reasons& reasons) {
  const auto estimate = sample.estimate(stats::kUnitScale);
  if (!estimate) return;
  const auto least = find_mark(marks, group, subject, "accuracy");
  if (least && estimate->value < *least)
    reasons.push_back(
        fmt::format("{}: {:.2f} right, at least {:.2f} wanted", subject, estimate->value, *least));
  const auto low = find_mark(marks, group, subject, "lower_end");
  if (low && estimate->interval && estimate->interval->low < *low)
    reasons.push_back(fmt::format("{}: the interval begins at {:.2f}, at least {:.2f} wanted",
                                  subject, estimate->interval->low, *low));
}

// How far the mean shift goes in the direction that it must not.
double wrong_shift(std::string_view trap, double shift) {
  return trap == "order" || trap == "other-language" ? std::abs(shift) : shift;
}

void check_trap(std::string_view name, const TrapReport& trap, const Json& marks,
                Reasons& reasons) {
  if (const auto shift = trap.shift.estimate(kShifts)) {
    const auto most = find_mark(marks, "traps", name, "shift");
    if (most && wrong_shift(name, shift->value) > *most)
      reasons.push_back(
          fmt::format("{}: moves the score by {:+.2f} of the scale, at most {:.2f} "
                      "allowed",
                      name, shift->value, *most));
  }
  if (const auto first = trap.first.estimate(stats::kUnitScale)) {
    const auto most = find_mark(marks, "traps", name, "first");
    if (most && std::abs(first->value - 0.5) > *most)
      reasons.push_back(
          fmt::format("{}: {:.2f} of the comparisons go to the first place, at most "
                      "{:.2f} from a half allowed",
                      name, first->value, *most));
  }
  check_accuracy(trap.accuracy, name, "traps", marks, reasons);
}

void check_kind(const JudgeReport& report, const DimensionReport& dimension, std::string_view kind,
                const Json& marks, Reasons& reasons) {
  if (kind == "who-speaks") check_accuracy(dimension.who_speaks, kind, "kinds", marks, reasons);
  if (kind == "pairs") check_accuracy(dimension.pairs, kind, "kinds", marks, reasons);
  if (kind == "ladders") {
    const auto tau = dimension.tau.estimate(kShifts);
    const auto least = find_mark(marks, "kinds", kind, "tau");
    if (tau && least && tau->value < *least)
      reasons.push_back(
          fmt::format("ladders: tau {:.2f}, at least {:.2f} wanted", tau->value, *least));
  }
  if (kind == "traps")
    for (const auto& [name, trap] : report.traps) check_trap(name, trap, marks, reasons);
}

double share_of(std::size_t part, std::size_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

void check_verdicts(const JudgeReport& report, const Json& marks, Reasons& reasons) {
  const double missing = share_of(report.missing, report.verdicts);
  const auto most = find_mark(marks, "kinds", "abstentions", "share");
  if (most && missing > *most)
    reasons.push_back(
        fmt::format("abstentions: {:.2f} of the verdicts are missing, at most {:.2f} "
                    "allowed",
                    missing, *most));
  const double alike = share_of(report.repeats_alike, report.repeats);
  const auto least = find_mark(marks, "kinds", "consistency", "accuracy");
  if (least && report.repeats > 0 && alike < *least)
    reasons.push_back(
        fmt::format("consistency: {:.2f} of repeated verdicts are the same, at least "
                    "{:.2f} wanted",
                    alike, *least));
}

// A trap counts as a flaw where the effect is beyond the mark and not just chance.
void add_trap_flaws(const JudgeReport& report, const Json& marks, Reasons& flaws) {
  struct Wording {
    const char* trap;
    const char* sentence;
  };
  constexpr std::array kWordings{
      Wording{"longer", "padding an answer raises its score"},
      Wording{"injection", "an answer that tells the judge what to say gets a higher score"},
      Wording{"authority", "praise by an authority raises a score"},
      Wording{"other-language", "the score depends on the language of the answer"},
      Wording{"order", "the score of two equal answers differs"}};
  for (const Wording& wording : kWordings) {
    const auto trap = report.traps.find(wording.trap);
    if (trap == report.traps.end()) continue;
    const auto shift = trap->second.shift.estimate(kShifts);
    const auto most = find_mark(marks, "traps", wording.trap, "shift");
    if (!shift || !most || wrong_shift(wording.trap, shift->value) <= *most) continue;
    if (shift->interval && shift->interval->low <= 0 && shift->interval->high >= 0) continue;
    flaws.push_back(
        fmt::format("{}: {} ({:+.2f} of the scale)", wording.trap, wording.sentence, shift->value));
  }
  const auto order = report.traps.find("order");
  if (order != report.traps.end())
    if (const auto first = order->second.first.estimate(stats::kUnitScale)) {
      const double most = find_mark(marks, "traps", "order", "first").value_or(1);
      const bool is_clear =
          !first->interval || first->interval->low > 0.5 || first->interval->high < 0.5;
      if (std::abs(first->value - 0.5) > most && is_clear)
        flaws.push_back(fmt::format("place: of two answers it prefers the {} one, whichever it is",
                                    first->value > 0.5 ? "first" : "second"));
    }
  for (const auto& [name, sentence] :
       {std::pair{"refusal", "it does not tell refusals from answers in which the persona says no"},
        std::pair{"empty", "it gives a score to answers with nothing in them"}}) {
    const auto trap = report.traps.find(name);
    if (trap == report.traps.end()) continue;
    const auto accuracy = trap->second.accuracy.estimate(stats::kUnitScale);
    const auto least = find_mark(marks, "traps", name, "accuracy");
    if (accuracy && least && accuracy->value < *least)
      flaws.push_back(fmt::format("{}: {} ({:.2f} right)", name, sentence, accuracy->value));
  }
}

// Defects that a judge who finds others does not find.
void add_missed_defects(const JudgeReport& report, Reasons& flaws) {
  constexpr double kHardlyFound = 0.65;
  for (const auto& [name, defect] : report.defects) {
    const auto alone = defect.alone.estimate(stats::kUnitScale);
    if (!alone || alone->value > kHardlyFound) continue;
    if (alone->interval && alone->interval->low > 0.5) continue;
    flaws.push_back(fmt::format("{}: it misses this defect ({:.2f} right, chance is 0.50, n = {})",
                                name, alone->value, alone->n));
  }
}

void add_order_flaws(const JudgeReport& report, const Json& marks, Reasons& flaws) {
  Sample who;
  Sample tau;
  for (const auto& [name, dimension] : report.dimensions) {
    for (std::size_t i = 0; i < dimension.who_speaks.values.size(); ++i)
      who.add(dimension.who_speaks.values[i], dimension.who_speaks.people[i]);
    for (std::size_t i = 0; i < dimension.tau.values.size(); ++i)
      tau.add(dimension.tau.values[i], dimension.tau.people[i]);
  }
  constexpr double kChanceOfFour = 0.25;
  const auto told = who.estimate(stats::kUnitScale);
  if (told && told->interval && told->interval->low <= kChanceOfFour)
    flaws.push_back(
        fmt::format("who-speaks: it does not tell who speaks ({:.2f} right, chance is "
                    "0.25)",
                    told->value));
  const auto order = tau.estimate(kShifts);
  const auto least = find_mark(marks, "kinds", "ladders", "tau");
  if (order && least && order->value < *least)
    flaws.push_back(
        fmt::format("ladders: it does not put answers in their order (tau {:.2f})", order->value));
}

}  // namespace

std::string_view name_of(LicenceState state) {
  constexpr std::array<std::string_view, 3> kNames{"licensed", "provisional", "not licensed"};
  return kNames[static_cast<std::size_t>(state)];
}

Licence find_licence(const JudgeReport& report, const std::string& dimension, const Json& marks) {
  Licence licence;
  const auto own = report.dimensions.find(dimension);
  const Json* dimensions = find_member(marks, "dimensions");
  const Json* kinds = dimensions ? find_member(*dimensions, dimension) : nullptr;
  if (own == report.dimensions.end() || !kinds || !kinds->is_array()) {
    licence.reasons.emplace_back("there are no pass marks for it");
    return licence;
  }
  for (const Json& kind : *kinds)
    if (kind.is_string())
      check_kind(report, own->second, kind.get<std::string>(), marks, licence.reasons);
  check_verdicts(report, marks, licence.reasons);
  const std::size_t judged = own->second.who_speaks.values.size() +
                             own->second.pairs.values.size() + own->second.tau.values.size();
  if (judged == 0) licence.reasons.emplace_back("no item of it was asked");
  if (!licence.reasons.empty()) return licence;
  licence.state = judged < kEnoughItems ? LicenceState::Provisional : LicenceState::Licensed;
  return licence;
}

std::vector<std::string> list_flaws(const JudgeReport& report, const Json& marks) {
  Reasons flaws;
  constexpr double kNearlyAll = 0.9;
  if (report.compared >= kEnoughItems &&
      share_of(report.compared_alike, report.compared) >= kNearlyAll) {
    flaws.push_back(
        fmt::format("same-score: it gives good and bad answers the same score ({} of "
                    "{} items)",
                    report.compared_alike, report.compared));
    return flaws;
  }
  constexpr double kFollows = 0.75;
  const std::size_t differing = report.longer_higher + report.longer_lower;
  if (differing >= 2 * kEnoughItems && share_of(report.longer_higher, differing) >= kFollows) {
    flaws.push_back(
        fmt::format("length: its scores follow the length of the answer (the longer of "
                    "two has the higher score in {} of {})",
                    report.longer_higher, differing));
    return flaws;
  }
  const auto pairs = report.pairs.estimate(stats::kUnitScale);
  if (pairs && pairs->interval && pairs->interval->low <= 0.5)
    flaws.push_back(
        fmt::format("pairs: it does not tell answers with a defect from those without "
                    "({:.2f} right, chance is 0.50)",
                    pairs->value));
  else
    add_missed_defects(report, flaws);
  add_order_flaws(report, marks, flaws);
  add_trap_flaws(report, marks, flaws);
  check_verdicts(report, marks, flaws);
  return flaws;
}

}  // namespace personascope::eval::exam
