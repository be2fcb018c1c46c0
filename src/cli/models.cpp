#include "app/models.hpp"

#include <fmt/format.h>

#include "base/text.hpp"
#include "cli/command.hpp"
#include "cli/table.hpp"
#include "cli/wrap.hpp"

namespace personascope::cli {
namespace {

constexpr const char* kModelsExamples = R"(  personascope models
  personascope models --json)";

std::string describe_key(const app::ProviderInfo& provider) {
  if (!provider.ready) return provider.missing;
  return provider.key_variable.empty() ? "none needed" : provider.key_variable;
}

int list_models(const CommonFlags& flags) {
  auto context = app::Context::create(flags.context);
  if (!context) return report(context.error(), flags);
  const auto providers = app::list_providers(**context);
  const auto embedded = app::list_embedded(**context);
  if (flags.json) {
    Json list = Json::array();
    for (const app::ProviderInfo& provider : providers) list.push_back(app::to_json(provider));
    Json files = Json::array();
    for (const app::EmbeddedInfo& model : embedded)
      files.push_back({{"name", model.name},
                       {"bytes", model.bytes},
                       {"problem", model.problem.empty() ? Json(nullptr) : Json(model.problem)}});
    print_json({{"providers", list}, {"embedded", files}});
    return kDone;
  }
  Table table({"provider", "ready", "key", "schema", "logprobs", "for example"});
  for (const app::ProviderInfo& provider : providers)
    table.add({provider.name,
               provider.ready ? Cell("yes", Colour::Green) : Cell("no", Colour::Yellow),
               describe_key(provider), Cell(provider.output_schema ? "yes" : "by instruction"),
               Cell(provider.logprobs ? "yes" : "no"), provider.example});
  table.may_drop({5});
  table.may_wrap(2);
  fmt::print("{}\n{}\n", table.render(),
             wrap_message(stdout,
                          "Any OpenAI-compatible server: --base-url URL, or "
                          "openai-api/<name>/<model> with <NAME>_BASE_URL set."));
  const std::string folder = printable(app::embedded_folder(**context));
  fmt::print(
      "{}", wrap_message(stdout, embedded.empty() ? fmt::format("No embedded model in {}: run "
                                                                "scripts/setup-model.",
                                                                folder)
                                                  : fmt::format("Embedded models in {} (any other: "
                                                                "embedded/path/to/file.gguf):",
                                                                folder)));
  for (const app::EmbeddedInfo& model : embedded)
    fmt::print("  {:<28}{:>8.1f} MB{}\n", printable(model.name),
               static_cast<double>(model.bytes) / 1e6,
               model.problem.empty() ? "" : "  " + printable(model.problem));
  return kDone;
}

}  // namespace

void add_models(CLI::App& program) {
  const auto flags = std::make_shared<CommonFlags>();
  CLI::App* command =
      add_command(program, "models", "List the providers and which API keys are set",
                  kModelsExamples, [flags] { return list_models(*flags); });
  add_common_flags(*command, *flags);
}

}  // namespace personascope::cli
