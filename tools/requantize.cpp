// Writes the weights of a GGUF file anew as Q4_0: the format that llama.cpp repacks for AVX2,
// AVX-512 and ARM64 with dot products, and so the fastest one on a CPU. Part of
// scripts/setup-model.
#include <cstdio>

#include <ggml-backend.h>
#include <llama.h>

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: requantize KERNELS.so IN.gguf OUT.gguf\n");
    return 2;
  }
  llama_log_set([](ggml_log_level, const char*, void*) {}, nullptr);
  if (!ggml_backend_load(argv[1])) {
    std::fprintf(stderr, "%s: not a library of CPU kernels\n", argv[1]);
    return 1;
  }
  llama_backend_init();
  llama_model_quantize_params params = llama_model_quantize_default_params();
  params.ftype = LLAMA_FTYPE_MOSTLY_Q4_0;
  params.allow_requantize = true;
  const bool written = llama_model_quantize(argv[2], argv[3], &params) == 0;
  if (!written) std::fprintf(stderr, "%s: could not be re-quantized\n", argv[2]);
  return written ? 0 : 1;
}
