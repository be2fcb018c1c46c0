// What a judge can be asked about a dialogue: the dimensions, and how their verdicts are written to
// and read from files in the published form.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"
#include "core/verdict.hpp"
#include "judge/scale.hpp"

namespace personascope::eval::personalens {

enum class Side { Whole, User, Assistant };  // whose turns are judged

enum class Material {
  Goal,     // the goal
  Profile,  // demographics, affinities, summary, situation and task
  Task,     // the task
  Likes,    // affinities and task
};

enum class Scope {
  Dialogue,   // all turns
  FirstTurn,  // the user's first turn
  EachTurn,   // every turn of the assistant, with what came before
};

struct Dimension {
  std::string_view id;      // the folder: "naturalness"
  std::string_view rubric;  // data/lens/rubrics/<rubric>.yaml, reference/judge-<rubric>.txt
  std::string_view suffix;  // of its files: "_user", "_asst"
  std::string_view marker;  // before the value in the files: "Naturalness Score"
  Side side = Side::Whole;
  Material material = Material::Task;
  Scope scope = Scope::Dialogue;
  int low = 1;  // 0 and 1 are False and True
  int high = 5;
  int low_rated = 2;  // up to here, a rating is low

  bool is_rate() const { return low == 0; }
  bool is_low(double score) const { return score < low_rated + .5; }
  bool is_published() const { return scope == Scope::Dialogue; }  // the published program has it
  std::string key() const { return std::string(id) + std::string(suffix); }
};

std::span<const Dimension> list_dimensions();
// The dimension with that folder and ending of file names; null if there is none.
const Dimension* find_dimension(std::string_view id, std::string_view suffix);
// Those called `name`: an id (both sides), a key ("naturalness_user"), "all" or "published". Fails
// as Invalid with the names that there are.
Result<std::vector<const Dimension*>> choose_dimensions(std::string_view name,
                                                        std::optional<Side> side);

judge::Scale make_scale(const Dimension& dimension);

// The text for a verdict's file: the judge's reasons, then a line in the published form, and the
// exact number where it is not one of the scale's.
std::string render_verdict_file(const Dimension& dimension, const core::Verdict& verdict);

// The value as we read it: on the scale, from the last verdict in the text; nothing if it cannot be
// read. May be called by several threads at once.
class VerdictFileReader {
 public:
  explicit VerdictFileReader(const Dimension& dimension);
  std::optional<double> read(std::string_view text) const;
  // Whether a text without a value says that the judge cannot assess the dialogue.
  bool says_cannot_assess(std::string_view text) const;

 private:
  const Dimension* dimension_;
  std::string marker_;
  struct Slow;
  std::shared_ptr<const Slow> slow_;  // shared by copies, never changed
};

// The value as the published program takes it: the first number after the marker, whatever it is;
// of task completion, whether "VERDICT: True" comes first.
std::optional<double> read_as_published(const Dimension& dimension, std::string_view text);

}  // namespace personascope::eval::personalens
