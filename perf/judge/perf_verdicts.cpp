// Times the reading of verdicts: a million judges' replies on one thread. Prints "name seconds
// texts bytes sum" lines; compare.py reads them and does the same texts the plain Python way.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "judge/verdict_text.hpp"

namespace personascope::judge {
namespace {

constexpr std::size_t kTexts = 1'000'000;

// The replies of a file, which are divided by lines "===".
std::vector<std::string> load_replies(const char* path) {
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  std::vector<std::string> replies;
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t end = std::min(text.find("===\n", start), text.size());
    replies.push_back(text.substr(start, end - start));
    start = end + 4;
  }
  return replies;
}

void run(const char* path) {
  const std::vector<std::string> replies = load_replies(path);
  if (replies.empty()) {
    fmt::print(stderr, "no replies in {}\n", path);
    std::exit(2);
  }
  const VerdictReader reader(VerdictForm{.scale = make_number_scale(1, 5)});
  double best = 1e9;
  double sum = 0;
  std::size_t bytes = 0;
  for (int round = 0; round < 3; ++round) {
    sum = 0;
    bytes = 0;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < kTexts; ++i) {
      const std::string& reply = replies[i % replies.size()];
      const core::Verdict verdict = reader.read(reply);
      sum += core::is_scored(verdict) ? verdict.score : 0;
      bytes += reply.size();
    }
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    best = std::min(best, taken.count());
  }
  fmt::print("verdicts {:.4f} {} {} {}\n", best, kTexts, bytes, sum);
}

}  // namespace
}  // namespace personascope::judge

int main(int argc, char** argv) {
  personascope::judge::run(argc > 1 ? argv[1] : "perf/judge/replies.txt");
}
