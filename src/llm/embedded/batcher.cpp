#include "llm/embedded/batcher.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "llm/embedded/equal_chunks.hpp"

namespace personascope::llm::embedded {
namespace {

// A beginning shorter than this is quicker computed twice than waited for.
constexpr int kWorthWaiting = 8;
// A job passed over so often for better fitting ones is next.
constexpr int kPatience = 64;
constexpr int kAll = std::numeric_limits<int>::max();
constexpr std::size_t kManyWaiting = 8;
// Requests come one by one, and how many there are decides on the sequences: so after a pause the
// first waits for the others until none has come for this long, or the longest wait is over.
constexpr milliseconds kNextComesWithin{3};
constexpr milliseconds kLongestGathering{30};

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
      if (const auto loaded = load(); !loaded) give_up(loaded.error());
      continue;  // more may have come meanwhile
    }
    refuse_too_long();
    if (running_.empty() && !waiting_.empty()) {
      if (const auto fitted = fit_memory(); !fitted) {
        give_up(fitted.error());
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
  give_up(error);
}

void Batcher::give_up(const Error& error) {
  for (const Waiting& waiting : std::exchange(waiting_, {}))
    waiting.job->done(std::unexpected(error), {});
}

bool Batcher::wait_for_work() {
  std::unique_lock lock(mutex_);
  if (running_.empty() && waiting_.empty()) {
    changed_.wait(lock, [this] { return has_news_; });
    if (options_.parallel > 1) gather(lock);
  }
  has_news_ = false;
  for (auto& job : submitted_) waiting_.push_back({std::move(job), 0});
  submitted_.clear();
  return !is_ending_;
}

void Batcher::gather(std::unique_lock<std::mutex>& lock) {
  const TimePoint end = SteadyClock::now() + kLongestGathering;
  do {
    has_news_ = false;
  } while (SteadyClock::now() < end &&
           changed_.wait_for(lock, kNextComesWithin, [this] { return has_news_; }));
}

bool Batcher::all_cancelled() const {
  return is_ending_ || std::ranges::all_of(running_, [](const auto& generation) {
           return generation->job().is_cancelled.load();
         });
}

bool Batcher::nobody_waits() {
  const std::scoped_lock lock(mutex_);
  const auto is_cancelled = [](const std::shared_ptr<Job>& job) {
    return job->is_cancelled.load();
  };
  return is_ending_ || (std::ranges::all_of(waiting_, is_cancelled, &Waiting::job) &&
                        std::ranges::all_of(submitted_, is_cancelled));
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

void Batcher::refuse_too_long() {
  std::erase_if(waiting_, [this](const Waiting& waiting) {
    const int length = static_cast<int>(waiting.job->tokens.size());
    if (length < longest_) return false;
    waiting.job->done(
        fail(ErrorKind::ContextTooLong, "the prompt has {} tokens; at most {} are possible, {}",
             length, longest_ - 1, describe_longest()),
        {});
    return true;
  });
}

void Batcher::admit() {
  while (static_cast<int>(running_.size()) < most_running_) {
    const auto next = find_next();
    if (!next) return;
    const std::shared_ptr<Job> job = waiting_[*next].job;
    for (std::size_t i = 0; i < *next; ++i) ++waiting_[i].passed_over;
    waiting_.erase(waiting_.begin() + static_cast<std::ptrdiff_t>(*next));
    begin(job);
  }
}

std::optional<std::size_t> Batcher::find_next() const {
  std::optional<std::size_t> best;
  int best_known = -1;
  if (is_too_roomy()) return best;
  for (std::size_t i = 0; i < waiting_.size(); ++i) {
    const Job& job = *waiting_[i].job;
    const bool fits = length_for(job) <= length_;
    if (waiting_[i].passed_over >= kPatience) {
      if (fits) return i;
      return std::nullopt;  // nothing begins until its turn has come
    }
    if (!fits) continue;
    const int known = cache_->find_known(job.shareable());
    if (known <= best_known || should_wait(job, known)) continue;
    best = i;
    best_known = known;
  }
  return best;
}

bool Batcher::is_too_roomy() const {
  return waiting_.size() >= kManyWaiting && std::ranges::all_of(waiting_, [this](const auto& w) {
           return 4 * length_for(*w.job) <= length_;
         });
}

bool Batcher::should_wait(const Job& job, int known) const {
  return std::ranges::any_of(running_, [&](const auto& generation) {
    return generation->is_in_prompt() &&
           length_in_common(generation->job().tokens, job.shareable()) > known + kWorthWaiting;
  });
}

void Batcher::begin(const std::shared_ptr<Job>& job) {
  auto generation = Generation::create(job, vocabulary_, room_for(*job));
  if (!generation) {
    job->done(std::unexpected(std::move(generation).error()), {});
    return;
  }
  (*generation)->begin_at(cache_->open(job->shareable()));
  running_.push_back(std::move(*generation));
}

void Batcher::fill_batch() {
  // Prompts first: the more answers are then computed together, the better. On a CPU one by one.
  for (const auto& generation : running_)
    if (generation->is_in_prompt())
      return decoder_->is_on_gpu() ? add_prompts() : add_tokens(*generation, kAll);
  move_together();
  for (const auto& generation : running_) add_tokens(*generation, kAll);
}

void Batcher::add_prompts() {
  std::ranges::sort(running_, {}, [](const auto& one) { return one->place.sequence; });
  std::vector<Generation*> generations;
  std::vector<PromptLeft> prompts;
  for (const auto& generation : running_) {
    if (!generation->is_in_prompt()) continue;
    generations.push_back(generation.get());
    prompts.push_back({generation->place.sequence, static_cast<int>(generation->next().size())});
  }
  // As many logits as tokens may be wanted.
  const int room = std::min(decoder_->room(), decoder_->logits_room());
  const EqualChunks chosen = find_equal_chunks(prompts, room);
  for (std::size_t i = 0; i < chosen.count; ++i)
    add_tokens(*generations[chosen.first + i], chosen.tokens);
}

void Batcher::move_together() {
  const auto place = [](const auto& generation) { return generation->place.sequence; };
  std::ranges::sort(running_, {}, place);
  for (auto last = running_.rbegin(); last != running_.rend(); ++last) {
    const int moved = cache_->move_down(place(*last));
    if (moved == place(*last)) break;
    (*last)->place.sequence = moved;
  }
  std::ranges::sort(running_, {}, place);
}

void Batcher::add_tokens(Generation& generation, int most) {
  const int from = generation.computed();
  int position = from;
  Read read{&generation, {}};
  for (const Token token : generation.next()) {
    const bool wants_logits = generation.wants_logits(position);
    if (position - from == most || decoder_->room() == 0 ||
        (wants_logits && decoder_->logits_room() == 0))
      break;
    const int place = decoder_->add(generation.place.sequence, position, token,
                                    wants_logits ? Decoder::Logits::Keep : Decoder::Logits::Skip);
    if (wants_logits) read.places.push_back(place);
    ++position;
  }
  if (position == from) return;
  if (!read.places.empty()) reads_.push_back(std::move(read));
  const auto count = static_cast<std::size_t>(position - from);
  cache_->append(generation.place.sequence, generation.next().first(count));
  generation.advance(position - from);
  fed_.push_back({&generation, from});
}

void Batcher::compute() {
  if (decoder_->is_empty()) return;
  switch (decoder_->decode()) {
    case Decoder::Outcome::Done:
      hand_out_logits();
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

void Batcher::hand_out_logits() {
  std::vector<std::vector<std::span<const float>>> logits(reads_.size());
  for (std::size_t i = 0; i < reads_.size(); ++i)  // llama.cpp is asked from this thread only
    for (const int place : reads_[i].places) logits[i].push_back(decoder_->logits(place));
  pool_->for_each(reads_.size(), [&](std::size_t i) {
    for (const auto& one : logits[i]) reads_[i].generation->take(one);
  });
}

void Batcher::take_back() {
  for (const Fed& fed : fed_) {
    cache_->cut(fed.generation->place.sequence, fed.from);
    fed.generation->advance(fed.from - fed.generation->computed());
  }
}

void Batcher::finish_done() {
  std::erase_if(running_, [this](const auto& generation) {
    if (!generation->is_finished()) return false;
    cache_->close(generation->place.sequence);
    generation->finish();
    return true;
  });
}

}  // namespace personascope::llm::embedded
