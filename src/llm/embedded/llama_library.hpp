// llama.cpp as this program uses it: its kernels for this processor, its log kept quiet, its
// objects owned.
#pragma once

#include <llama.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/result.hpp"

namespace personascope::llm::embedded {

struct FreeModel {
  void operator()(llama_model* model) const { llama_model_free(model); }
};
struct FreeContext {
  void operator()(llama_context* context) const { llama_free(context); }
};
struct FreeSampler {
  void operator()(llama_sampler* sampler) const { llama_sampler_free(sampler); }
};
using ModelPtr = std::unique_ptr<llama_model, FreeModel>;
using ContextPtr = std::unique_ptr<llama_context, FreeContext>;
using SamplerPtr = std::unique_ptr<llama_sampler, FreeSampler>;

// Loads the kernels once and names them and the GPUs that were found, "cpu-avx512, vulkan on NVIDIA
// L4"; fails as NotFound if no kernels are where they were built. Thread-safe.
Result<std::string> load_kernels();

enum class Part { Vocabulary, Everything };
// Fails as NotFound with llama.cpp's own reason, or as Cancelled as soon as `should_stop` (asked
// before every tensor) says so. Load the vocabulary first: it is checked there whether the numbers
// that describe the model can be, as llama.cpp ends the process on some that cannot.
Result<ModelPtr> load_model(const std::string& path, Part part,
                            const std::function<bool()>& should_stop = {});

// A number of the file's own description, by its name in the GGUF format; `find_own_metadata` by
// its name within the model's architecture: "context_length".
std::optional<std::int64_t> find_metadata(const llama_model* model, const std::string& key);
std::optional<std::int64_t> find_own_metadata(const llama_model* model, const std::string& name);
// How the weights are stored, "Q8_0".
std::string quantization_of(const llama_model* model);

}  // namespace personascope::llm::embedded
