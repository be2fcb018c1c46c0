#include "llm/embedded/prefix_cache.hpp"

#include <algorithm>
#include <numeric>

namespace personascope::llm::embedded {

PrefixCache::PrefixCache(KvMemory& memory, int sequences, int cells, Sharing sharing)
    : memory_(memory),
      sharing_(sharing),
      sequences_(static_cast<std::size_t>(sequences)),
      owners_(static_cast<std::size_t>(cells), 0),
      free_cells_(static_cast<std::size_t>(cells)) {
  std::iota(free_cells_.rbegin(), free_cells_.rend(), 0);
}

int PrefixCache::length_shared(const Sequence& sequence, std::span<const Token> prompt) const {
  // The last token is computed anew: what follows it is read from its logits.
  const std::size_t most = prompt.empty() ? 0 : prompt.size() - 1;
  const std::size_t length = std::min(most, sequence.tokens.size());
  const auto differs =
      std::mismatch(sequence.tokens.begin(),
                    sequence.tokens.begin() + static_cast<std::ptrdiff_t>(length), prompt.begin());
  return static_cast<int>(differs.first - sequence.tokens.begin());
}

PrefixCache::Place PrefixCache::find_best(std::span<const Token> prompt) const {
  Place best{-1, 0};
  if (sharing_ == Sharing::No) return best;
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    const int length = length_shared(sequences_[i], prompt);
    if (length > best.known) best = {static_cast<int>(i), length};
  }
  return best;
}

int PrefixCache::find_known(std::span<const Token> prompt) const {
  return find_best(prompt).known;
}

std::optional<PrefixCache::Place> PrefixCache::open(std::span<const Token> prompt) {
  const Place best = find_best(prompt);
  if (best.sequence >= 0) {
    Sequence& known = sequences_[static_cast<std::size_t>(best.sequence)];
    if (!known.is_open && known.tokens.size() == static_cast<std::size_t>(best.known)) {
      known.is_open = true;  // it goes on where it ended
      known.last_use = ++uses_;
      return best;
    }
    known.last_use = ++uses_;  // so that it is not the one that makes room
  }
  auto free = find_free();
  if (!free && drop_oldest(best.sequence)) free = find_free();
  if (!free) {
    // Only the sequence that knows the beginning is left: go on in it.
    if (best.sequence < 0 || sequences_[static_cast<std::size_t>(best.sequence)].is_open)
      return std::nullopt;
    cut(best.sequence, best.known);
    sequences_[static_cast<std::size_t>(best.sequence)].is_open = true;
    return best;
  }
  Sequence& fresh = sequences_[static_cast<std::size_t>(*free)];
  fresh.is_open = true;
  fresh.last_use = ++uses_;
  if (best.sequence >= 0) {
    const Sequence& known = sequences_[static_cast<std::size_t>(best.sequence)];
    fresh.tokens.assign(known.tokens.begin(), known.tokens.begin() + best.known);
    fresh.cells.assign(known.cells.begin(), known.cells.begin() + best.known);
    for (const int cell : fresh.cells) ++owners_[static_cast<std::size_t>(cell)];
    memory_.share(best.sequence, *free, best.known);
  }
  return Place{*free, best.known};
}

std::optional<int> PrefixCache::find_free() {
  const auto free = std::ranges::find_if(
      sequences_, [](const Sequence& s) { return !s.is_open && s.tokens.empty(); });
  if (free == sequences_.end()) return std::nullopt;
  return static_cast<int>(free - sequences_.begin());
}

bool PrefixCache::drop_oldest(int except) {
  int oldest = -1;
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    const Sequence& sequence = sequences_[i];
    if (sequence.is_open || sequence.tokens.empty() || static_cast<int>(i) == except) continue;
    if (oldest < 0 || sequence.last_use < sequences_[static_cast<std::size_t>(oldest)].last_use)
      oldest = static_cast<int>(i);
  }
  if (oldest < 0) return false;
  cut(oldest, 0);
  return true;
}

bool PrefixCache::make_room(int cells) {
  while (static_cast<int>(free_cells_.size()) < cells)
    if (!drop_oldest(-1)) return false;
  return true;
}

void PrefixCache::append(int sequence, std::span<const Token> tokens) {
  Sequence& target = sequences_[static_cast<std::size_t>(sequence)];
  for (const Token token : tokens) {
    const int cell = free_cells_.back();
    free_cells_.pop_back();
    owners_[static_cast<std::size_t>(cell)] = 1;
    ++used_cells_;
    target.tokens.push_back(token);
    target.cells.push_back(cell);
  }
  target.last_use = ++uses_;
}

void PrefixCache::cut(int sequence, int length) {
  Sequence& target = sequences_[static_cast<std::size_t>(sequence)];
  for (std::size_t i = static_cast<std::size_t>(length); i < target.cells.size(); ++i) {
    const int cell = target.cells[i];
    if (--owners_[static_cast<std::size_t>(cell)] > 0) continue;
    free_cells_.push_back(cell);
    --used_cells_;
  }
  target.tokens.resize(static_cast<std::size_t>(length));
  target.cells.resize(static_cast<std::size_t>(length));
  memory_.cut(sequence, length);
}

void PrefixCache::close(int sequence) {
  Sequence& target = sequences_[static_cast<std::size_t>(sequence)];
  target.is_open = false;
  target.last_use = ++uses_;
  if (sharing_ == Sharing::No) cut(sequence, 0);
}

void PrefixCache::trim_idle(int cells) {
  while (idle_cells() > cells && drop_oldest(-1)) {
  }
}

std::span<const Token> PrefixCache::tokens(int sequence) const {
  return sequences_[static_cast<std::size_t>(sequence)].tokens;
}

int PrefixCache::idle_cells() const {
  std::vector<bool> in_use(owners_.size());
  for (const Sequence& sequence : sequences_)
    if (sequence.is_open)
      for (const int cell : sequence.cells) in_use[static_cast<std::size_t>(cell)] = true;
  return used_cells_ - static_cast<int>(std::ranges::count(in_use, true));
}

}  // namespace personascope::llm::embedded
