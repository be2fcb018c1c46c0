#include "app/study.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"
#include "files/yaml_lines.hpp"

namespace personascope::app {
namespace {

constexpr std::size_t kLargestStudy = 4u << 20;
constexpr std::size_t kMostCells = 10'000;
constexpr std::size_t kLongestStudyName = 40;
constexpr const char* kParts[] = {"models", "judges", "settings", "evaluations"};

// One text in place of a list of one.
Json as_option_value(const core::OptionSpec& spec, const Json& value) {
  if (spec.kind == core::OptionKind::Texts && value.is_string()) return Json::array({value});
  return value;
}

const core::OptionSpec* find_spec(const std::vector<core::OptionSpec>& options,
                                  std::string_view name) {
  const auto found = std::ranges::find(options, name, &core::OptionSpec::name);
  return found == options.end() ? nullptr : &*found;
}

const Command* find_study_command(std::string_view name) {
  const auto& commands = list_commands();
  const auto found = std::ranges::find(commands, name, &Command::name);
  if (found == commands.end() || !find_spec(found->options, "model")) return nullptr;
  return &*found;
}

// A part of a combination: options, and what to call it where parts differ.
struct Part {
  Json options = Json::object();
  std::string name;
};

struct EvaluationPart {
  const Command* command = nullptr;
  Json options = Json::object();
  RunGates gates;
};

class StudyReader {
 public:
  StudyReader(std::string file, const std::string& text)
      : file_(std::move(file)), lines_(files::find_key_lines(text)) {}

  Result<Study> read(const Json& root) {
    if (!root.is_object())
      return fail(ErrorKind::Invalid, "{} must hold a study: name, models and evaluations",
                  printable(file_));
    RETURN_IF_ERROR(check_names(root));
    RETURN_IF_ERROR(read_evaluations(root));
    RETURN_IF_ERROR(read_models(root));
    RETURN_IF_ERROR(read_judges(root));
    RETURN_IF_ERROR(read_settings(root));
    return combine();
  }

 private:
  std::unexpected<Error> refuse(const std::string& path, const std::string& message) const {
    const auto found = lines_.find(path);
    const auto quote = [](std::string_view name) { return fmt::format("\"{}\"", name); };
    return fail(ErrorKind::Invalid, "{}, line {}: {}", printable(file_),
                found == lines_.end() ? 1 : found->second, core::rename_options(message, quote));
  }

  static std::string suggest_near(const std::string& name, const std::vector<std::string>& known) {
    const auto near = near_matches(shorten(name, 60), known);
    return near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near.front());
  }

  Result<void> check_names(const Json& root) {
    std::vector<std::string> known(std::begin(kParts), std::end(kParts));
    Json head = Json::object();
    for (const core::OptionSpec& spec : study_options().specs()) {
      known.push_back(spec.name);
      const Json* value = find_member(root, spec.name);
      if (!value) continue;
      head[spec.name] = as_option_value(spec, *value);
      const auto checked =
          core::check_value(spec, head[spec.name], fmt::format("\"{}\"", spec.name));
      if (!checked) return refuse(spec.name, checked.error().message);
    }
    for (const auto& [name, value] : root.items())
      if (std::ranges::find(known, name) == known.end())
        return refuse(name, fmt::format("\"{}\" is not a part of a study{}",
                                        printable(shorten(name, 60)), suggest_near(name, known)));
    ASSIGN_OR_RETURN(study_.head, study_options().parse(head));
    const std::string& name = study_.head.name;
    if (name.empty() || name.size() > kLongestStudyName || name.find('#') != std::string::npos ||
        printable(name) != name || trim(name) != name)
      return refuse("name", fmt::format("\"name\" must have 1 to {} printable characters, none of "
                                        "them #; every run of the study gets it as a tag",
                                        kLongestStudyName));
    return {};
  }

  // Options of a map at `path`, each of which some evaluation must have.
  Result<Json> read_options(const Json& map, const std::string& path) {
    Json options = Json::object();
    for (const auto& [name, value] : map.items()) {
      std::vector<std::string> known;
      bool is_known = false;
      for (const EvaluationPart& part : evaluations_) {
        for (const core::OptionSpec& spec : part.command->options) known.push_back(spec.name);
        const core::OptionSpec* spec = find_spec(part.command->options, name);
        if (!spec) continue;
        is_known = true;
        RETURN_IF_ERROR(check_option(*spec, value, path + "/" + name, *part.command));
      }
      if (!is_known)
        return refuse(path + "/" + name,
                      fmt::format("\"{}\" is not an option of any evaluation of the study{}",
                                  printable(shorten(name, 60)), suggest_near(name, known)));
      options[name] = value;
    }
    return options;
  }

