// How a model of a provider in the catalog is made; for the registry.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "llm/model_registry.hpp"
#include "llm/providers/catalog.hpp"

namespace personascope::llm {

// Fails as ModelRegistry::make does.
Result<std::unique_ptr<Model>> make_provider_model(const ProviderRow& row, const std::string& name,
                                                   const ModelParts& parts);

}  // namespace personascope::llm
