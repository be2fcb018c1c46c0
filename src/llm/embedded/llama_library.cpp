#include "llm/embedded/llama_library.hpp"

#include <ggml-backend.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <vector>

#if defined(__aarch64__) && defined(__linux__)
#include <asm/hwcap.h>
#include <sys/auxv.h>
#endif

#include "base/installed.hpp"
#include "base/text.hpp"

namespace personascope::llm::embedded {
namespace {

// llama.cpp logs to standard error. Nothing below the command line prints, so only the last
// complaint is kept, for our own messages.
thread_local std::string last_complaint;

void keep_complaint(ggml_log_level level, const char* text, void*) {
  if (level != GGML_LOG_LEVEL_ERROR) return;
  const std::string_view line = trim(text);
  if (!line.empty() && last_complaint.empty()) last_complaint = line;
}

// Where llama.cpp finds itself wrong it ends the process, and by default prints for its developers
// and starts a debugger. Nobody above can print any more.
void say_last_words(const char* message) {
  const std::string words = fmt::format(
      "personascope: llama.cpp ended the program, perhaps on a damaged model file: {}\n",
      printable(message));
  std::fputs(words.c_str(), stderr);
}

// Best first. A processor may announce more than it can run (AMX on some virtual machines), so
// there are no kernels beyond AVX-512.
std::vector<std::string> fitting_kernels() {
  std::vector<std::string> names;
#if defined(__x86_64__)
  __builtin_cpu_init();
  const bool has_avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                        __builtin_cpu_supports("bmi2");
  if (has_avx2 && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
      __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl") &&
      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512vbmi") &&
      __builtin_cpu_supports("avx512vnni"))
    names.emplace_back("cpu-avx512");
  if (has_avx2) names.emplace_back("cpu-avx2");
#elif defined(__aarch64__) && defined(__linux__)
  if ((getauxval(AT_HWCAP) & HWCAP_ASIMDDP) != 0 && (getauxval(AT_HWCAP) & HWCAP_ASIMDHP) != 0)
    names.emplace_back("cpu-dotprod");
#endif
  names.emplace_back("cpu-baseline");
  return names;
}

Result<std::string> load_all() {
  llama_log_set(keep_complaint, nullptr);
  ggml_set_abort_callback(say_last_words);
  // The kernels' threads wait for each other hundreds of times a token. By default they spin for
  // milliseconds, which on a machine that does something else too makes a token take seconds; with
  // this they soon sleep, and alone lose 1 %. OpenMP reads it when the kernels are loaded.
  setenv("GOMP_SPINCOUNT", "4000", /*overwrite=*/0);
  const std::filesystem::path folder =
      find_installed("lib/personascope").value_or(describe_installed("lib/personascope"));
  const auto load = [&folder](const std::string& name) -> ggml_backend_reg_t {
    const std::filesystem::path file = folder / ("libggml-" + name + ".so");
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? ggml_backend_load(file.c_str()) : nullptr;
  };
  const std::vector<std::string> names = fitting_kernels();
  const auto kernels = std::ranges::find_if(names, load);
  if (kernels == names.end())
    return fail(ErrorKind::NotFound, "llama.cpp's kernels are not in {}: run scripts/setup-model",
                folder.string());
  std::string loaded = *kernels;
  for (const char* gpu : {"cuda", "hip", "vulkan", "metal"}) {
    const ggml_backend_reg_t backend = load(gpu);
    const std::size_t devices = backend ? ggml_backend_reg_dev_count(backend) : 0;
    for (std::size_t i = 0; i < devices; ++i)
      loaded += fmt::format(
          ", {} on {}", gpu,
          printable(ggml_backend_dev_description(ggml_backend_reg_dev_get(backend, i))));
  }
  llama_backend_init();
  return loaded;
}

std::string text_of(const llama_model* model, const std::string& key) {
  char value[64];
  return llama_model_meta_val_str(model, key.c_str(), value, sizeof value) < 0 ? "" : value;
}

std::string own_key(const llama_model* model, const std::string& name) {
  return text_of(model, "general.architecture") + "." + name;
}

Result<void> check_description(const std::string& path, const llama_model* model) {
  struct Bounds {
    const char* name;
    double least;
    double most;
  };
  for (const Bounds& bounds :
       {Bounds{"block_count", 1, 512}, Bounds{"context_length", 2, 1e9},
        Bounds{"embedding_length", 1, 1e6}, Bounds{"attention.layer_norm_rms_epsilon", 0, 1},
        Bounds{"attention.layer_norm_epsilon", 0, 1}}) {
    const std::string key = own_key(model, bounds.name);
    const std::string value = text_of(model, key);
    const auto number = find_number_in(value);
    const bool can_be = number && *number >= bounds.least && *number <= bounds.most;
    if (!value.empty() && !can_be)
      return fail(ErrorKind::NotFound,
                  "{} is damaged: it says that its {} is {}; fetch it again or name another file",
                  printable(path), printable(key), printable(value));
  }
  return {};
}

}  // namespace

Result<std::string> load_kernels() {
  static const Result<std::string> loaded = load_all();
  return loaded;
}

Result<ModelPtr> load_model(const std::string& path, Part part,
                            const std::function<bool()>& should_stop) {
  RETURN_IF_ERROR(load_kernels());
  llama_model_params params = llama_model_default_params();
  params.vocab_only = part == Part::Vocabulary;
  struct Loading {
    const std::function<bool()>& should_stop;
    bool is_stopped = false;
  } loading{should_stop};
  params.progress_callback_user_data = &loading;
  params.progress_callback = [](float, void* user_data) {
    auto& state = *static_cast<Loading*>(user_data);
    state.is_stopped = state.should_stop && state.should_stop();
    return !state.is_stopped;
  };
  last_complaint.clear();
  ModelPtr model(llama_model_load_from_file(path.c_str(), params));
  if (!model && loading.is_stopped)
    return fail(ErrorKind::Cancelled, "cancelled while the weights were being loaded");
  if (!model)
    return fail(
        ErrorKind::NotFound,
        "{} cannot be read as a model: it is incomplete, damaged or of a kind that this llama.cpp "
        "does not support; fetch it again or name another file (llama.cpp: {})",
        printable(path),
        last_complaint.empty() ? "no reason given" : printable(shorten(last_complaint, 200)));
  if (llama_vocab_type(llama_model_get_vocab(model.get())) == LLAMA_VOCAB_TYPE_NONE ||
      llama_model_has_encoder(model.get()))
    return fail(ErrorKind::NotFound, "{} is not a model that generates text", printable(path));
  if (part == Part::Vocabulary) RETURN_IF_ERROR(check_description(path, model.get()));
  return model;
}

std::optional<std::int64_t> find_metadata(const llama_model* model, const std::string& key) {
  return find_integer_in(text_of(model, key));
}

std::optional<std::int64_t> find_own_metadata(const llama_model* model, const std::string& name) {
  return find_metadata(model, own_key(model, name));
}

std::string quantization_of(const llama_model* model) {
  const auto type = find_metadata(model, "general.file_type");
  const char* name = type ? llama_ftype_name(static_cast<llama_ftype>(*type)) : nullptr;
  return name ? name : "unknown quantization";
}

}  // namespace personascope::llm::embedded