  Result<void> check_option(const core::OptionSpec& spec, const Json& value,
                            const std::string& path, const Command& command) {
    const auto checked = core::check_value(spec, as_option_value(spec, value), "");
    if (checked) return {};
    return refuse(path, fmt::format("\"{}\" {} (in {})", printable(spec.name),
                                    trim(checked.error().message), command.name));
  }

  Result<void> read_evaluations(const Json& root) {
    const Json* map = find_member(root, "evaluations");
    if (!map || !map->is_object() || map->empty())
      return refuse("evaluations",
                    "\"evaluations\" must name what to run, such as \"gym run: {limit: 10}\"");
    for (const auto& [name, value] : map->items()) {
      const std::string path = "evaluations/" + name;
      EvaluationPart part;
      part.command = find_study_command(name);
      if (!part.command) {
        std::vector<std::string> known;
        for (const Command& command : list_commands())
          if (find_spec(command.options, "model")) known.push_back(command.name);
        return refuse(path, fmt::format("there is no evaluation \"{}\"{}",
                                        printable(shorten(name, 60)), suggest_near(name, known)));
      }
      if (!value.is_null() && !value.is_object())
        return refuse(path, fmt::format("\"{}\" must hold options and their values", name));
      if (value.is_object()) RETURN_IF_ERROR(read_evaluation(value, path, part));
      evaluations_.push_back(std::move(part));
    }
    return {};
  }

  Result<void> read_evaluation(const Json& map, const std::string& path, EvaluationPart& part) {
    for (const auto& [name, value] : map.items()) {
      if (name == "gates") {
        RETURN_IF_ERROR(read_gates(value, path + "/gates", part));
        continue;
      }
      const core::OptionSpec* spec = find_spec(part.command->options, name);
      std::vector<std::string> known{"gates"};
      for (const core::OptionSpec& one : part.command->options) known.push_back(one.name);
      if (!spec)
        return refuse(path + "/" + name,
                      fmt::format("\"{}\" is not an option of {}{}", printable(shorten(name, 60)),
                                  part.command->name, suggest_near(name, known)));
      RETURN_IF_ERROR(check_option(*spec, value, path + "/" + name, *part.command));
      part.options[name] = as_option_value(*spec, value);
    }
    const auto limits = check_limits(part.gates, part.command->name, part.options);
    if (!limits) return refuse(path + "/gates", limits.error().message);
    return {};
  }

  Result<void> read_gates(const Json& map, const std::string& path, EvaluationPart& part) {
    if (!map.is_object()) return refuse(path, "\"gates\" must hold limits and their values");
    const auto specs = gate_options().specs();
    std::vector<std::string> known;
    for (const core::OptionSpec& spec : specs) known.push_back(spec.name);
    for (const auto& [name, value] : map.items()) {
      const core::OptionSpec* spec = find_spec(specs, name);
      if (!spec)
        return refuse(path + "/" + name,
                      fmt::format("there is no gate \"{}\"{}", printable(shorten(name, 60)),
                                  suggest_near(name, known)));
      const auto checked = core::check_value(*spec, value, fmt::format("\"{}\"", name));
      if (!checked) return refuse(path + "/" + name, checked.error().message);
    }
    ASSIGN_OR_RETURN(part.gates, gate_options().parse(map));
    return {};
  }

  Result<void> read_models(const Json& root) {
    const Json* list = find_member(root, "models");
    if (!list || !list->is_array() || list->empty())
      return refuse("models", "\"models\" must be a list of models, such as [openai/gpt-4o-mini]");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& value = (*list)[i];
      const std::string path = fmt::format("models/{}", i);
      Part part;
      if (value.is_string()) {
        part.options["model"] = value;
      } else if (value.is_object() && find_text(value, "model")) {
        ASSIGN_OR_RETURN(part.options, read_options(value, path));
      } else {
        return refuse(path, "a model is a name, or a map with \"model\" and further options");
      }
      part.name = name_options(part.options);
      models_.push_back(std::move(part));
    }
    return {};
  }

