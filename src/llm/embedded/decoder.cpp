#include "llm/embedded/decoder.hpp"

#include <algorithm>
#include <exception>
#include <thread>

#include "base/text.hpp"

namespace personascope::llm::embedded {
namespace {

constexpr int kCpuBatch = 512;   // larger ones are no faster on CPUs
constexpr int kGpuBatch = 2048;  // a GPU waits for the CPU between batches
// At a vocabulary of 49,152 the logits of a token take 192 KiB.
constexpr int kCpuLogits = 128;
constexpr int kGpuLogits = 1024;

// llama.cpp puts all layers on the GPU if there is one.
bool has_gpu() {
  return ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_GPU) ||
         ggml_backend_dev_by_type(GGML_BACKEND_DEVICE_TYPE_IGPU);
}

}  // namespace

Decoder::Decoder(std::function<bool()> should_stop, bool is_on_gpu)
    : should_stop_(std::move(should_stop)),
      is_on_gpu_(is_on_gpu),
      max_tokens_(is_on_gpu ? kGpuBatch : kCpuBatch),
      max_logits_(is_on_gpu ? kGpuLogits : kCpuLogits),
      batch_(llama_batch_init(max_tokens_, 0, 1)) {}

Decoder::~Decoder() {
  llama_batch_free(batch_);
}

Result<std::unique_ptr<Decoder>> Decoder::create(const std::string& path,
                                                 std::function<bool()> should_stop,
                                                 const std::function<bool()>& should_stop_loading) {
  ASSIGN_OR_RETURN(auto model, load_model(path, Part::Everything, should_stop_loading));
  // Only now are all backends loaded.
  std::unique_ptr<Decoder> decoder(new Decoder(std::move(should_stop), has_gpu()));
  decoder->model_ = std::move(model);
  const llama_vocab* vocabulary = llama_model_get_vocab(decoder->model_.get());
  decoder->vocabulary_size_ = static_cast<std::size_t>(llama_vocab_n_tokens(vocabulary));
  return decoder;
}

int Decoder::context_length() const {
  return llama_model_n_ctx_train(model_.get());
}

// Keys and values of every layer, 16 bits each.
std::int64_t Decoder::bytes_per_token() const {
  const llama_model* model = model_.get();
  const std::int64_t usual = llama_model_n_embd(model) / std::max(1, llama_model_n_head(model));
  const std::int64_t per_head = find_own_metadata(model, "attention.key_length").value_or(usual) +
                                find_own_metadata(model, "attention.value_length").value_or(usual);
  const std::int64_t heads = std::max(1, llama_model_n_head_kv(model));
  return std::max<std::int64_t>(1, 2 * llama_model_n_layer(model) * heads * per_head);
}

bool Decoder::can_share() const {
  return !llama_model_is_recurrent(model_.get()) && !llama_model_is_hybrid(model_.get());
}

Result<void> Decoder::make_memory(int sequences, int length) {
  context_.reset();  // first: there may not be room for two
  llama_context_params params = llama_context_default_params();
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  params.n_ctx = static_cast<std::uint32_t>(sequences * length);
  params.n_batch = static_cast<std::uint32_t>(max_tokens_);
  params.n_ubatch = params.n_batch;
  params.n_outputs_max = static_cast<std::uint32_t>(max_logits_);
  params.n_seq_max = static_cast<std::uint32_t>(sequences);
  params.n_threads = threads;
  params.n_threads_batch = threads;
  params.kv_unified = false;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_AUTO;
  params.swa_full = true;
  params.no_perf = true;
  params.abort_callback = [](void* self) { return static_cast<Decoder*>(self)->should_stop_(); };
  params.abort_callback_data = this;
  context_.reset(llama_init_from_model(model_.get(), params));
  if (!context_)
    return fail(
        ErrorKind::NotFound,
        "llama.cpp cannot allocate {} sequences of {} tokens: set a smaller `embedded_memory`",
        sequences, length);
  if (!llama_get_memory(context_.get()))
    return fail(ErrorKind::NotFound, "this model cannot generate text: it keeps no context");
  return {};
}

void Decoder::copy(int from, int to) {
  llama_memory_seq_cp(llama_get_memory(context_.get()), from, to, -1, -1);
}

void Decoder::cut(int sequence, int length) {
  llama_memory_seq_rm(llama_get_memory(context_.get()), sequence, length, -1);
}

int Decoder::room() const {
  return max_tokens_ - batch_.n_tokens;
}

int Decoder::logits_room() const {
  return max_logits_ - logits_kept_;
}

int Decoder::add(int sequence, int position, Token token, Logits logits) {
  const int place = batch_.n_tokens++;
  batch_.token[place] = token;
  batch_.pos[place] = position;
  batch_.n_seq_id[place] = 1;
  batch_.seq_id[place][0] = sequence;
  batch_.logits[place] = logits == Logits::Keep;
  logits_kept_ += logits == Logits::Keep;
  return place;
}

Decoder::Outcome Decoder::decode() {
  try {
    const int status = llama_decode(context_.get(), batch_);
    llama_synchronize(context_.get());  // a GPU may fail later, and throw where logits are read
    if (status == 0) return Outcome::Done;
    return status == 2 ? Outcome::Stopped : Outcome::Failed;
  } catch (const std::exception&) {
    return Outcome::Failed;
  }
}

std::span<const float> Decoder::logits(int place) const {
  return {llama_get_logits_ith(context_.get(), place), vocabulary_size_};
}

void Decoder::clear() {
  batch_.n_tokens = 0;
  logits_kept_ = 0;
}

}  // namespace personascope::llm::embedded
