// A model with the name of its deployment in the key of every answer, so that answers of another
// deployment under the same address are not re-used.
#pragma once

#include <memory>
#include <string>

#include "llm/model.hpp"

namespace personascope::llm {

// Asks `model`, which must outlive it; `deployment` is not empty.
std::unique_ptr<Model> make_deployed(Model& model, const std::string& deployment);

}  // namespace personascope::llm
