// Which tokens each sequence of the model's memory holds, so that a beginning shared by several
// prompts is computed once. Bookkeeping only: the memory itself is behind KvMemory.
//
// A sequence belongs to one request while that runs and keeps its tokens afterwards, until its
// place is needed: the next turn of a dialogue goes on where it ended, and another prompt with the
// same beginning gets a copy of it. Running requests are kept in the lowest places, side by side,
// because llama.cpp computes only neighbours in one go.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace personascope::llm::embedded {

using Token = std::int32_t;

int length_in_common(std::span<const Token> a, std::span<const Token> b);

class KvMemory {
 public:
  virtual ~KvMemory() = default;
  // Makes `to` hold what `from` holds, and nothing else.
  virtual void copy(int from, int to) = 0;
  // Forgets everything of the sequence from position `length` on.
  virtual void cut(int sequence, int length) = 0;
};

class PrefixCache {
 public:
  enum class Sharing { Yes, No };
  // Without sharing, every request begins from nothing.
  PrefixCache(KvMemory& memory, int sequences, Sharing sharing = Sharing::Yes);

  struct Place {
    int sequence = 0;
    int known = 0;  // so many tokens of the prompt are there already
  };
  // A sequence for a request with this prompt, of which at least the last token is left to compute.
  // There must be one that no request uses.
  Place open(std::span<const Token> prompt);

  // How many tokens of the prompt open() would find.
  int find_known(std::span<const Token> prompt) const;

  // The sequence's next tokens, which are about to be computed.
  void append(int sequence, std::span<const Token> tokens);
  // Takes back what was appended from position `length` on: it was not computed.
  void cut(int sequence, int length);

  // The request ended; its sequence stays for others.
  void close(int sequence);

  // Moves a running request to the lowest place that none uses, if that is below its own; gives the
  // place it is in then.
  int move_down(int sequence);

  std::span<const Token> tokens(int sequence) const { return at(sequence).tokens; }

 private:
  struct Sequence {
    std::vector<Token> tokens;
    bool is_open = false;
    std::uint64_t last_use = 0;
  };

  Sequence& at(int sequence) { return sequences_[static_cast<std::size_t>(sequence)]; }
  const Sequence& at(int sequence) const { return sequences_[static_cast<std::size_t>(sequence)]; }
  // The sequence with the longest shared beginning; nothing if none shares enough to be worth it.
  std::optional<Place> find_best(std::span<const Token> prompt) const;
  std::optional<int> find_lowest_free() const;
  // Copies what an unused place holds to another one, over what was used less lately; if there is
  // no such place, it is lost.
  void make_way(int sequence, int except);
  void copy(int from, int to, int length);

  KvMemory& memory_;
  Sharing sharing_;
  std::vector<Sequence> sequences_;
  std::uint64_t uses_ = 0;
};

}  // namespace personascope::llm::embedded
