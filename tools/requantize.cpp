// Writes the weights of a GGUF file anew in another format. Part of scripts/setup-model and of
// perf/embedded/formats.py.
#include <cstdio>
#include <cstring>

#include <ggml-backend.h>
#include <llama.h>

namespace {

struct Format {
  const char* name;
  llama_ftype type;
};

constexpr Format kFormats[] = {
    {"q4_0", LLAMA_FTYPE_MOSTLY_Q4_0},
    {"q8_0", LLAMA_FTYPE_MOSTLY_Q8_0},
    {"bf16", LLAMA_FTYPE_MOSTLY_BF16},
    {"f16", LLAMA_FTYPE_MOSTLY_F16},
};

const Format* find_format(const char* name) {
  for (const Format& format : kFormats)
    if (std::strcmp(format.name, name) == 0) return &format;
  return nullptr;
}

}  // namespace

int main(int argc, char** argv) {
  const Format* format = argc == 5 ? find_format(argv[2]) : nullptr;
  if (!format) {
    std::fprintf(stderr, "usage: requantize KERNELS.so q4_0|q8_0|bf16|f16 IN.gguf OUT.gguf\n");
    return 2;
  }
  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  if (!ggml_backend_load(argv[1])) {
    std::fprintf(stderr, "%s: not a library of CPU kernels\n", argv[1]);
    return 1;
  }
  llama_backend_init();
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.ftype = format->type;
  params.allow_requantize = true;
  const bool written = llama_model_quantize(argv[3], argv[4], &params) == 0;
  if (!written) std::fprintf(stderr, "%s: could not be re-quantized\n", argv[3]);
  return written ? 0 : 1;
}
