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
// What a request that names no limit may write: small models seldom find an end by themselves.
constexpr int kMostWithoutLimit = 512;
constexpr int kShortestSequence = 512;
// A dialogue soon outgrows the shortest, and must then be computed again: so they are used only
// where twice as many wait as could run otherwise.
constexpr int kRoomySequence = 1024;
constexpr int kFewestTokens = 512;   // less memory is of no use
constexpr int kMostSequences = 256;  // llama.cpp's own limit
constexpr int kMostThreads = 16;     // reading logits is limited by memory then
constexpr int kAll = std::numeric_limits<int>::max();
constexpr std::size_t kManyWaiting = 8;
// Requests come one by one, and how many there are decides on the sequences: so after a pause the
// first waits for the others until none has come for this long, or the longest wait is over.
constexpr milliseconds kNextComesWithin{3};
constexpr milliseconds kLongestGathering{30};

std::int64_t wanted_by(const Job& job) {
  return job.sampling.max_tokens.value_or(kMostWithoutLimit);
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
