#include "judge/rubric.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <functional>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::embedded {
extern const std::string_view judge_prompt_md;
extern const std::string_view judge_score_prompt_md;
}  // namespace personascope::embedded

namespace personascope::judge {
namespace {

constexpr std::size_t kMostBytes = 1u << 20;
constexpr std::size_t kMostLevels = 101;

// Fields of a prompt that the rubric fills; all others are the item's.
constexpr std::array<std::string_view, 10> kOwnFields{
    "name",     "task_name",       "asks",           "criteria", "scale",
    "examples", "does_not_matter", "judge_mistakes", "refusal",  "context"};

// What a rubric may hold; the last ones are read elsewhere or by people.
constexpr std::array<std::string_view, 20> kKeys{"id",
                                                 "name",
                                                 "version",
                                                 "asks",
                                                 "scale",
                                                 "criteria",
                                                 "examples",
                                                 "refusal",
                                                 "does_not_matter",
                                                 "judge_mistakes",
                                                 "prompt",
                                                 "score_prompt",
                                                 "marker",
                                                 "group",
                                                 "licence",
                                                 "written_for",
                                                 "question_guidance",
                                                 "purpose",
                                                 "placeholders",
                                                 "verdict"};

// A rubric's file while it is read: makes errors with their place.
struct Source {
  std::string name;
  std::string_view text;
  const Json& value;

  // The number of the line where `key` begins, or its member if given; nothing if it is not there.
  std::optional<std::size_t> find_line(std::string_view key, std::string_view member = {}) const {
    std::size_t number = 0;
    bool inside = false;
    for (const std::string_view line : split(text, '\n')) {
      ++number;
      if (line.starts_with(key) && line.substr(key.size()).starts_with(':')) {
        if (member.empty()) return number;
        inside = true;
      } else if (inside && trim(line).starts_with(member) &&
                 trim(line).substr(member.size()).starts_with(':')) {
        return number;
      }
    }
    return std::nullopt;
  }

