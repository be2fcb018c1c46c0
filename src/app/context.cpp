#include "app/context.hpp"

#include <filesystem>

#include "files/yaml.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::app {
namespace {

std::string find_home(const files::Environment& environment) {
  if (auto home = environment.find("PERSONASCOPE_HOME")) return *home;
  if (auto data = environment.find("XDG_DATA_HOME")) return *data + "/personascope";
  return environment.find("HOME").value_or(".") + "/.local/share/personascope";
}

// A file that the options name, else the configuration.
std::optional<std::string> choose_file(const std::optional<std::string>& given,
                                       const Configuration& configuration, std::string_view name) {
  if (given) return given;
  const auto setting = configuration.find("", name);
  return setting ? std::optional(setting->value.get<std::string>()) : std::nullopt;
}

}  // namespace

Context::Context(files::Environment environment, Configuration configuration,
                 const ContextOptions& options)
    : environment_(std::move(environment)),
      configuration_(std::move(configuration)),
      prices_(llm::Prices::make_default()),
      home_(find_home(environment_)),
      named_store_(choose_file(options.store, configuration_, kStoreSetting)),
      store_path_(named_store_.value_or(home_ + "/personascope.db")) {}

Result<std::unique_ptr<Context>> Context::create(const ContextOptions& options) {
  ASSIGN_OR_RETURN(auto environment, files::Environment::load("."));
  ASSIGN_OR_RETURN(auto configuration, Configuration::load(environment, "."));
  std::unique_ptr<Context> context(
      new Context(std::move(environment), std::move(configuration), options));
  const std::string own = context->home_ + "/prices.yaml";
  std::error_code ignored;
  std::vector<std::string> price_files;
  if (std::filesystem::exists(own, ignored)) price_files.push_back(own);
  if (const auto further = choose_file(options.prices, context->configuration_, kPricesSetting))
    price_files.push_back(*further);
  for (const std::string& file : price_files) {
    ASSIGN_OR_RETURN(const Json prices, files::load_yaml(file));
    if (auto added = context->prices_.add(prices); !added)
      return fail(ErrorKind::Invalid, "{}: {}", file, added.error().message);
  }
  return context;
}

Result<store::Store*> Context::store() {
  if (!store_) {
    ASSIGN_OR_RETURN(store_, store::open_sqlite_store(store_path_, store::OpenMode::Create));
  }
  return store_.get();
}

Result<store::Store*> Context::existing_store() {
  if (!store_) {
    ASSIGN_OR_RETURN(store_, store::open_sqlite_store(store_path_, store::OpenMode::ReadWrite));
  }
  return store_.get();
}

Result<store::Reader*> Context::reader() {
  if (store_) return &store_->reader();
  if (reader_) return reader_.get();
  auto reader = store::open_sqlite_reader(store_path_);
  if (reader) {
    reader_ = std::move(*reader);
    return reader_.get();
  }
  if (reader.error().kind != ErrorKind::Storage) return std::unexpected(reader.error());
  // It may be of an older version.
  ASSIGN_OR_RETURN(store::Store * opened, existing_store());
  return &opened->reader();
}

Result<store::Reader*> Context::find_reader() {
  std::error_code ignored;
  if (!named_store_ && !std::filesystem::exists(store_path_, ignored)) return nullptr;
  return reader();
}

Result<run::RunEnvironment> Context::run_environment(const Listener& listener) {
  ASSIGN_OR_RETURN(store::Store * opened, store());
  return run::RunEnvironment{.store = *opened,
                             .settings = environment_,
                             .prices = prices_,
                             .models = models_,
                             .on_progress = listener.on_progress,
                             .write_output = listener.write_output,
                             .on_note = listener.on_note};
}

Result<run::RunEnvironment> Context::run_environment_without_keys() {
  return run_environment_for_no_call(llm::fill_in_keys(environment_));
}

Result<run::RunEnvironment> Context::run_environment_without_access() {
  return run_environment_for_no_call(llm::fill_in_access(environment_));
}

Result<run::RunEnvironment> Context::run_environment_for_no_call(files::Environment environment) {
  ASSIGN_OR_RETURN(store::Store * opened, store());
  environment_for_no_call_ = std::move(environment);
  return run::RunEnvironment{.store = *opened,
                             .settings = *environment_for_no_call_,
                             .prices = prices_,
                             .models = models_};
}

}  // namespace personascope::app
