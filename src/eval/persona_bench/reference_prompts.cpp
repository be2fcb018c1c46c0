#include "eval/persona_bench/reference_prompts.hpp"

#include <filesystem>

#include "base/hash.hpp"
#include "base/text.hpp"
#include "files/python_source.hpp"
#include "files/text_file.hpp"
#include "files/yaml.hpp"

namespace personascope::eval::persona_bench {
namespace {

constexpr const char* kPythonFiles[] = {"prompts.py", "tooling/prompts.py",
                                        "persona_bench/tooling/prompts.py",
                                        "src/persona_bench/tooling/prompts.py"};

// The last of the values that a name is given.
Result<Json> load_python_prompts(const std::string& path) {
  ASSIGN_OR_RETURN(const std::string text, files::load_text(path, 4u << 20));
  const auto source = files::parse_python_source(text);
  if (!source) return fail(ErrorKind::Invalid, "{}: {}", printable(path), source.error().message);
  Json prompts = Json::object();
  for (const files::PythonAssignment& assignment : source->assignments)
    if (assignment.value.is_string()) prompts[assignment.name] = assignment.value;
  return prompts;
}

struct PromptFile {
  std::string path;
  Json prompts;
};

Result<PromptFile> load_prompt_file(const std::string& folder) {
  const std::string yaml = folder + "/prompts.yaml";
  std::error_code ignored;
  if (std::filesystem::exists(yaml, ignored)) {
    ASSIGN_OR_RETURN(Json prompts, files::load_yaml(yaml));
    return PromptFile{yaml, std::move(prompts)};
  }
  for (const char* name : kPythonFiles) {
    const std::string path = fmt::format("{}/{}", folder, name);
    if (!std::filesystem::exists(path, ignored)) continue;
    ASSIGN_OR_RETURN(Json prompts, load_python_prompts(path));
    return PromptFile{path, std::move(prompts)};
  }
  return fail(ErrorKind::NotFound,
              "{} has no prompts.yaml and no prompts.py: name the folder with the published "
              "package's tooling/prompts.py",
              printable(folder));
}

}  // namespace

Result<ReferencePrompts> load_reference_prompts(const std::string& own, const std::string& folder) {
  ASSIGN_OR_RETURN(PromptFile file, load_prompt_file(own + "/reference"));
  if (!folder.empty()) {
    ASSIGN_OR_RETURN(PromptFile given, load_prompt_file(folder));
    if (!given.prompts.is_object() || !find_text(given.prompts, "critique_template"))
      return fail(ErrorKind::Invalid, "{} has no critique_template: these are other prompts",
                  printable(given.path));
    for (const auto& [name, text] : given.prompts.items()) file.prompts[name] = text;
    file.path = given.path;
  }
  ReferencePrompts prompts;
  Sha256 hash;
  Result<void> sound;
  const auto take = [&](const char* name, std::initializer_list<const char*> fields) {
    const std::string text = find_text(file.prompts, name).value_or("");
    for (const char* field : fields)
      if (sound && text.find(fmt::format("{{{}}}", field)) == std::string::npos)
        sound = fail(ErrorKind::Invalid, "{}: {} has no {{{}}}", printable(file.path), name, field);
    hash.update(text);
    hash.update("\n");
    return text;
  };
  prompts.system[Mode::Baseline] = take("system_prompt_baseline", {});
  prompts.system[Mode::OutputOnly] = take("system_prompt_no_cot", {"persona"});
  prompts.system[Mode::ChainOfThought] = take("system_prompt", {"persona"});
  prompts.system[Mode::DemographicSummary] = take("system_prompt_demo_summary", {"persona"});
  prompts.critique = take("critique_template", {"question", "answer", "demographic"});
  prompts.critique_form = take("format_critique", {});
  prompts.rewrite = take("rewrite_prompt", {"json_object"});
  prompts.extract = take("extract_prompt", {"output"});
  prompts.rewrite_system = take("rewrite_system", {});
  RETURN_IF_ERROR(sound);
  prompts.sha256 = render_hex(hash.digest());
  return prompts;
}

}  // namespace personascope::eval::persona_bench
