// The model at work: its weights and its memory of the sequences, one batch of tokens at a time.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "base/result.hpp"
#include "llm/embedded/llama_library.hpp"
#include "llm/embedded/prefix_cache.hpp"

namespace personascope::llm::embedded {

// Used from one thread, but for should_stop.
class Decoder : public KvMemory {
 public:
  // Loads the weights. Fails as NotFound if they are no model, as Cancelled if
  // `should_stop_loading` says so meanwhile. `should_stop` is asked from other threads while a
  // batch is computed.
  static Result<std::unique_ptr<Decoder>> create(const std::string& path,
                                                 std::function<bool()> should_stop,
                                                 const std::function<bool()>& should_stop_loading);
  ~Decoder() override;

  // The longest sequence the model was made for, in tokens.
  int context_length() const;
  // What one token takes in the memory.
  std::int64_t bytes_per_token() const;
  // Whether a GPU computes; it is fast only if it gets many tokens at a time.
  bool is_on_gpu() const { return is_on_gpu_; }
  // Whether a sequence can be cut and copied at any place; recurrent models' cannot.
  bool can_share() const;

  // Makes room for so many sequences of so many tokens each, all empty. Fails as NotFound
  // if llama.cpp cannot.
  Result<void> make_memory(int sequences, int length);

  void copy(int from, int to) override;
  void cut(int sequence, int length) override;

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
  Decoder(std::function<bool()> should_stop, bool is_on_gpu);

  std::function<bool()> should_stop_;
  bool is_on_gpu_;
  int max_tokens_;  // in a batch
  int max_logits_;  // of a batch
  ModelPtr model_;
  ContextPtr context_;
  llama_batch batch_{};
  int logits_kept_ = 0;
  std::size_t vocabulary_size_ = 0;
};

}  // namespace personascope::llm::embedded
