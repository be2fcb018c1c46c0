#include "app/study.hpp"
#include "files/text_file.hpp"

namespace personascope::app {
namespace {

Json schema_of(const core::OptionSpec& spec) {
  Json schema = Json::object();
  switch (spec.kind) {
    case core::OptionKind::Text:
      schema["type"] = "string";
      break;
    case core::OptionKind::Texts:
      schema["anyOf"] = {{{"type", "string"}},
                         {{"type", "array"}, {"items", {{"type", "string"}}}}};
      break;
    case core::OptionKind::Integer:
      schema["type"] = "integer";
      break;
    case core::OptionKind::Number:
      schema["type"] = "number";
      break;
    case core::OptionKind::Switch:
      schema["type"] = "boolean";
      break;
    case core::OptionKind::Choice:
      schema["enum"] = spec.choices;
      break;
  }
  if (!spec.choices.empty() && spec.kind == core::OptionKind::Text) schema["enum"] = spec.choices;
  if (spec.least) schema["minimum"] = *spec.least;
  if (spec.most) schema["maximum"] = *spec.most;
  schema["description"] = core::describe(spec);
  return schema;
}

Json schema_of_options(const std::vector<core::OptionSpec>& specs) {
  Json properties = Json::object();
  for (const core::OptionSpec& spec : specs)
    if (!properties.contains(spec.name)) properties[spec.name] = schema_of(spec);
  return {{"type", "object"}, {"properties", properties}, {"additionalProperties", false}};
}

constexpr std::string_view kExampleStudy =
    R"(# A study: every model with every judge, setting and evaluation, as one run each.
#   personascope run study.yaml --estimate     what it would take; sends nothing
#   personascope run study.yaml                carry it out, or go on where it was stopped
# Options have the names of the flags: --questions-per-task is questions_per_task.

name: first-study              # every run gets it as a tag

models:
  - openai/gpt-4o-mini
  - model: openai/gpt-4o       # with options of its own:
    temperature: 0.5
#  - model: vllm/my-bot
#    base_url: http://localhost:8000/v1
#    deployment: build-7       # answers of another deployment are not re-used

judges:                        # each is one more round of runs
  - openai/gpt-4o
#  - [openai/gpt-4o, anthropic/claude-sonnet-4]     # a panel

evaluations:
  gym run:
    limit: 10                  # personas
    questions_per_task: 2
    gates:                     # exit code 100 if one is missed
      fail_under: 3
      max_refused: 0.02
  bench main:
    limit: 50

# settings:                    # each is one more round of runs
#  - temperature: 0
#  - temperature: 1

max_cost: 5                    # US dollars, over all runs together
# tags: [nightly]
# output: results              # a folder for the items of every run and the leaderboard
)";

}  // namespace

Json make_study_schema() {
  std::vector<core::OptionSpec> all;
  Json evaluations = Json::object();
  Json gates = schema_of_options(gate_options().specs());
  for (const Command& command : list_commands()) {
    bool has_model = false;
    for (const core::OptionSpec& spec : command.options)
      has_model = has_model || spec.name == "model";
    if (!has_model) continue;
    all.insert(all.end(), command.options.begin(), command.options.end());
    Json schema = schema_of_options(command.options);
    schema["properties"]["gates"] = gates;
    schema["description"] = command.sentence;
    evaluations[command.name] = {{"anyOf", {{{"type", "null"}}, schema}}};
  }
  const Json options = schema_of_options(all);
  Json model = options;
  model["required"] = {"model"};
  const Json text{{"type", "string"}};
  const Json texts{{"type", "array"}, {"items", text}, {"minItems", 1}};
  Json root = schema_of_options(study_options().specs());
  root["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  root["title"] = "A study of personascope";
  root["required"] = {"name", "models", "evaluations"};
  root["properties"]["models"] = {{"type", "array"},
                                  {"minItems", 1},
                                  {"items", {{"anyOf", {text, model}}}},
                                  {"description", "models under test, with options of their own"}};
  root["properties"]["judges"] = {{"type", "array"},
                                  {"minItems", 1},
                                  {"items", {{"anyOf", {text, texts}}}},
                                  {"description", "each a judge, or a list of judges: a panel"}};
  root["properties"]["settings"] = {{"type", "array"},
                                    {"minItems", 1},
                                    {"items", {{"anyOf", {{{"type", "null"}}, options}}}},
                                    {"description", "options of runs; one run for each"}};
  root["properties"]["evaluations"] = {{"type", "object"},
                                       {"minProperties", 1},
                                       {"properties", evaluations},
                                       {"additionalProperties", false},
                                       {"description", "what to run, with its options"}};
  return root;
}

std::string_view example_study() {
  return kExampleStudy;
}

Result<void> save_example_study(const std::string& path) {
  ASSIGN_OR_RETURN(files::NewFile file, files::NewFile::create(path));
  RETURN_IF_ERROR(file.write(kExampleStudy));
  return file.commit();
}

}  // namespace personascope::app
