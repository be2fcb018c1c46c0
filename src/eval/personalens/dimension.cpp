#include "eval/personalens/dimension.hpp"

#include <array>
#include <cmath>

#include "base/text.hpp"
#include "judge/verdict_text.hpp"

namespace personascope::eval::personalens {
namespace {

constexpr std::string_view kExpected = "Expected Score";

constexpr std::array kDimensions{
    Dimension{"task_completion", "task-completion", "", "VERDICT", Side::Whole, Material::Goal,
              Scope::Dialogue, 0, 1, 0},
    Dimension{"personalization", "personalization", "", "Personalization Score", Side::Whole,
              Material::Profile, Scope::Dialogue, 1, 4, 1},
    Dimension{"naturalness", "naturalness-user", "_user", "Naturalness Score", Side::User,
              Material::Task, Scope::Dialogue, 1, 5, 2},
    Dimension{"naturalness", "naturalness-assistant", "_asst", "Naturalness Score", Side::Assistant,
              Material::Task, Scope::Dialogue, 1, 5, 2},
    Dimension{"coherence", "coherence-user", "_user", "Coherence Score", Side::User, Material::Task,
              Scope::Dialogue, 1, 5, 2},
    Dimension{"coherence", "coherence-assistant", "_asst", "Coherence Score", Side::Assistant,
              Material::Task, Scope::Dialogue, 1, 5, 2},
    Dimension{"first_turn_leak", "first-turn-leak", "", "Leak", Side::User, Material::Likes,
              Scope::FirstTurn, 0, 1, -1},
    Dimension{"turn_personalization", "turn-personalization", "", "Turn Score", Side::Assistant,
              Material::Profile, Scope::EachTurn, 1, 4, 1},
};

std::string label_of(const Dimension& dimension, double score) {
  const long nearest = std::lround(score);
  if (dimension.id == "first_turn_leak") return nearest == 0 ? "no" : "yes";
  if (dimension.is_rate()) return nearest == 0 ? "False" : "True";
  return std::to_string(nearest);
}

std::string_view last_line_of(std::string_view& text) {
  text = trim(text);
  const std::size_t end = text.rfind('\n');
  const std::string_view line = end == std::string_view::npos ? text : text.substr(end + 1);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(0, end);
  return trim(line);
}

// What follows "marker:" if the line begins with it.
std::optional<std::string_view> value_after(std::string_view line, std::string_view marker) {
  if (!line.starts_with(marker)) return std::nullopt;
  line.remove_prefix(marker.size());
  if (!line.starts_with(':')) return std::nullopt;
  return trim(line.substr(1));
}

}  // namespace

std::span<const Dimension> list_dimensions() {
  return kDimensions;
}

const Dimension* find_dimension(std::string_view id, std::string_view suffix) {
  for (const Dimension& dimension : kDimensions)
    if (dimension.id == id && dimension.suffix == suffix) return &dimension;
  return nullptr;
}

Result<std::vector<const Dimension*>> choose_dimensions(std::string_view name,
                                                        std::optional<Side> side) {
  std::vector<const Dimension*> chosen;
  const bool any_side = !side || *side == Side::Whole;
  for (const Dimension& dimension : kDimensions) {
    const bool named = name == "all" || (name == "published" && dimension.is_published()) ||
                       dimension.id == name || dimension.key() == name;
    const bool has_sides = !dimension.suffix.empty();
    if (named && (any_side || !has_sides || dimension.side == *side)) chosen.push_back(&dimension);
  }
  if (!chosen.empty()) return chosen;
  return fail(ErrorKind::Invalid,
              "there is no dimension {}; there are task_completion, personalization, naturalness, "
              "coherence, first_turn_leak, turn_personalization, published (the first four) and "
              "all",
              printable(name));
}

judge::Scale make_scale(const Dimension& dimension) {
  if (!dimension.is_rate()) return judge::make_number_scale(dimension.low, dimension.high);
  judge::Scale scale;
  for (const double score : {0.0, 1.0})
    scale.levels.push_back(judge::make_level(score, label_of(dimension, score)));
  return scale;
}

std::string render_verdict_file(const Dimension& dimension, const core::Verdict& verdict) {
  std::string text;
  if (const std::string_view reasons = trim(verdict.text); !reasons.empty())
    text += fmt::format("Justification: {}\n\n", reasons);
  text += fmt::format("{}: {}", dimension.marker, label_of(dimension, verdict.score));
  if (verdict.score != std::round(verdict.score))
    text += fmt::format("\n{}: {:.4f}", kExpected, verdict.score);
  return text + "\n";
}

struct VerdictFileReader::Slow {
  judge::VerdictReader reader;
};

VerdictFileReader::VerdictFileReader(const Dimension& dimension)
    : dimension_(&dimension), marker_(dimension.marker) {
  judge::VerdictForm form;
  form.scale = make_scale(dimension);
  form.markers = {marker_, "Score", "Verdict"};
  slow_ = std::make_shared<const Slow>(Slow{judge::VerdictReader(form)});
}

std::optional<double> VerdictFileReader::read(std::string_view text) const {
  std::string_view rest = text;
  const std::string_view last = last_line_of(rest);
  if (const auto exact = value_after(last, kExpected)) {
    const auto number = find_number_in(*exact);
    if (number && *number >= dimension_->low && *number <= dimension_->high) return number;
    return std::nullopt;
  }
  // Nearly every file ends in a line that needs no further reading.
  if (const auto value = value_after(last, marker_);
      value && text.find("```") == std::string_view::npos)
    for (int level = dimension_->low; level <= dimension_->high; ++level)
      if (*value == label_of(*dimension_, level)) return level;
  const core::Verdict verdict = slow_->reader.read(text);
  if (!core::is_scored(verdict)) return std::nullopt;
  return verdict.score;
}

bool VerdictFileReader::says_cannot_assess(std::string_view text) const {
  return slow_->reader.read(text).kind == core::VerdictKind::CannotAssess;
}

std::optional<double> read_as_published(const Dimension& dimension, std::string_view text) {
  // Its search for a verdict ignores case, its search for a rating does not.
  const std::string folded = dimension.is_rate() ? lower(text) : std::string();
  const std::string marker =
      (dimension.is_rate() ? lower(dimension.marker) : std::string(dimension.marker)) + ": ";
  std::string_view rest = dimension.is_rate() ? std::string_view(folded) : text;
  for (;;) {
    const std::size_t at = rest.find(marker);
    if (at == std::string_view::npos) break;
    rest.remove_prefix(at + marker.size());
    if (dimension.is_rate()) {
      if (rest.starts_with("true")) return 1;
      if (rest.starts_with("false")) return 0;
      continue;
    }
    constexpr std::size_t kMostDigits = 9;
    std::size_t digits = 0;
    while (digits < rest.size() && digits < kMostDigits && rest[digits] >= '0' &&
           rest[digits] <= '9')
      ++digits;
    if (digits > 0) return static_cast<double>(*find_integer_in(rest.substr(0, digits)));
  }
  // An unread verdict counts False, an unread rating is dropped.
  if (dimension.is_rate()) return 0;
  return std::nullopt;
}

}  // namespace personascope::eval::personalens
