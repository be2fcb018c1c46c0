// The model at work: its weights and its memory of the sequences, one batch of tokens at a time.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "llm/embedded/llama_library.hpp"
#include "llm/embedded/prefix_cache.hpp"

namespace personascope::llm::embedded {

struct DecoderOptions {
  std::string path;
  int sequences = 64;
  int memory_mb = 384;                // for the memory of the sequences; the weights come on top
  std::function<bool()> should_stop;  // asked from other threads while a batch is computed
};

// Used from one thread.
class Decoder : public KvMemory {
 public:
  // Loads the weights. Fails as NotFound (not a model) or Invalid (too little memory).
  static Result<std::unique_ptr<Decoder>> create(DecoderOptions options);
  ~Decoder() override;

  void share(int from, int to, int length) override;
  void cut(int sequence, int length) override;

  // How many tokens of all sequences together fit into the memory.
  int cells() const { return cells_; }
  // The longest sequence, in tokens: what the model was made for, if the memory holds as much.
  int longest_sequence() const;
  // Whether a sequence can be cut and shared at any place; recurrent models cannot.
  bool can_share() const { return can_share_; }
  std::string describe() const;

  // How many tokens, and how many whose logits are read, still fit into the batch.
  int room() const;
  int logits_room() const;
  enum class Logits { Skip, Keep };
  // Gives the token's place in the batch.
  int add(int sequence, int position, Token token, Logits logits);
  bool is_empty() const { return batch_.n_tokens == 0; }

  enum class Outcome { Done, Stopped, Failed };
  // Computes the batch. Unless it is done, the batch's tokens may or may not be in the memory.
  Outcome decode();
  // Of a token that was added with Logits::Keep, until the batch is cleared.
  std::span<const float> logits(int place) const;
  void clear();

 private:
  explicit Decoder(DecoderOptions options);
  Result<void> load();

  DecoderOptions options_;
  ModelPtr model_;
  ContextPtr context_;
  llama_batch batch_{};
  int cells_ = 0;
  int logits_kept_ = 0;
  std::size_t vocabulary_size_ = 0;
  bool can_share_ = true;
};

}  // namespace personascope::llm::embedded