  Result<void> read_judges(const Json& root) {
    const Json* list = find_member(root, "judges");
    judges_.clear();
    if (!list || list->is_null()) {
      judges_.push_back({});
      return {};
    }
    if (!list->is_array() || list->empty())
      return refuse("judges",
                    "\"judges\" must be a list: each a judge, or a list of judges that "
                    "form a panel");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const Json& value = (*list)[i];
      const Json panel = value.is_string() ? Json::array({value}) : value;
      const bool is_panel =
          panel.is_array() && !panel.empty() &&
          std::ranges::all_of(panel, [](const Json& judge) { return judge.is_string(); });
      if (!is_panel)
        return refuse(fmt::format("judges/{}", i), "a judge is a name, or a list of names");
      for (const EvaluationPart& part : evaluations_)
        if (panel.size() > 1 && !find_spec(part.command->options, "judges"))
          return refuse(fmt::format("judges/{}", i),
                        fmt::format("{} takes one judge, not a panel", part.command->name));
      judges_.push_back(panel);
    }
    return {};
  }

  Result<void> read_settings(const Json& root) {
    const Json* list = find_member(root, "settings");
    if (!list || list->is_null()) {
      settings_.push_back({});
      return {};
    }
    if (!list->is_array() || list->empty())
      return refuse("settings", "\"settings\" must be a list of maps of options");
    for (std::size_t i = 0; i < list->size(); ++i) {
      const std::string path = fmt::format("settings/{}", i);
      const Json& value = (*list)[i];
      if (!value.is_object() && !value.is_null())
        return refuse(path, "a setting must hold options and their values");
      Part part;
      if (value.is_object()) {
        ASSIGN_OR_RETURN(part.options, read_options(value, path));
      }
      part.name = name_options(part.options);
      settings_.push_back(std::move(part));
    }
    return {};
  }

  // "openai/gpt-4o, temperature 0".
  static std::string name_options(const Json& options) {
    std::vector<std::string> parts;
    if (const auto model = find_text(options, "model")) parts.push_back(*model);
    for (const auto& [name, value] : options.items())
      if (name != "model")
        parts.push_back(fmt::format("{} {}", replace_all(name, "_", " "),
                                    value.is_string() ? shorten(value.get<std::string>(), 60)
                                                      : shorten(render_json(value), 60)));
    return join(parts, ", ");
  }

  // What the evaluation itself says comes last: it was said for this one alone.
  StudyCell make_cell(const EvaluationPart& evaluation, const Json& judges, const Part& setting,
                      const Part& model) const {
    StudyCell cell;
    cell.command = evaluation.command->name;
    cell.gates = evaluation.gates;
    const auto& options = evaluation.command->options;
    for (const Json* source : {&setting.options, &model.options})
      for (const auto& [name, value] : source->items())
        if (const core::OptionSpec* spec = find_spec(options, name))
          cell.given[name] = as_option_value(*spec, value);
    if (judges.is_array()) {
      if (find_spec(options, "judges"))
        cell.given["judges"] = judges;
      else if (find_spec(options, "judge"))
        cell.given["judge"] = judges[0];
    }
    cell.given.update(evaluation.options);
    std::vector<std::string> parts{cell.command, model.name};
    if (!setting.name.empty()) parts.push_back(setting.name);
    if (judges_.size() > 1)
      parts.push_back("judged by " + join(judges.get<std::vector<std::string>>(), ", "));
    cell.name = join(parts, ", ");
    cell.key = hash_of(cell);
    return cell;
  }

  static std::string hash_of(const StudyCell& cell) {
    return render_hex(sha256(render_json(Json::array({cell.command, cell.given})))).substr(0, 12);
  }

  Result<Study> combine() {
    std::set<std::string> seen;
    for (const EvaluationPart& evaluation : evaluations_)
      for (const Json& judges : judges_)
        for (const Part& setting : settings_)
          for (const Part& model : models_) {
            StudyCell cell = make_cell(evaluation, judges, setting, model);
            const auto checked = core::check_given(cell.given, evaluation.command->options);
            if (!checked)
              return refuse("evaluations/" + cell.command,
                            fmt::format("{}: {}", cell.name, checked.error().message));
            // A setting that an evaluation does not have makes no second run of it.
            if (seen.insert(cell.key).second) study_.cells.push_back(std::move(cell));
            if (study_.cells.size() > kMostCells)
              return refuse("evaluations",
                            fmt::format("the study has more than {} runs", kMostCells));
          }
    return std::move(study_);
  }

  std::string file_;
  std::map<std::string, int> lines_;
  Study study_;
  std::vector<EvaluationPart> evaluations_;
  std::vector<Part> models_;
  std::vector<Part> settings_;
  std::vector<Json> judges_;  // lists of names; null: none named
};

}  // namespace

Result<Study> parse_study(const std::string& text, const std::string& name) {
  auto root = files::parse_yaml(text, name);
  if (!root) return fail(ErrorKind::Invalid, "{}", root.error().message);
  return StudyReader(name, text).read(*root);
}

Result<Study> load_study(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, kLargestStudy));
  return parse_study(text, path);
}

Study make_study_of_models(const Command& command, const Json& given,
                           const std::vector<std::string>& models, const RunGates& gates) {
  Study study;
  for (const std::string& model : models) {
    StudyCell cell;
    cell.command = command.name;
    cell.given = given;
    cell.given["model"] = model;
    cell.name = fmt::format("{}, {}", command.name, model);
    cell.gates = gates;
    study.cells.push_back(std::move(cell));
  }
  return study;
}

std::string cell_tag_of(const Study& study, const StudyCell& cell) {
  return study.head.name.empty() ? "" : fmt::format("{}#{}", study.head.name, cell.key);
}

}  // namespace personascope::app
