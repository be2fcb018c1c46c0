// A model inside the program: llama.cpp on a GGUF file, no key, no server.
#pragma once

#include <memory>
#include <string>

#include "base/result.hpp"
#include "files/environment.hpp"
#include "llm/model.hpp"
#include "sched/loop.hpp"

namespace personascope::llm {

struct EmbeddedOptions {
  int memory_mb = 512;  // for the context (KV cache), in addition to the weights
  int parallel = 32;    // answers under way at once; with 1, the same seed repeats the same text
};

// The model of the file that `embedded/<name>` names (see embedded/weights.hpp). Reads the file's
// vocabulary only; the weights are loaded at the first request. Fails as NotFound or Invalid.
Result<std::unique_ptr<Model>> make_embedded_model(const std::string& name,
                                                   const EmbeddedOptions& options,
                                                   const files::Environment& environment,
                                                   sched::Loop& loop);

}  // namespace personascope::llm
