#include "llm/embedded/batcher.hpp"

#include <algorithm>
#include <utility>

namespace personascope::llm::embedded {
namespace {

// A beginning shorter than this is quicker computed twice than waited for.
constexpr int kWorthWaiting = 24;
// A job passed over so often for better fitting ones is next.
constexpr int kPatience = 64;
// Cells of ended requests slow every later token a little, so not all of the memory is for them.
constexpr int kIdleShare = 2;
// What a request that names no limit may write: small models seldom find an end by themselves.
constexpr int kMostWithoutLimit = 512;

int length_in_common(std::span<const Token> a, std::span<const Token> b) {
  return static_cast<int>(std::ranges::mismatch(a, b).in1 - a.begin());
}

}  // namespace

Batcher::Batcher(BatcherOptions options, const Vocabulary& vocabulary)
    : options_(std::move(options)), vocabulary_(vocabulary), thread_([this] { run(); }) {}

Batcher::~Batcher() {
  is_ending_ = true;
  wake();
  thread_.join();
}

void Batcher::submit(std::shared_ptr<Job> job) {
  {
    const std::scoped_lock lock(mutex_);
    submitted_.push_back(std::move(job));
    has_news_ = true;
  }
  changed_.notify_one();
}

void Batcher::wake() {
  {
    const std::scoped_lock lock(mutex_);
    has_news_ = true;
  }
  changed_.notify_one();
}

void Batcher::run() {
  while (wait_for_work()) {
    drop_cancelled();
    if (waiting_.empty() && running_.empty()) continue;
    if (!decoder_) {
      if (auto loaded = load(); !loaded) {
        for (const Waiting& waiting : std::exchange(waiting_, {}))
          waiting.job->done(std::unexpected(loaded.error()), {});
        continue;
      }
    }
    admit();
    fill_batch();
    compute();
    finish_done();
  }
  const Error error{ErrorKind::Cancelled, "the model is being closed"};
  for (const auto& generation : running_) generation->finish_with(error);
  for (const Waiting& waiting : waiting_) waiting.job->done(std::unexpected(error), {});
}

bool Batcher::wait_for_work() {
  std::unique_lock lock(mutex_);
  if (running_.empty() && waiting_.empty()) changed_.wait(lock, [this] { return has_news_; });
  has_news_ = false;
  for (auto& job : submitted_) waiting_.push_back({std::move(job), 0});
  submitted_.clear();
  return !is_ending_;
}

Result<void> Batcher::load() {
  const int sequences = std::min<int>(static_cast<int>(llama_max_parallel_sequences()),
                                      std::max(16, 4 * options_.parallel));
  ASSIGN_OR_RETURN(decoder_, Decoder::create({.path = options_.path,
                                              .sequences = sequences,
                                              .memory_mb = options_.memory_mb,
                                              .should_stop = [this] { return all_cancelled(); }}));
  const bool may_share = decoder_->can_share() && options_.parallel > 1;
  cache_ = std::make_unique<PrefixCache>(
      *decoder_, sequences, decoder_->cells(),
      may_share ? PrefixCache::Sharing::Yes : PrefixCache::Sharing::No);
  return {};
}

bool Batcher::all_cancelled() const {
  return is_ending_ || std::ranges::all_of(running_, [](const auto& generation) {
           return generation->job().is_cancelled.load();
         });
}

void Batcher::drop_cancelled() {
  const TimePoint now = SteadyClock::now();
  const auto find_end = [&](const Job& job) -> std::optional<Error> {
    if (job.is_cancelled) return Error{ErrorKind::Cancelled, "given up"};
    if (job.deadline < now) return Error{ErrorKind::Timeout, "the model took too long"};
    return std::nullopt;
  };
  std::erase_if(waiting_, [&](const Waiting& waiting) {
    const auto end = find_end(*waiting.job);
    if (end) waiting.job->done(std::unexpected(*end), {});
    return end.has_value();
  });
  std::erase_if(running_, [&](const auto& generation) {
    const auto end = find_end(generation->job());
    if (!end) return false;
    cache_->close(generation->place.sequence);
    generation->finish_with(*end);
    return true;
  });
}

void Batcher::admit() {
  while (static_cast<int>(running_.size()) < options_.parallel) {
    const auto next = find_next();
    if (!next || !begin(waiting_[*next].job)) return;
    for (std::size_t i = 0; i < *next; ++i) ++waiting_[i].passed_over;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(*next));
  }
}

