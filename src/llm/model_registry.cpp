#include "llm/model_registry.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "llm/providers/provider_models.hpp"

namespace personascope::llm {
namespace {

bool is_plain(std::string_view name) {
  return !name.empty() && name.find_first_not_of(
                              "abcdefghijklmnopqrstuvwxyz"
                              "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") == std::string_view::npos;
}

// That an added model cannot be taken for another one in the journal.
Result<void> check_identity(const std::string& name, const std::string& provider,
                            const Endpoint& endpoint) {
  if (endpoint.provider != provider)
    return fail(ErrorKind::Invalid, "the model {} calls its provider \"{}\", which must be {}",
                printable(name), printable(endpoint.provider), provider);
  if (endpoint.version.empty() && endpoint.weights.empty())
    return fail(ErrorKind::Invalid,
                "the model {} has no version: give it one, and change it whenever its answers may "
                "change",
                printable(name));
  return {};
}

}  // namespace

ModelRegistry ModelRegistry::make_default() {
  ModelRegistry registry;
  for (const ProviderRow& row : providers())
    registry.rows_.push_back({std::string(row.name),
                              [&row](const std::string& name, const ModelParts& parts) {
                                return make_provider_model(row, name, parts);
                              },
                              Origin::Catalog});
  return registry;
}

Result<void> ModelRegistry::add(std::string provider, Make make) {
  if (!is_plain(provider))
    return fail(ErrorKind::Invalid,
                "a provider's name is made of letters, digits, - and _, unlike \"{}\"",
                printable(shorten(provider, 80)));
  if (find(provider))
    return fail(ErrorKind::Invalid, "there is a provider {} already", printable(provider));
  rows_.push_back({std::move(provider), std::move(make), Origin::Added});
  return {};
}

Result<std::unique_ptr<Model>> ModelRegistry::make(const std::string& name,
                                                   const ModelParts& parts) const {
  const std::size_t slash = name.find('/');
  const Row* row = find(name.substr(0, slash));
  if (slash == std::string::npos || slash + 1 == name.size() || !row) {
    std::vector<std::string> known;
    for (const Row& other : rows_) known.push_back(other.provider);
    const auto near = near_matches(name.substr(0, slash), known);
    return fail(ErrorKind::Invalid,
                "\"{}\" is not of the form provider/model with a known provider{}; "
                "`personascope models` lists them",
                printable(shorten(name, 80)),
                near.empty() ? "" : fmt::format(" (did you mean {}/…?)", near.front()));
  }
  ASSIGN_OR_RETURN(auto model, row->make(name.substr(slash + 1), parts));
  if (row->origin == Origin::Added)
    RETURN_IF_ERROR(check_identity(name, row->provider, model->endpoint()));
  return model;
}

const ModelRegistry::Row* ModelRegistry::find(std::string_view provider) const {
  const auto row = std::ranges::find(rows_, provider, &Row::provider);
  return row == rows_.end() ? nullptr : &*row;
}

}  // namespace personascope::llm
