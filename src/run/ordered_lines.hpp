// Lines that are finished in any order and written in the order of their index.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "base/result.hpp"

namespace personascope::run {

class OrderedLines {
 public:
  explicit OrderedLines(std::function<Result<void>(std::string_view)> write)
      : write_(std::move(write)) {}

  // The line of that index (from 0, each once), without its end.
  Result<void> put(std::int64_t index, std::string line);

  // Whether so much waits for an earlier line that no further one should be begun.
  bool is_full() const { return waiting_bytes_ > kMostBytes; }

 private:
  static constexpr std::size_t kMostBytes = 32u << 20;

  std::function<Result<void>(std::string_view)> write_;
  std::int64_t next_ = 0;
  std::map<std::int64_t, std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
};

}  // namespace personascope::run
