// What items cost in the store, and how fast they are read: perf_items FILE [items] [runs].
//
// Writes a run like the gym's into a new store: for every item an answer of 300 words and a judge's
// verdict of 60, then the items with their documents and links; prints the sizes before and after.
// Then reads items and a list of runs. The file stays, for measuring the program itself with it.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "base/random.hpp"
#include "store/sample_records.hpp"
#include "store/sqlite/sqlite_store.hpp"
#include "store/sqlite/store_care.hpp"

namespace {

using namespace personascope;

void expect(bool holds, const char* what) {
  if (holds) return;
  fmt::print(stderr, "failed: {}\n", what);
  std::exit(1);
}

// Words of a language that does not exist, some much more frequent than others.
class Writer {
 public:
  Writer() {
    for (int i = 0; i < 4000; ++i) {
      std::string word;
      for (std::uint64_t length = 2 + random_.below(8); length > 0; --length)
        word += static_cast<char>('a' + random_.below(26));
      words_.push_back(std::move(word));
    }
  }
  std::string write(int words) {
    std::string text;
    for (int i = 0; i < words; ++i) {
      const double place = random_.unit();
      text += words_[static_cast<std::size_t>(place * place * place * 3999.0)];
      text += i % 14 == 13 ? ". " : " ";
    }
    return text;
  }

 private:
  Random random_{1};
  std::vector<std::string> words_;
};

struct Texts {
  std::string persona, question, answer, verdict;
};

store::CallRecord make_call(std::int64_t item, const char* role, std::string request,
                            std::string reply) {
  store::CallRecord call = store::sample_call(fmt::format("{}/{}", role, item));
  call.item = store::sample_item(item).id;
  call.role = role;
  call.endpoint =
      R"({"base_url":"https://api.openai.com/v1","model":"gpt-4o","provider":"openai"})";
  call.request = render_json(
      {{"messages", {{{"role", "user"}, {"content", std::move(request)}}}}, {"temperature", 0}});
  call.replicate = R"({"try":0})";
  call.answer->text = std::move(reply);
  return call;
}

core::ItemRecord make_item(std::int64_t position, const Texts& texts) {
  core::ItemRecord item = store::sample_item(position);
  item.judges = {{"openai/gpt-4o", *item.score}};
  item.document = {{"persona", texts.persona},
                   {"task", "Expected Action"},
                   {"epoch", 0},
                   {"question", texts.question},
                   {"answer", texts.answer},
                   {"model", "gpt-4o-2024-08-06"},
                   {"examples", nullptr},
                   {"judges",
                    {{{"judge", "openai/gpt-4o"},
                      {"text", texts.verdict},
                      {"score", *item.score},
                      {"verdict", *item.score},
                      {"distribution", {{"3", 0.1}, {"4", 0.7}, {"5", 0.2}}},
                      {"mass", 0.98}}}}};
  core::refer_to_calls(item.document, {texts.answer, texts.verdict});
  return item;
}

double measure_ms(const std::function<void()>& body) {
  std::vector<double> times;
  for (int i = 0; i < 7; ++i) {
    const TimePoint start = SteadyClock::now();
    body();
    times.push_back(std::chrono::duration<double, std::milli>(SteadyClock::now() - start).count());
  }
  std::ranges::sort(times);
  return times[times.size() / 2];
}

double megabytes(const std::string& path) {
  expect(store::compact_sqlite_store(path).has_value(), "compact");  // also empties the log
  return static_cast<double>(std::filesystem::file_size(path)) / 1e6;
}

std::unique_ptr<store::Store> open(const std::string& path) {
  auto opened = store::open_sqlite_store(path, store::OpenMode::Create);
  expect(opened.has_value(), "open");
  return std::move(*opened);
}

// Every item's texts are drawn twice, the same each time, so that they need not be kept.
template <class Visit>
void visit_texts(std::int64_t items, const Visit& visit) {
  Writer writer;
  std::string persona;
  for (std::int64_t i = 0; i < items; ++i) {
    if (i % 10 == 0) persona = writer.write(25);
    Texts texts{persona, writer.write(20), writer.write(300), writer.write(60)};
    visit(i, texts);
  }
}

void write_calls(const std::string& path, std::int64_t items) {
  const auto store = open(path);
  expect(store->create_run(store::sample_run("1")).has_value(), "create_run");
  visit_texts(items, [&](std::int64_t i, const Texts& texts) {
    store->append(make_call(i, "model", texts.persona + texts.question, texts.answer), nullptr);
    const std::string rubric(1200, 'r');
    store->append(make_call(i, "judge", rubric + texts.question + texts.answer, texts.verdict),
                  nullptr);
    if (i % 5000 == 0) expect(store->flush().has_value(), "flush");
  });
  expect(store->flush().has_value(), "flush");
}

void write_items(const std::string& path, std::int64_t items) {
  const auto store = open(path);
  visit_texts(items, [&](std::int64_t i, const Texts& texts) {
    store->record_item(
        1, make_item(i, texts),
        {{sha256(fmt::format("model/{}", i)), ""}, {sha256(fmt::format("judge/{}", i)), ""}});
    if (i % 5000 == 0) expect(store->flush().has_value(), "flush");
  });
  expect(store->flush().has_value(), "flush");
  expect(store->update_run(1, store::RunState::Done, "", "2026-11-15T03:42:00Z").has_value(),
         "end");
}

}  // namespace

int main(int argc, char** argv) {
  expect(argc > 1, "usage: perf_items FILE [items] [runs]");
  const std::string path = argv[1];
  const std::int64_t items = argc > 2 ? std::atoll(argv[2]) : 200'000;
  const std::int64_t runs = argc > 3 ? std::atoll(argv[3]) : 1000;
  expect(!std::filesystem::exists(path), "FILE must not exist");
  write_calls(path, items);
  const double journal = megabytes(path);
  write_items(path, items);
  const double whole = megabytes(path);
  fmt::print("{} items: journal {:.1f} MB, with items {:.1f} MB: {:+.1f} %\n", items, journal,
             whole, 100 * (whole / journal - 1));
  const auto store = open(path);
  for (std::int64_t i = 1; i < runs; ++i) {
    store::RunRecord run = store::sample_run(std::to_string(i + 1));
    run.tags = {"nightly"};
    expect(store->create_run(run).has_value(), "create_run");
  }
  store::Reader& reader = store->reader();
  store::ItemFilter page;
  page.limit = 20;
  store::ItemFilter worst = page;
  worst.order = store::ItemOrder::WorstFirst;
  store::RunFilter all;
  all.limit = runs;
  std::int64_t position = items / 2;
  fmt::print("load_item       {:8.2f} ms\n", measure_ms([&] {
               expect(reader.load_item(1, position).has_value(), "load_item");
               position = (position * 7919 + 1) % items;
             }));
  fmt::print("first page      {:8.2f} ms\n",
             measure_ms([&] { expect(reader.load_items(1, page)->size() == 20, "page"); }));
  fmt::print("worst 20        {:8.2f} ms\n",
             measure_ms([&] { expect(reader.load_items(1, worst)->size() == 20, "worst"); }));
  fmt::print("{:4} runs       {:8.2f} ms\n", runs,
             measure_ms([&] { expect(std::ssize(*reader.load_runs(all)) == runs, "runs"); }));
}
