// Which token sequences the model's memory holds, so that a beginning shared by several prompts is
// computed once. Bookkeeping only: the memory itself is behind KvMemory.
//
// A sequence belongs to one request while that runs and is kept afterwards, as long as there is
// room: the next turn of a dialogue goes on where it ended, and another prompt with the same
// beginning copies the part they share. A copied cell is one cell with two owners.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace personascope::llm::embedded {

using Token = std::int32_t;

class KvMemory {
 public:
  virtual ~KvMemory() = default;
  // Makes the empty sequence `to` share the first `length` tokens of `from`.
  virtual void share(int from, int to, int length) = 0;
  // Forgets everything of the sequence from position `length` on.
  virtual void cut(int sequence, int length) = 0;
};

class PrefixCache {
 public:
  enum class Sharing { Yes, No };
  // Room for `cells` tokens in all, in at most `sequences` sequences. Without sharing, every
  // request begins from nothing.
  PrefixCache(KvMemory& memory, int sequences, int cells, Sharing sharing = Sharing::Yes);

  struct Place {
    int sequence = 0;
    int known = 0;  // so many tokens of the prompt are there already
  };
  // A sequence for a request with this prompt, of which at least the last token is left to compute.
  // Nothing if every sequence belongs to a running request.
  std::optional<Place> open(std::span<const Token> prompt);

  // How many tokens of the prompt open() would find there.
  int find_known(std::span<const Token> prompt) const;

  // Frees sequences that no request uses, the least lately used first, until `cells` tokens more
  // fit; false if even then they do not.
  bool make_room(int cells);

  // The sequence's next tokens, which are about to be computed. Room must have been made.
  void append(int sequence, std::span<const Token> tokens);
  // Takes back what was appended from position `length` on: it was not computed.
  void cut(int sequence, int length);

  // The request ended; its sequence stays for others.
  void close(int sequence);
  // Frees sequences that no request uses, the least lately used first, until they hold at most
  // `cells` cells that no running request shares.
  void trim_idle(int cells);

  std::span<const Token> tokens(int sequence) const;
  int used_cells() const { return used_cells_; }
  int idle_cells() const;

 private:
  struct Sequence {
    std::vector<Token> tokens;
    std::vector<int> cells;  // which cell holds each token
    bool is_open = false;
    std::uint64_t last_use = 0;
  };

  int length_shared(const Sequence& sequence, std::span<const Token> prompt) const;
  // The sequence with the longest shared beginning, and its length; {-1, 0} if none shares any.
  Place find_best(std::span<const Token> prompt) const;
  std::optional<int> find_free();
  bool drop_oldest(int except);

  KvMemory& memory_;
  Sharing sharing_;
  std::vector<Sequence> sequences_;
  std::vector<int> owners_;      // by cell
  std::vector<int> free_cells_;  // a stack
  int used_cells_ = 0;
  std::uint64_t uses_ = 0;
};

}  // namespace personascope::llm::embedded
