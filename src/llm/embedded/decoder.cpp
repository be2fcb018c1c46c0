#include "llm/embedded/decoder.hpp"

#include <algorithm>
#include <thread>

#include "base/text.hpp"

namespace personascope::llm::embedded {
namespace {

constexpr int kBatch = 512;       // larger ones are no faster on CPUs
constexpr int kMostLogits = 128;  // at a vocabulary of 49,152 each takes 192 KiB
constexpr int kFewestCells = 256;

std::int64_t find_metadata(const llama_model* model, const std::string& key) {
  char value[64];
  if (llama_model_meta_val_str(model, key.c_str(), value, sizeof value) < 0) return 0;
  return find_integer_in(value).value_or(0);
}

// What one token takes in the memory: keys and values of every layer, 16 bits each.
std::int64_t bytes_per_cell(const llama_model* model) {
  char architecture[64];
  if (llama_model_meta_val_str(model, "general.architecture", architecture, sizeof architecture) <
      0)
    architecture[0] = '\0';
  const std::int64_t heads = std::max(1, llama_model_n_head(model));
  const std::int64_t usual = llama_model_n_embd(model) / heads;
  const std::string prefix = std::string(architecture) + ".attention.";
  const std::int64_t key = find_metadata(model, prefix + "key_length");
  const std::int64_t value = find_metadata(model, prefix + "value_length");
  const std::int64_t per_head = (key > 0 ? key : usual) + (value > 0 ? value : usual);
  const std::int64_t kv_heads = std::max(1, llama_model_n_head_kv(model));
  return std::max<std::int64_t>(1, 2 * llama_model_n_layer(model) * kv_heads * per_head);
}

}  // namespace

Decoder::Decoder(DecoderOptions options) : options_(std::move(options)) {}

Decoder::~Decoder() {
  if (batch_.token) llama_batch_free(batch_);
}

Result<std::unique_ptr<Decoder>> Decoder::create(DecoderOptions options) {
  std::unique_ptr<Decoder> decoder(new Decoder(std::move(options)));
  RETURN_IF_ERROR(decoder->load());
  return decoder;
}

Result<void> Decoder::load() {
  ASSIGN_OR_RETURN(model_, load_model(options_.path, Part::Everything));
  const std::int64_t per_cell = bytes_per_cell(model_.get());
  const std::int64_t cells = (static_cast<std::int64_t>(options_.memory_mb) << 20) / per_cell;
  if (cells < kFewestCells)
    return fail(ErrorKind::Invalid,
                "{} MB hold only {} tokens of this model: give --embedded-memory at least {}",
                options_.memory_mb, cells, (kFewestCells * per_cell >> 20) + 1);
  const std::int64_t most = static_cast<std::int64_t>(llama_model_n_ctx_train(model_.get())) *
                            std::max(1, options_.sequences);
  // llama.cpp rounds up to whole blocks of 256.
  cells_ = static_cast<int>(std::min({cells, most, std::int64_t{1} << 20}) / 256 * 256);
  cells_ = std::max(cells_, kFewestCells);
  can_share_ = !llama_model_is_recurrent(model_.get()) && !llama_model_is_hybrid(model_.get());

  llama_context_params params = llama_context_default_params();
  const int threads = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  params.n_ctx = static_cast<std::uint32_t>(cells_);
  params.n_batch = kBatch;
  params.n_ubatch = kBatch;
  params.n_outputs_max = kMostLogits;
  params.n_seq_max = static_cast<std::uint32_t>(options_.sequences);
  params.n_threads = threads;
  params.n_threads_batch = threads;
  // One memory for all, so that sequences can share cells; flash attention passes over the cells of
  // others, which makes the shared memory as fast as separate ones.
  params.kv_unified = true;
  params.flash_attn_type = LLAMA_FLASH_ATTN_TYPE_AUTO;
  params.swa_full = true;
  params.no_perf = true;
  params.abort_callback = [](void* self) {
    const auto& should_stop = static_cast<Decoder*>(self)->options_.should_stop;
    return should_stop && should_stop();
  };
  params.abort_callback_data = this;
  context_.reset(llama_init_from_model(model_.get(), params));
  if (!context_)
    return fail(ErrorKind::Invalid,
                "llama.cpp cannot make room for {} tokens: give a smaller "
                "--embedded-memory",
                cells_);
  batch_ = llama_batch_init(kBatch, 0, 1);
  vocabulary_size_ =
      static_cast<std::size_t>(llama_vocab_n_tokens(llama_model_get_vocab(model_.get())));
  return {};
}

std::string Decoder::describe() const {
  char text[128] = "";
  llama_model_desc(model_.get(), text, sizeof text);
  return text;
}

int Decoder::longest_sequence() const {
  return std::min(cells_, llama_model_n_ctx_train(model_.get()));
}

void Decoder::share(int from, int to, int length) {
  llama_memory_seq_cp(llama_get_memory(context_.get()), from, to, 0, length);
}

void Decoder::cut(int sequence, int length) {
  llama_memory_seq_rm(llama_get_memory(context_.get()), sequence, length, -1);
}

int Decoder::room() const {
  return kBatch - batch_.n_tokens;
}

int Decoder::logits_room() const {
  return kMostLogits - logits_kept_;
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
  const int status = llama_decode(context_.get(), batch_);
  if (status == 0) return Outcome::Done;
  return status == 2 ? Outcome::Stopped : Outcome::Failed;
}

std::span<const float> Decoder::logits(int place) const {
  return {llama_get_logits_ith(context_.get(), place), vocabulary_size_};
}

void Decoder::clear() {
  batch_.n_tokens = 0;
  logits_kept_ = 0;
}

}  // namespace personascope::llm::embedded
