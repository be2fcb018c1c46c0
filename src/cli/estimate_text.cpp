#include "cli/estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "cli/option_flags.hpp"
#include "cli/table.hpp"
#include "cli/terminal.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

int digits_for(double number) {
  if (std::abs(number) >= 1000) return 0;
  return std::abs(number) >= 100 ? 1 : 3;
}

std::string without_minus_zero(std::string text) {
  const bool is_zero = text.find_first_not_of("-+0.") == std::string::npos;
  if (is_zero && text.starts_with('-')) text.erase(0, 1);
  return text;
}

// "a; b; c and 16 more: ".
std::string render_subjects(const std::vector<std::string>& subjects) {
  constexpr std::size_t kMostNamed = 3;
  std::vector<std::string> named;
  for (const std::string& subject : subjects)
    if (named.size() < kMostNamed) named.push_back(printable(subject));
  if (named.empty()) return "";
  const std::size_t more = subjects.size() - named.size();
  return join(named, "; ") + (more > 0 ? fmt::format(" and {} more", more) : "") + ": ";
}

}  // namespace

std::string render_number(double number) {
  const double size = std::abs(number);
  // What three decimals cannot show; below, it is the noise of computing.
  if (size >= 1e9 || (size < 0.0005 && size > 1e-9)) return fmt::format("{:.3g}", number);
  return without_minus_zero(fmt::format("{:.{}f}", number, digits_for(number)));
}

std::string render_signed(double number) {
  const std::string text = render_number(number);
  return text.starts_with('-') ? text : "+" + text;
}

std::string render_p(const std::optional<double>& p_value) {
  if (!p_value) return "-";
  return *p_value < 0.001 ? "<0.001" : fmt::format("{:.3f}", *p_value);
}

std::string render_interval(const std::optional<app::ScoreInterval>& interval) {
  if (!interval) return "-";
  return render_number(interval->low) + " to " + render_number(interval->high);
}

std::string render_signed_interval(const std::optional<app::ScoreInterval>& interval) {
  if (!interval) return "-";
  return render_signed(interval->low) + " to " + render_signed(interval->high);
}

std::string interval_title(double confidence) {
  return fmt::format("{:.10g} % interval", 100 * confidence);
}

void Notes::add(std::string sentence) {
  add({}, std::move(sentence));
}

void Notes::add(const std::string& subject, std::string sentence) {
  sentence = name_flags(sentence, {});
  auto note = std::ranges::find(notes_, sentence, &Note::sentence);
  if (note == notes_.end()) note = notes_.insert(note, {std::move(sentence), {}});
  const bool is_new = std::ranges::find(note->subjects, subject) == note->subjects.end();
  if (!subject.empty() && is_new) note->subjects.push_back(subject);
}

void Notes::add_caveats(const std::string& subject, const app::ScoreEstimate& estimate) {
  subjects_.insert(subject);
  for (std::string& sentence : sentences_of(estimate, unit_of(estimate)))
    add(subject, std::move(sentence));
}

void Notes::add_caveats(const std::string& subject, const Json* estimate) {
  const Json* caveats = estimate ? find_member(*estimate, "caveats") : nullptr;
  subjects_.insert(subject);
  if (!caveats) return;
  for (const Json& caveat : *caveats) add(subject, printable(caveat.get<std::string>()));
}

void Notes::add_reason(const std::string& subject, const Error& error) {
  subjects_.insert(subject);
  add(subject, printable(error.message));
}

std::string Notes::render() const {
  constexpr std::size_t kRoomInAPipe = 100;
  const std::size_t room = is_terminal(stdout) ? text_columns(stdout) : kRoomInAPipe;
  std::string text;
  for (const Note& note : notes_) {
    const bool is_for_all = note.subjects.size() > 1 && note.subjects.size() == subjects_.size();
    const std::string about = is_for_all ? "" : render_subjects(note.subjects);
    text += hang("- " + about + note.sentence, room, 2);
  }
  return text.empty() ? text : "\n" + text;
}

std::string render_clusters(std::size_t clusters, const std::optional<std::string>& column) {
  if (!column) return "without clusters";
  return fmt::format("in {} ({})", render_count(clusters, "cluster"),
                     printable(shorten(*column, 60)));
}

}  // namespace personascope::cli
