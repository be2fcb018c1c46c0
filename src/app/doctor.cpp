#include "app/doctor.hpp"

#include <filesystem>

#include "app/version.hpp"
#include "base/text.hpp"
#include "llm/embedded/weights.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

constexpr std::uintmax_t kLittleSpace = 1u << 30;

// libcurl and its TLS library; the rest of the list is not needed here.
std::string describe_network_library() {
  const std::string version = http::library_version();
  const auto parts = split(version, ' ');
  return parts.size() < 2 ? version : fmt::format("{} {}", parts[0], parts[1]);
}

Finding examine_store(Context& context) {
  const auto store = context.store();
  if (!store)
    return {"store", Health::Bad, store.error().message,
            "repair the file, or name another with `store`"};
  const auto runs = (*store)->reader().load_runs({.limit = 1});
  if (!runs) return {"store", Health::Bad, runs.error().message, "restore it from a copy"};
  return {"store", Health::Good,
          fmt::format("{}{}", context.store_path(),
                      runs->empty() ? " (no runs yet)"
                                    : fmt::format(" (newest run: {})", runs->front().id)),
          ""};
}

Finding examine_disk(const Context& context) {
  std::error_code error;
  const auto folder = std::filesystem::path(context.store_path()).parent_path();
  const auto space = std::filesystem::space(folder.empty() ? "." : folder, error);
  if (error) return {"disk", Health::Note, "free space is not known: " + error.message(), ""};
  const std::string detail =
      fmt::format("{:.1f} GB free", static_cast<double>(space.available) / (1u << 30));
  if (space.available < kLittleSpace)
    return {"disk", Health::Note, detail, "a large run needs about 2 kB per call; free some space"};
  return {"disk", Health::Good, detail, ""};
}

Finding examine_settings(const Context& context) {
  const files::Environment& environment = context.environment();
  if (!environment.unread().empty())
    return {"settings", Health::Note, "the environment; " + environment.unread(), ""};
  if (environment.file().empty())
    return {"settings", Health::Good, "the environment; no .env file here or above", ""};
  const std::string detail = "the environment and " + printable(environment.file());
  if (!environment.not_taken().empty())
    return {"settings", Health::Note,
            fmt::format("{}, without its {}", detail, join(environment.not_taken(), ", ")),
            "only keys and addresses are taken from .env; set the rest in the environment"};
  return {"settings", Health::Good, detail, ""};
}

std::string describe(const SettingsFile& file) {
  if (!file.unread.empty())
    return fmt::format("{} was not read: {}", printable(file.path), file.unread);
  return fmt::format("{} sets {}", printable(file.path),
                     file.names.empty() ? "nothing" : printable(join(file.names, ", ")));
}

Finding examine_configuration(const Context& context) {
  std::vector<std::string> files;
  Health health = Health::Good;
  for (const SettingsFile& file : context.configuration().files()) {
    files.push_back(describe(file));
    if (!file.unread.empty()) health = Health::Note;
  }
  if (files.empty())
    return {"configuration", health,
            fmt::format("none; defaults of your own go into {}",
                        printable(find_configuration_path(context.environment()))),
            ""};
  return {"configuration", health, join(files, "; "), ""};
}

Finding examine_proxy(const Context& context) {
  for (const char* name : {"https_proxy", "HTTPS_PROXY", "http_proxy", "all_proxy", "ALL_PROXY"})
    if (context.environment().find(name))
      return {"proxy", Health::Note, fmt::format("requests go through the proxy in {}", name), ""};
  return {"proxy", Health::Good, "none", ""};
}

Finding examine_keys(const Context& context) {
  std::vector<std::string> ready;
  for (const llm::ProviderRow& row : llm::providers())
    if (row.key_need == llm::KeyNeed::Required && llm::state_of(row, context.environment()).ready)
      ready.emplace_back(row.name);
  if (!ready.empty()) return {"keys", Health::Good, "found for " + join(ready, ", "), ""};
  return {
      "keys", Health::Note, "none found",
      "to use a hosted model, put its key into the environment or a .env file (see .env.example)"};
}

// Whether the model inside the program is whole and this processor can run it.
Finding examine_embedded(const Context& context) {
  const std::string name = fmt::format("embedded/{}", llm::embedded::kDefaultModel);
  sched::Loop loop;
  http::Client client(loop);
  const auto model = context.models().make(name, {{}, context.environment(), client});
  if (!model) return {"embedded model", Health::Note, model.error().message, ""};
  const Json described = (*model)->describe();
  return {"embedded model", Health::Good,
          fmt::format("{}, {}, kernels {}", name, find_text(described, "quantization").value_or(""),
                      find_text(described, "kernels").value_or("")),
          ""};
}

Finding examine_model(Context& context, const ModelCheck& check) {
  const std::string& name = check.model;
  sched::Loop loop;
  http::Client client(loop);
  llm::ModelOptions options{check.base_url, {}, {}};
  options.timeouts.total = seconds(60);
  const auto model = context.models().make(name, {options, context.environment(), client});
  if (!model) return {name, Health::Bad, model.error().message, ""};
  if (!check.ask) return {name, Health::Good, "can be asked; `ask` sends it one tiny request", ""};
  core::Request request;
  request.messages = {{core::Role::User, "Say yes."}};
  request.sampling.max_tokens = 16;
  const TimePoint start = SteadyClock::now();
  const llm::Attempt attempt = sched::run_to_end(loop, (*model)->ask(request, {}));
  if (!attempt.reply)
    return {name, Health::Bad, attempt.reply.error().message,
            attempt.reply.error().kind == ErrorKind::Unauthorized
                ? "check the key and the account"
                : "check the name and the address"};
  return {name, Health::Good,
          fmt::format("answers in {} as {}", render_duration(SteadyClock::now() - start),
                      printable(attempt.reply->model)),
          ""};
}

}  // namespace

std::string_view name_of(Health health) {
  switch (health) {
    case Health::Good:
      return "good";
    case Health::Note:
      return "note";
    case Health::Bad:
      return "bad";
  }
  return "bad";
}

Json to_json(const Finding& finding) {
  return {{"what", finding.what},
          {"health", name_of(finding.health)},
          {"detail", finding.detail},
          {"remedy", finding.remedy}};
}

std::vector<Finding> examine(const ContextOptions& options,
                             const std::optional<ModelCheck>& check) {
  std::vector<Finding> findings{
      {"program", Health::Good, fmt::format("personascope {}", version()), ""},
      {"network library", Health::Good, describe_network_library(), ""}};
  auto context = Context::create(options);
  if (!context) {
    findings.push_back({"settings", Health::Bad, context.error().message, "fix the file"});
    return findings;
  }
  findings.push_back(examine_settings(**context));
  findings.push_back(examine_configuration(**context));
  findings.push_back(examine_store(**context));
  findings.push_back(examine_disk(**context));
  findings.push_back(examine_proxy(**context));
  findings.push_back(examine_keys(**context));
  findings.push_back(examine_embedded(**context));
  if (check) findings.push_back(examine_model(**context, *check));
  return findings;
}

}  // namespace personascope::app