  std::unexpected<Error> fail_at(std::string_view key, std::string_view member,
                                 const std::string& message) const {
    auto line = find_line(key, member);
    if (!line) line = find_line(key);
    const std::string place = line ? fmt::format(", line {}", *line) : "";
    return fail(ErrorKind::Invalid, "{}{}: {}", printable(name), place, message);
  }
  std::unexpected<Error> fail_at(std::string_view key, const std::string& message) const {
    return fail_at(key, {}, message);
  }
};

std::string render_scalar(const Json& value) {
  return value.is_string() ? value.get<std::string>() : render_json(value);
}

Result<void> check_keys(const Source& source) {
  for (const auto& [key, ignored] : source.value.items()) {
    if (std::ranges::find(kKeys, key) != kKeys.end()) continue;
    const auto near = near_matches(key, {kKeys.begin(), kKeys.end()});
    return source.fail_at(
        key,
        fmt::format("\"{}\" is not part of a rubric{}", printable(key),
                    near.empty() ? "; remove it" : fmt::format("; did you mean {}?", near[0])));
  }
  return {};
}

Result<std::string> parse_line(const Source& source, const char* key, bool required) {
  const Json* value = find_member(source.value, key);
  if (!value && !required) return std::string();
  if (!value)
    return fail(ErrorKind::Invalid, "{}: \"{}\" is missing; add a line \"{}: …\"",
                printable(source.name), key, key);
  if (!value->is_string() && !value->is_number())
    return source.fail_at(key, fmt::format("\"{}\" must be text", key));
  return std::string(trim(render_scalar(*value)));
}

Result<std::vector<std::string>> parse_points(const Source& source, const char* key) {
  std::vector<std::string> points;
  const Json* value = find_member(source.value, key);
  if (!value) return points;
  if (!value->is_array())
    return source.fail_at(key, fmt::format("\"{}\" must be a list of \"- …\" lines", key));
  for (const Json& entry : *value) {
    if (!entry.is_string())
      return source.fail_at(
          key,
          fmt::format(
              "\"{}\" must have only texts; put quotation marks around a line with a colon in it",
              key));
    points.push_back(entry);
  }
  return points;
}

constexpr const char* kScaleForms =
    "write \"scale: [1, 2, 3, 4, 5]\", or words with their scores: \"scale: {no: 0, yes: 1}\"";

Result<Scale> parse_scale(const Source& source) {
  const Json* value = find_member(source.value, "scale");
  if (!value)
    return fail(ErrorKind::Invalid, "{}: \"scale\" is missing; {}", printable(source.name),
                kScaleForms);
  Scale scale;
  if (value->is_array()) {
    for (const Json& entry : *value) {
      if (!entry.is_number_integer())
        return source.fail_at(
            "scale", fmt::format("a list of scores must have whole numbers; {}", kScaleForms));
      scale.levels.push_back(make_level(entry.get<double>(), render_json(entry)));
    }
  } else if (value->is_object()) {
    for (const auto& [label, score] : value->items()) {
      if (!score.is_number() || trim(label).empty() || !std::isfinite(score.get<double>()))
        return source.fail_at("scale", fmt::format("every word needs a number; {}", kScaleForms));
      scale.levels.push_back(make_level(score.get<double>(), std::string(trim(label))));
    }
  } else {
    return source.fail_at("scale", fmt::format("this is not a scale; {}", kScaleForms));
  }
  if (scale.levels.size() < 2 || scale.levels.size() > kMostLevels)
    return source.fail_at("scale", fmt::format("a scale has 2 to {} levels", kMostLevels));
  std::ranges::sort(scale.levels, {}, &Level::score);
  for (std::size_t i = 1; i < scale.levels.size(); ++i)
    if (scale.levels[i].score == scale.levels[i - 1].score)
      return source.fail_at("scale",
                            fmt::format("the score {} occurs twice", scale.levels[i].score));
  return scale;
}

Level* find_label(Scale& scale, std::string_view label) {
  const auto level = std::ranges::find(scale.levels, label, &Level::label);
  return level == scale.levels.end() ? nullptr : &*level;
}

Result<void> add_criteria(const Source& source, Scale& scale) {
  const Json* criteria = find_member(source.value, "criteria");
  if (!criteria)
    return fail(ErrorKind::Invalid,
                "{}: \"criteria\" is missing; say for each score what an answer of it shows",
                printable(source.name));
  if (!criteria->is_object())
    return source.fail_at("criteria",
                          "\"criteria\" must have a line \"SCORE: text\" for each score");
  for (const auto& [label, text] : criteria->items()) {
    Level* level = find_label(scale, label);
    if (!level)
      return source.fail_at("criteria", label,
                            fmt::format("\"{}\" is not on the scale ({})", printable(label),
                                        printable(render_labels(scale))));
    if (!text.is_string() || trim(text.get<std::string>()).empty())
      return source.fail_at("criteria", label,
                            fmt::format("the criterion for {} must be text", printable(label)));
    level->criterion = trim(text.get<std::string>());
  }
  for (const Level& level : scale.levels)
    if (level.criterion.empty())
      return source.fail_at("criteria", fmt::format("there is no criterion for {}; every score "
                                                    "of the scale needs one",
                                                    printable(level.label)));
  return {};
}

Result<void> add_examples(const Source& source, Scale& scale) {
  const Json* examples = find_member(source.value, "examples");
  if (!examples) return {};
  if (!examples->is_object())
    return source.fail_at("examples", "\"examples\" must have a line \"SCORE: text\" for a score");
  for (const auto& [label, value] : examples->items()) {
    Level* level = find_label(scale, label);
    if (!level)
      return source.fail_at("examples", label,
                            fmt::format("\"{}\" is not on the scale ({})", printable(label),
                                        printable(render_labels(scale))));
    for (const Json& entry : value.is_array() ? value : Json::array({value})) {
      if (!entry.is_string())
        return source.fail_at("examples", label,
                              fmt::format("an example for {} must be text", printable(label)));
      level->examples.push_back(entry);
    }
  }
  return {};
}

// The prompt that the rubric names under `key`, else the built-in one.
Result<Prompt> load_prompt(const Source& source, const char* key, const std::string& folder,
                           std::string_view built_in) {
  const Json* path = find_member(source.value, key);
  if (!path) {
    ASSIGN_OR_RETURN(const HeadedText file, parse_headed_text(built_in, "the built-in prompt"));
    return make_prompt(file, "the built-in prompt");
  }
  if (!path->is_string())
    return source.fail_at(key, fmt::format("\"{}\" must name a Markdown file", key));
  const std::string whole = (std::filesystem::path(folder) / path->get<std::string>()).string();
  auto text = files::load_text(whole, kMostBytes);
  if (!text)
    return source.fail_at(key, fmt::format("its prompt cannot be read: {}", text.error().message));
  ASSIGN_OR_RETURN(const HeadedText file, parse_headed_text(*text, whole));
  return make_prompt(file, whole);
}

std::string render_list(const std::vector<std::string>& points) {
  std::string text;
  for (const std::string& point : points) text += (text.empty() ? "- " : "\n- ") + point;
  return text.empty() ? "none" : text;
}

template <class Texts>
std::string render_levels(const Scale& scale, ScaleOrder order, Texts texts) {
  std::vector<std::string> lines;
  for (const Level& level : scale.levels) {
    std::string lines_of_level;
    for (const std::string& text : texts(level))
      lines_of_level += (lines_of_level.empty() ? "" : "\n") + level.label + ": " + text;
    if (!lines_of_level.empty()) lines.push_back(std::move(lines_of_level));
  }
  if (order == ScaleOrder::Descending) std::ranges::reverse(lines);
  return lines.empty() ? "none" : join(lines, "\n");
}

std::string render_context(const Fields& item) {
  std::string text;
  for (const auto& [key, heading] :
       {std::pair{"persona", "Persona"}, std::pair{"question", "Question"}}) {
    const auto value = item.find(key);
    if (value == item.end()) continue;
    text += fmt::format("{}{}:\n{}", text.empty() ? "" : "\n\n", heading, value->second);
  }
  return text.empty() ? "none" : text;
}

Result<Rubric> make_rubric(const Source& source) {
  RETURN_IF_ERROR(check_keys(source));
  Rubric rubric;
  ASSIGN_OR_RETURN(rubric.name, parse_line(source, "name", true));
  ASSIGN_OR_RETURN(rubric.version, parse_line(source, "version", true));
  ASSIGN_OR_RETURN(rubric.id, parse_line(source, "id", false));
  if (rubric.id.empty()) rubric.id = replace_all(lower(rubric.name), " ", "-");
  ASSIGN_OR_RETURN(rubric.asks, parse_line(source, "asks", false));
  ASSIGN_OR_RETURN(rubric.refusal, parse_line(source, "refusal", false));
  ASSIGN_OR_RETURN(rubric.does_not_matter, parse_points(source, "does_not_matter"));
  ASSIGN_OR_RETURN(rubric.judge_mistakes, parse_points(source, "judge_mistakes"));
  ASSIGN_OR_RETURN(rubric.scale, parse_scale(source));
  RETURN_IF_ERROR(add_criteria(source, rubric.scale));
  RETURN_IF_ERROR(add_examples(source, rubric.scale));
  return rubric;
}

}  // namespace

Result<Rubric> parse_rubric(std::string_view text, const std::string& name,
                            const std::string& folder) {
  HeadedText file;
  const bool is_markdown = text.starts_with("---");
  if (is_markdown) {
    ASSIGN_OR_RETURN(file, parse_headed_text(text, name));
  } else {
    auto parsed = files::parse_yaml(text, name);
    if (!parsed) return fail(ErrorKind::Invalid, "{}", parsed.error().message);
    file.head = std::move(*parsed);
  }
  if (!file.head.is_object())
    return fail(ErrorKind::Invalid,
                "{}: this is not a rubric; it needs name, version, scale and criteria",
                printable(name));
  const Source source{name, text, file.head};
  ASSIGN_OR_RETURN(Rubric rubric, make_rubric(source));
  const bool has_text = !trim(file.body).empty();
  if (has_text && find_member(file.head, "prompt"))
    return source.fail_at("prompt", "the text below the head is the prompt already; remove one");
  if (has_text) {
    ASSIGN_OR_RETURN(rubric.prompt, make_prompt(file, name));
  } else {
    ASSIGN_OR_RETURN(rubric.prompt,
                     load_prompt(source, "prompt", folder, embedded::judge_prompt_md));
  }
  ASSIGN_OR_RETURN(rubric.score_prompt,
                   load_prompt(source, "score_prompt", folder, embedded::judge_score_prompt_md));
  rubric.sha256 = render_hex(
      sha256(fmt::format("{}\n{}\n{}", text, rubric.prompt.text, rubric.score_prompt.text)));
  return rubric;
}

Result<Rubric> load_rubric(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, kMostBytes));
  if (!is_utf8(text)) return fail(ErrorKind::Invalid, "{}: not UTF-8", printable(path));
  return parse_rubric(text, path, std::filesystem::path(path).parent_path().string());
}

