// Looking after a store's file: checking it, and giving space back.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/result.hpp"

namespace personascope::store {

struct StoreCheck {
  std::int64_t answers = 0;
  std::int64_t without_checksum = 0;       // of version 0.1: they cannot be checked
  std::vector<std::string> damaged_items;  // what damaged answers were asked for
  std::vector<std::string> faults;         // of the file itself, as SQLite names them
  bool is_sound() const { return damaged_items.empty() && faults.empty(); }
};

// Reads the whole file and checks every answer. Changes nothing. `on_answers` is told now and then
// how many answers were looked at.
Result<StoreCheck> check_sqlite_store(const std::string& path,
                                      const std::function<void(std::int64_t)>& on_answers);

// Writes the file anew without what was deleted. Returns its size before and after, in bytes. Fails
// as Storage while another process uses the store.
struct Compaction {
  std::int64_t before = 0;
  std::int64_t after = 0;
};
Result<Compaction> compact_sqlite_store(const std::string& path);

}  // namespace personascope::store
