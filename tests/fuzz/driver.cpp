// A main for the fuzz targets without libFuzzer: runs one over every file of a folder, then over
// mutations of them that are the same on every machine. Stops early when its time is up.
//
//     fuzz <target> <folder> [mutations] [seconds]
//     fuzz <target> <file>
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "mutation.hpp"
#include "property.hpp"

extern "C" void __sanitizer_set_death_callback(void (*callback)()) __attribute__((weak));

namespace {

namespace fs = std::filesystem;

constexpr const char* kMutations = "3000";
constexpr const char* kSeconds = "2";

std::string current;  // the input that the target has now
std::string faulty_file;

void save_current() {
  std::ofstream(faulty_file, std::ios::binary) << current;
  fmt::print(stderr, "the input is in {}\n", fs::absolute(faulty_file).string());
}

// A sanitizer dies without a signal, a failed property with one.
void save_current_at_death() {
  if (__sanitizer_set_death_callback) __sanitizer_set_death_callback(save_current);
  std::signal(SIGABRT, [](int) { save_current(); });
}

void run(void (*target)(std::string_view), std::string input) {
  current = std::move(input);
  // A copy of its own, so that reading past its end is seen.
  const std::vector<std::uint8_t> bytes(current.begin(), current.end());
  target(personascope::fuzz::make_text(bytes.data(), bytes.size()));
}

std::string load(const fs::path& path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> load_seeds(const fs::path& place) {
  if (!fs::is_directory(place)) return {load(place)};
  std::vector<fs::path> paths;
  for (const auto& entry : fs::directory_iterator(place)) paths.push_back(entry.path());
  std::ranges::sort(paths);
  std::vector<std::string> seeds;
  std::ranges::transform(paths, std::back_inserter(seeds), load);
  return seeds;
}

}  // namespace

int main(int count, char** arguments) {
  const auto& targets = personascope::fuzz::targets();
  const auto target = targets.find(count > 1 ? arguments[1] : "");
  if (count < 3 || target == targets.end() || !fs::exists(arguments[2])) {
    fmt::print(stderr, "usage: {} <target> <folder of seeds, or one file> [mutations] [seconds]\n",
               arguments[0]);
    return 2;
  }
  const fs::path place = arguments[2];
  const std::vector<std::string> seeds = load_seeds(place);
  if (seeds.empty()) {
    fmt::print(stderr, "{} holds no seeds\n", place.string());
    return 2;
  }
  const auto mutations = std::strtoull(count > 3 ? arguments[3] : kMutations, nullptr, 10);
  const auto limit = std::chrono::seconds(std::atoll(count > 4 ? arguments[4] : kSeconds));
  faulty_file = fmt::format("fuzz_{}.input", target->first);
  save_current_at_death();

  const auto start = personascope::SteadyClock::now();
  for (const std::string& seed : seeds) run(target->second, seed);
  std::uint64_t done = 0;
  if (fs::is_directory(place)) {
    run(target->second, "");
    for (; done < mutations && personascope::SteadyClock::now() - start < limit; ++done) {
      personascope::Random random(0, "fuzz", place.filename().string(), done);
      run(target->second, personascope::fuzz::make_mutation(seeds, random));
    }
  }
  fmt::print("{} seeds, {} mutations\n", seeds.size(), done);
  return 0;
}