std::vector<std::string> list_needed_fields(const Prompt& prompt) {
  std::vector<std::string> needed;
  for (const std::string& field : prompt.fields)
    if (std::ranges::find(kOwnFields, field) == kOwnFields.end()) needed.push_back(field);
  return needed;
}

std::string render_judge_prompt(const Rubric& rubric, const Prompt& prompt, const Fields& item,
                                ScaleOrder order) {
  Fields values;
  for (const auto& [key, value] : item) values[key] = break_markers(prompt, value);
  values["context"] = render_context(values);
  values["name"] = values["task_name"] = rubric.name;
  values["asks"] = rubric.asks.empty() ? rubric.name : rubric.asks;
  values["scale"] = render_labels(rubric.scale);
  values["criteria"] = render_levels(rubric.scale, order, [](const Level& level) {
    return std::vector<std::string>{level.criterion};
  });
  values["does_not_matter"] = render_list(rubric.does_not_matter);
  values["judge_mistakes"] = render_list(rubric.judge_mistakes);
  values["refusal"] = rubric.refusal.empty() ? "none" : rubric.refusal;
  if (!item.contains("examples"))
    values["examples"] =
        render_levels(rubric.scale, order, [](const Level& level) { return level.examples; });
  return render_prompt(prompt, values);
}

std::vector<std::string> list_unseen_rules(const Rubric& rubric, const Prompt& prompt) {
  const std::array<std::pair<const char*, bool>, 5> rules{
      {{"asks", !rubric.asks.empty()},
       {"criteria", true},
       {"does_not_matter", !rubric.does_not_matter.empty()},
       {"judge_mistakes", !rubric.judge_mistakes.empty()},
       {"refusal", !rubric.refusal.empty()}}};
  std::vector<std::string> unseen;
  for (const auto& [rule, is_given] : rules)
    if (is_given && !prompt.has(rule)) unseen.emplace_back(rule);
  return unseen;
}

bool asks_for_refusal(const Rubric& rubric, const Prompt& prompt) {
  return !rubric.refusal.empty() && prompt.has("refusal");
}

VerdictForm make_verdict_form(const Rubric& rubric, const Prompt& prompt) {
  VerdictForm form;
  form.scale = rubric.scale;
  form.markers = prompt.markers;
  form.fence_begin = prompt.fence_begin;
  form.fence_end = prompt.fence_end;
  form.prompt = render_judge_prompt(rubric, prompt, {}, ScaleOrder::Ascending);
  return form;
}

}  // namespace personascope::judge
