// Two threads over the lens's files: `read DIR` only opens and reads every file below DIR, `load
// DIR` parses every user's profile and tasks. Prints files (or users), bytes and seconds.
#include <fmt/format.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "eval/personalens/folder_users.hpp"
#include "files/folder.hpp"

namespace {

using namespace personascope;
namespace fs = std::filesystem;
namespace lens = eval::personalens;

struct Count {
  std::size_t files = 0;
  std::size_t bytes = 0;
};

void read_all(const files::Folder& folder, std::vector<char>& buffer, Count& count) {
  std::vector<std::string> names;
  if (!folder.list(names)) return;
  for (const std::string& name : names) {
    if (!name.ends_with(".txt")) {
      if (const auto inner = folder.open_folder(name)) read_all(*inner, buffer, count);
      continue;
    }
    const auto text = folder.read(name, buffer, 1u << 20);
    if (!text) continue;
    ++count.files;
    count.bytes += text->size();
  }
}

template <class Work>
Count in_two_threads(std::size_t items, const Work& work) {
  std::atomic<std::size_t> next{0};
  Count counts[2];
  const auto take = [&](Count& count) {
    for (std::size_t i = next++; i < items; i = next++) work(i, count);
  };
  {
    const std::jthread helper([&] { take(counts[1]); });
    take(counts[0]);
  }
  return {counts[0].files + counts[1].files, counts[0].bytes + counts[1].bytes};
}

Count read_tree(const std::string& path) {
  const auto root = files::Folder::open(path);
  std::vector<std::string> names;
  if (!root || !root->list(names)) return {};
  return in_two_threads(names.size(), [&](std::size_t i, Count& count) {
    thread_local std::vector<char> buffer;
    if (const auto folder = root->open_folder(names[i])) read_all(*folder, buffer, count);
  });
}

Count load_users(const std::string& path) {
  const auto users = lens::open_folder_users(path);
  if (!users) return {};
  const std::vector<int> numbers = (*users)->list_users();
  return in_two_threads(numbers.size(), [&](std::size_t i, Count& count) {
    const bool loaded = (*users)->load_user(numbers[i]) &&
                        (*users)->load_tasks(numbers[i], lens::Span::Single) &&
                        (*users)->load_tasks(numbers[i], lens::Span::Multi);
    count.files += loaded ? 1 : 0;
  });
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const auto start = std::chrono::steady_clock::now();
  const Count count = std::string(argv[1]) == "read" ? read_tree(argv[2]) : load_users(argv[2]);
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  fmt::print("{} {} {:.3f}\n", count.files, count.bytes, took.count());
  return count.files > 0 ? 0 : 1;
}
