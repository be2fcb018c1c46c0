// How the batcher divides the memory: how long sequences are, and how many there are.
#include <algorithm>

#include "llm/embedded/batcher.hpp"

namespace personascope::llm::embedded {
namespace {

// What a request that names no limit may write: small models seldom find an end by themselves.
constexpr int kMostWithoutLimit = 512;
constexpr int kShortestSequence = 512;
// A dialogue soon outgrows the shortest, and must then be computed again: so they are used only
// where twice as many wait as could run otherwise.
constexpr int kRoomySequence = 1024;
constexpr int kFewestTokens = 512;   // less memory is of no use
constexpr int kMostSequences = 256;  // llama.cpp's own limit
constexpr int kMostThreads = 16;     // reading logits is limited by memory then

std::int64_t wanted_by(const Job& job) {
  return job.sampling.max_tokens.value_or(kMostWithoutLimit);
}

}  // namespace

Result<void> Batcher::load() {
  ASSIGN_OR_RETURN(auto decoder, Decoder::create(
                                     options_.path, [this] { return all_cancelled(); },
                                     [this] { return nobody_waits(); }));
  const std::int64_t per_token = decoder->bytes_per_token();
  room_ = (static_cast<std::int64_t>(options_.memory_mb) << 20) / per_token;
  if (room_ < kFewestTokens)
    return fail(
        ErrorKind::NotFound,
        "{} MB are enough for only {} tokens of this model: set `embedded_memory` to at least {}",
        options_.memory_mb, room_, (kFewestTokens * per_token >> 20) + 1);
  longest_ = static_cast<int>(std::min<std::int64_t>(room_, decoder->context_length()));
  decoder_ = std::move(decoder);
  // On a CPU all threads compute the batch, and wait for its next one actively: more would disturb.
  const int cores = static_cast<int>(std::thread::hardware_concurrency());
  pool_ = std::make_unique<WorkerPool>(decoder_->is_on_gpu() ? std::min(cores, kMostThreads) : 1);
  return {};
}

int Batcher::answer_limit(const Job& job) const {
  if (job.scored_from || !job.labels.empty()) return 0;
  return static_cast<int>(std::min<std::int64_t>(
      wanted_by(job), longest_ - static_cast<std::int64_t>(job.tokens.size())));
}

std::string_view Batcher::describe_longest() const {
  return longest_ < decoder_->context_length()
             ? "the limit of the memory: increase `embedded_memory`"
             : "the limit of the model's context: shorten the prompt, or use a model with a longer "
               "context";
}

AnswerRoom Batcher::room_for(const Job& job) const {
  AnswerRoom room{answer_limit(job), ""};
  if (room.most > 0 && room.most < wanted_by(job))
    room.shortage = fmt::format(
        "the answer did not end within the {} tokens that are left after the prompt's {} (it may "
        "have {}); together they reach {}",
        room.most, job.tokens.size(), wanted_by(job), describe_longest());
  return room;
}

int Batcher::length_for(const Job& job) const {
  const int needed = static_cast<int>(job.tokens.size()) + answer_limit(job);
  int length = kShortestSequence;
  while (length < needed) length *= 2;
  return std::min(length, longest_);
}

int Batcher::sequences_of(int length) const {
  if (options_.parallel == 1) return 1;
  return static_cast<int>(std::clamp<std::int64_t>(room_ / length, 1, kMostSequences));
}

// Some sequences are left for beginnings that running requests do not have.
int Batcher::most_running_in(int sequences) const {
  return std::min(options_.parallel, sequences < 4 ? sequences : sequences * 3 / 4);
}

Result<void> Batcher::fit_memory() {
  // The oldest decides; what needs no more than twice as much may come along.
  const int first = length_for(*waiting_.front().job);
  int length = first;
  for (const Waiting& waiting : waiting_)
    if (const int other = length_for(*waiting.job); other <= 2 * first)
      length = std::max(length, other);
  const auto fitting = std::ranges::count_if(
      waiting_, [&](const Waiting& waiting) { return length_for(*waiting.job) <= length; });
  const int roomy = std::min(kRoomySequence, longest_);
  const int most = most_running_in(sequences_of(roomy));
  const bool want_more = fitting >= 2 * most && most < options_.parallel;
  const bool could_be_more = want_more && length < length_ && length_ <= roomy;
  if (length <= length_ && !could_be_more && !is_too_roomy()) return {};
  if (!want_more) length = std::max(length, roomy);
  const int sequences = sequences_of(length);
  length_ = 0;
  cache_.reset();
  RETURN_IF_ERROR(decoder_->make_memory(sequences, length));
  const bool may_share = decoder_->can_share() && options_.parallel > 1;
  cache_ = std::make_unique<PrefixCache>(
      *decoder_, sequences, may_share ? PrefixCache::Sharing::Yes : PrefixCache::Sharing::No);
  length_ = length;
  most_running_ = most_running_in(sequences);
  return {};
}

}  // namespace personascope::llm::embedded
