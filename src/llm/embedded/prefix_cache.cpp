#include "llm/embedded/prefix_cache.hpp"

#include <algorithm>

namespace personascope::llm::embedded {
namespace {

// A shorter beginning is computed as quickly as its sequence is copied.
constexpr int kWorthCopying = 16;

}  // namespace

int length_in_common(std::span<const Token> a, std::span<const Token> b) {
  return static_cast<int>(std::ranges::mismatch(a, b).in1 - a.begin());
}

PrefixCache::PrefixCache(KvMemory& memory, int sequences, Sharing sharing)
    : memory_(memory), sharing_(sharing), sequences_(static_cast<std::size_t>(sequences)) {}

std::optional<PrefixCache::Place> PrefixCache::find_best(std::span<const Token> prompt) const {
  std::optional<Place> best;
  if (sharing_ == Sharing::No || prompt.empty()) return best;
  // The last token is computed anew: what follows it is read from its logits.
  const auto reusable = prompt.first(prompt.size() - 1);
  for (std::size_t i = 0; i < sequences_.size(); ++i) {
    const int shared = length_in_common(sequences_[i].tokens, reusable);
    if (shared >= kWorthCopying && (!best || shared > best->known))
      best = Place{static_cast<int>(i), shared};
  }
  return best;
}

int PrefixCache::find_known(std::span<const Token> prompt) const {
  const auto best = find_best(prompt);
  return best ? best->known : 0;
}

std::optional<int> PrefixCache::find_lowest_free() const {
  const auto free = std::ranges::find(sequences_, false, &Sequence::is_open);
  if (free == sequences_.end()) return std::nullopt;
  return static_cast<int>(free - sequences_.begin());
}

PrefixCache::Place PrefixCache::open(std::span<const Token> prompt) {
  const auto best = find_best(prompt);
  int target = *find_lowest_free();
  if (best && !at(best->sequence).is_open) {
    // What goes on is not needed where it was.
    const bool goes_on = std::ssize(at(best->sequence).tokens) == best->known;
    if (goes_on) target = best->sequence;
    at(best->sequence).last_use = ++uses_;  // so that it is not what makes way
  }
  if (!best || best->sequence != target) make_way(target, best ? best->sequence : -1);
  if (best && best->sequence != target)
    copy(best->sequence, target, best->known);
  else
    cut(target, best ? best->known : 0);
  at(target).is_open = true;
  at(target).last_use = ++uses_;
  return {target, best ? best->known : 0};
}

void PrefixCache::make_way(int sequence, int except) {
  if (at(sequence).tokens.empty()) return;
  std::optional<int> shelter;
  for (int i = 0; i < static_cast<int>(sequences_.size()); ++i) {
    if (i == sequence || i == except || at(i).is_open) continue;
    if (at(i).last_use < at(shelter.value_or(sequence)).last_use) shelter = i;
  }
  if (!shelter) return;
  copy(sequence, *shelter, static_cast<int>(at(sequence).tokens.size()));
  at(*shelter).last_use = at(sequence).last_use;
}

void PrefixCache::copy(int from, int to, int length) {
  memory_.copy(from, to);
  at(to).tokens = at(from).tokens;
  cut(to, length);
}

void PrefixCache::append(int sequence, std::span<const Token> tokens) {
  at(sequence).tokens.insert(at(sequence).tokens.end(), tokens.begin(), tokens.end());
}

void PrefixCache::cut(int sequence, int length) {
  if (std::ssize(at(sequence).tokens) == length) return;
  at(sequence).tokens.resize(static_cast<std::size_t>(length));
  memory_.cut(sequence, length);
}

void PrefixCache::close(int sequence) {
  at(sequence).is_open = false;
  at(sequence).last_use = ++uses_;
  if (sharing_ == Sharing::No) cut(sequence, 0);
}

int PrefixCache::move_down(int sequence) {
  const auto lower = find_lowest_free();
  if (!lower || *lower > sequence) return sequence;
  make_way(*lower, sequence);
  copy(sequence, *lower, static_cast<int>(at(sequence).tokens.size()));
  at(*lower).is_open = true;
  at(*lower).last_use = at(sequence).last_use;
  at(sequence) = {};
  memory_.cut(sequence, 0);
  return *lower;
}

}  // namespace personascope::llm::embedded
