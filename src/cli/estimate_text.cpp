#include "cli/estimate_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text.hpp"
#include "cli/table.hpp"

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

}  // namespace

std::string render_number(double number) {
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

std::string render_interval(const std::optional<stats::Interval>& interval) {
  if (!interval) return "-";
  return render_number(interval->low) + " to " + render_number(interval->high);
}

std::string render_signed_interval(const std::optional<stats::Interval>& interval) {
  if (!interval) return "-";
  return render_signed(interval->low) + " to " + render_signed(interval->high);
}

void Notes::add(std::string sentence) {
  if (std::ranges::find(sentences_, sentence) == sentences_.end()) {
    sentences_.push_back(std::move(sentence));
  }
}

void Notes::add_caveats(const std::string& subject, const stats::Estimate& estimate) {
  for (const stats::Caveat caveat : estimate.caveats) {
    add(fmt::format("{}: {}", printable(subject), stats::sentence_of(caveat)));
  }
}

void Notes::add_reason(const std::string& subject, const Error& error) {
  add(fmt::format("{}: {}", printable(subject), printable(error.message)));
}

std::string Notes::render() const {
  std::string text;
  for (const std::string& sentence : sentences_) text += "- " + sentence + "\n";
  return text.empty() ? text : "\n" + text;
}

std::string render_clusters(std::size_t clusters, const std::optional<std::string>& column) {
  if (!column) return "each on its own";
  return fmt::format("in {} clusters ({})", render_count(static_cast<long long>(clusters)),
                     printable(shorten(*column, 60)));
}

}  // namespace personascope::cli
