#include "eval/planning.hpp"

#include <filesystem>

#include "base/installed.hpp"
#include "base/text.hpp"
#include "files/safe_name.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::eval {

namespace fs = std::filesystem;

Result<std::string> find_data(const PlanContext& context, const std::string& name) {
  std::error_code ignored;
  if (const auto given = context.environment.find("PERSONASCOPE_DATA"))
    if (fs::exists(fs::path(*given) / name, ignored)) return (fs::path(*given) / name).string();
  const std::string place = "share/personascope/data/" + name;
  if (auto found = find_installed(place)) return *found;
  return fail(ErrorKind::NotFound,
              "the data folder \"{}\" does not exist: reinstall personascope, or set "
              "PERSONASCOPE_DATA to the data folder of an installation or checkout",
              printable(describe_installed(place)));
}

Result<std::string> find_pack(const PlanContext& context, const std::string& name) {
  const fs::path packs = fs::path(context.home) / "packs";
  std::error_code ignored;
  if (files::is_safe_name(name) && fs::exists(packs / name / "pack.yaml", ignored))
    return (packs / name).string();
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(packs, ignored))
    names.push_back(printable(entry.path().filename().string()));
  return fail(ErrorKind::NotFound,
              "there is no pack {}{}; `personascope import KIND FOLDER` makes one", printable(name),
              names.empty() ? "" : " (there are: " + join(names, ", ") + ")");
}

Result<std::string> choose_model(const PlanContext& context, const std::string& given) {
  if (!given.empty()) return given;
  for (const llm::ProviderRow& row : llm::providers())
    if (row.key_need == llm::KeyNeed::Required && llm::state_of(row, context.environment).ready)
      return fail(ErrorKind::Invalid,
                  "name a model with `model` or `judges`: there is a key for {0}, e.g. {0}/{1}; "
                  "embedded/{2} needs none",
                  row.name, row.example, llm::embedded::kDefaultModel);
  return fmt::format("embedded/{}", llm::embedded::kDefaultModel);
}

Result<std::string> choose_reader(const PlanContext& context, const std::string& given,
                                  const std::string& model) {
  if (given == "none") return "";
  if (!given.empty()) {
    // A provider that is not known is reported when the model is made.
    const llm::ProviderRow* row = llm::find_provider(given.substr(0, given.find('/')));
    if (row && !row->likelihood)
      return fail(ErrorKind::Invalid,
                  "{} cannot compute the likelihood of a text: set `reader` to an embedded model, "
                  "vllm/…, or none",
                  printable(given));
    return llm::make_absolute_name(given);
  }
  const bool is_embedded = model.starts_with("embedded/");
  return is_embedded && !llm::embedded::list_weights(context.environment).empty() ? model : "";
}

std::string describe_missing_reader(std::string_view what) {
  return fmt::format("{} will not be computed: `reader` embedded/{} switches it on", what,
                     llm::embedded::kDefaultModel);
}

const core::OptionTable<RunOptions>& run_options() {
  static const core::OptionTable<RunOptions> table{
      {&RunOptions::base_url,
       {.name = "base_url",
        .value = "URL",
        .sentence = "address of the model under test, if it is not its provider's"}},
      {&RunOptions::output,
       {.name = "output",
        .short_flag = "o",
        .value = "FILE",
        .sentence = "write one line per item to this file; - is standard output"}}};
  return table;
}

}  // namespace personascope::eval