std::optional<std::size_t> Batcher::find_next() {
  std::optional<std::size_t> best;
  int best_known = -1;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Job& job = *waiting_[i].job;
    const int known = cache_->find_known(job.shareable());
    if (waiting_[i].passed_over >= kPatience) return i;
    if (known <= best_known || should_wait(job, known)) continue;
    best = i;
    best_known = known;
  }
  return best;
}

bool Batcher::should_wait(const Job& job, int known) const {
  return std::ranges::any_of(running_, [&](const auto& generation) {
    return generation->is_in_prompt() &&
           length_in_common(generation->job().tokens, job.shareable()) > known + kWorthWaiting;
  });
}

bool Batcher::begin(const std::shared_ptr<Job>& job) {
  const int length = static_cast<int>(job->tokens.size());
  if (length >= decoder_->longest_sequence()) {
    job->done(fail(ErrorKind::ContextTooLong,
                   "the prompt has {} tokens, and the model takes at most {} with this memory "
                   "(--embedded-memory)",
                   length, decoder_->longest_sequence() - 1),
              {});
    return true;
  }
  const auto most = static_cast<int>(std::min<std::int64_t>(
      job->sampling.max_tokens.value_or(kMostWithoutLimit), decoder_->longest_sequence() - length));
  auto generation = Generation::create(job, vocabulary_, most);
  if (!generation) {
    job->done(std::unexpected(std::move(generation).error()), {});
    return true;
  }
  const auto place = cache_->open(job->shareable());
  if (!place) return false;
  (*generation)->begin_at(*place);
  // What it will need in the worst case must be free besides what the others may need.
  int needed = (*generation)->left();
  for (const auto& other : running_) needed += other->left();
  if (!cache_->make_room(needed)) {
    cache_->close(place->sequence);
    return false;
  }
  running_.push_back(std::move(*generation));
  return true;
}

void Batcher::fill_batch() {
  // Answers first: each wants one token, and nobody should wait for a long prompt of another.
  for (const auto& generation : running_)
    if (!generation->is_in_prompt()) add_tokens(*generation);
  for (const auto& generation : running_)
    if (generation->is_in_prompt()) add_tokens(*generation);
}

void Batcher::add_tokens(Generation& generation) {
  const int from = generation.computed();
  int position = from;
  for (const Token token : generation.next()) {
    const bool wants_logits = generation.wants_logits(position);
    if (decoder_->room() == 0 || (wants_logits && decoder_->logits_room() == 0)) break;
    const int place = decoder_->add(generation.place.sequence, position, token,
                                    wants_logits ? Decoder::Logits::Keep : Decoder::Logits::Skip);
    if (wants_logits) reads_.push_back({&generation, place});
    cache_->append(generation.place.sequence, std::span(&token, 1));
    ++position;
  }
  generation.advance(position - from);
  if (position > from) fed_.push_back({&generation, from});
}

void Batcher::compute() {
  if (decoder_->is_empty()) return;
  switch (decoder_->decode()) {
    case Decoder::Outcome::Done:
      for (const Read& read : reads_) read.generation->take(decoder_->logits(read.place));
      break;
    case Decoder::Outcome::Stopped:
      take_back();
      break;
    case Decoder::Outcome::Failed:
      take_back();
      for (const Fed& fed : fed_) {
        cache_->close(fed.generation->place.sequence);
        fed.generation->finish_with({ErrorKind::Internal, "llama.cpp could not compute a batch"});
      }
      std::erase_if(running_, [this](const auto& generation) {
        return std::ranges::find(fed_, generation.get(), &Fed::generation) != fed_.end();
      });
      break;
  }
  decoder_->clear();
  reads_.clear();
  fed_.clear();
}

void Batcher::take_back() {
  for (const Fed& fed : fed_) {
    cache_->cut(fed.generation->place.sequence, fed.from);
    fed.generation->advance(fed.from - fed.generation->computed());
  }
}

void Batcher::finish_done() {
  bool is_any = false;
  std::erase_if(running_, [&](const auto& generation) {
    if (!generation->is_finished()) return false;
    cache_->close(generation->place.sequence);
    generation->finish();
    is_any = true;
    return true;
  });
  if (is_any) cache_->trim_idle(decoder_->cells() / kIdleShare);
}

}  // namespace personascope::llm::embedded
