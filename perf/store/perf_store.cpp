// How fast the SQLite store appends and finds: perf_store [calls] [bytes of a text].
#include <fmt/format.h>

#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <semaphore>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.hpp"
#include "base/hash.hpp"
#include "base/random.hpp"
#include "sched/loop.hpp"
#include "store/sqlite/sqlite_store.hpp"

namespace {

using namespace personascope;

constexpr std::string_view kWords[] = {
    "the",   "persona", "is",     "asked", "how",   "a",      "question", "would", "answer",
    "score", "of",      "five",   "and",   "never", "model",  "because",  "it",    "rubric",
    "city",  "teacher", "reason", "to",    "in",    "likely", "judge",    "with",  "\\n"};

std::string make_text(Random& random, std::size_t size) {
  std::string text;
  while (text.size() < size) {
    text += kWords[random.below(std::size(kWords))];
    text += random.below(8) == 0 ? std::to_string(random.below(1'000'000)) : " ";
  }
  return text;
}

Digest key_of(std::size_t call) {
  return sha256(std::to_string(call));
}

std::string item_of(std::size_t call) {
  return fmt::format("persona-{:06}", call / 4);
}

store::CallRecord make_sample(std::size_t seed, std::size_t text_size) {
  Random random(seed);
  core::Reply reply{.text = make_text(random, text_size),
                    .model = "gpt-4o-2024-08-06",
                    .finish = core::FinishReason::Stop,
                    .usage = {400, 380, 0},
                    .logprobs = {}};
  return {.key = {},
          .run = 1,
          .item = {},
          .role = "model",
          .endpoint = R"({"base_url":"https://api.openai.com/v1","model":"gpt-4o"})",
          .request = make_text(random, text_size),
          .replicate = R"({"try":0})",
          .answer = std::move(reply),
          .cost_usd = 0.0021,
          .latency_us = 812'000};
}

// Wall and processor time from its making on, per operation.
class Stopwatch {
 public:
  void print(const char* what, std::size_t operations) const {
    const double count = static_cast<double>(operations);
    const double wall = std::chrono::duration<double>(SteadyClock::now() - start_).count();
    fmt::print("{:44} {:8.0f} /s  {:6.1f} us wall  {:6.1f} us CPU\n", what, count / wall,
               1e6 * wall / count, 1e6 * (cpu_seconds() - cpu_start_) / count);
  }

 private:
  static double cpu_seconds() {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }

  TimePoint start_ = SteadyClock::now();
  double cpu_start_ = cpu_seconds();
};

std::unique_ptr<store::Store> open(const std::string& path) {
  auto opened = store::open_sqlite_store(path, store::OpenMode::Create);
  if (!opened) {
    fmt::print(stderr, "{}\n", opened.error().message);
    std::exit(1);
  }
  return std::move(*opened);
}

void expect(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "failed: {}\n", what);
  std::exit(1);
}

// `in_flight` calls wait for their commit at any time, as a run with so many connections. Each is a
// fresh copy of a sample, so that its texts lie in the cache as those of a reply just read.
void measure_append(store::Store& store, const std::vector<store::CallRecord>& samples,
                    std::size_t from, std::size_t count, int in_flight) {
  const std::string what = fmt::format("append, {} in flight", in_flight);
  std::counting_semaphore<> free_slots(in_flight);
  const Stopwatch stopwatch;
  for (std::size_t i = from; i < from + count; ++i) {
    store::CallRecord call = samples[i % samples.size()];
    call.key = key_of(i);
    call.item = item_of(i);
    free_slots.acquire();
    store.append(std::move(call), [&](const Result<store::Kept>& committed) {
      expect(committed.has_value(), "append");
      free_slots.release();
    });
  }
  expect(store.flush().has_value(), "flush");
  stopwatch.print(what.c_str(), count);
}

// As the ask chain does it, one after the other in a coroutine.
Task<void> find_all(store::Store& store, std::size_t from, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = co_await store.find_answer(key_of(from + i * 7919 % count));
    expect(found && found->has_value(), "find_answer");
  }
}

Task<void> miss_all(store::Store& store, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const auto found = co_await store.find_answer(key_of(1'000'000'000 + i));
    expect(found && !found->has_value(), "find_answer of a key not there");
  }
}

void measure_find(store::Store& store, std::size_t from, std::size_t count, const char* what) {
  const Stopwatch stopwatch;
  sched::Loop loop;
  loop.spawn(find_all(store, from, count));
  loop.run();
  stopwatch.print(what, count);
}

void measure_misses(store::Store& store, std::size_t count) {
  const Stopwatch stopwatch;
  sched::Loop loop;
  loop.spawn(miss_all(store, count));
  loop.run();
  stopwatch.print("find_answer, not there", count);
}

void measure_rest(store::Store& store, std::size_t calls) {
  constexpr std::size_t kTimes = 1000;
  {
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < kTimes; ++i)
      expect(store.reader().load_spending(1).has_value(), "spending");
    stopwatch.print("load_spending", kTimes);
  }
  {
    const Stopwatch stopwatch;
    for (std::size_t i = 0; i < kTimes; ++i) {
      expect(store.reader().load_calls(item_of(i * 31 % calls), "model", 10)->size() == 4,
             "load_calls");
    }
    stopwatch.print("load_calls of an item (4 rows)", kTimes);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t calls = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 40'000;
  const std::size_t text_size = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 1500;
  const auto folder = std::filesystem::temp_directory_path() / "personascope_perf_store";
  std::filesystem::remove_all(folder);
  const std::string path = folder / "perf.db";
  {
    std::vector<store::CallRecord> samples;
    for (std::size_t i = 0; i < 256; ++i) samples.push_back(make_sample(i, text_size));
    const auto store = open(path);
    std::size_t first = 0;
    for (const int in_flight : {1, 8, 64, 1000}) {
      const std::size_t count = in_flight == 1 ? calls / 8 : calls;
      measure_append(*store, samples, first, count, in_flight);
      first += count;
    }
    measure_find(*store, 0, first, "find_answer");
    measure_misses(*store, calls);
    measure_rest(*store, calls);
  }
  const auto bytes = std::filesystem::file_size(path);
  fmt::print("{:.1f} MB in the file\n", static_cast<double>(bytes) / 1e6);
  std::filesystem::remove_all(folder);
}
