// Which calls each item was made from, kept until the item is recorded.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/item.hpp"
#include "eval/evaluation.hpp"
#include "llm/call.hpp"

namespace personascope::run {

using eval::ItemIds;

class CallBook {
 public:
  explicit CallBook(ItemIds ids) : ids_(ids) {}

  void take(const llm::Draw& draw, const Digest& key, const Result<core::Reply>& answer);

  struct Calls {
    std::vector<core::CallLink> links;
    std::vector<std::string> texts;  // of their answers; empty for an error
  };
  // The item's calls in the order in which they were answered. Those of its own are forgotten,
  // those that it shares with others are kept for them.
  Calls collect(const std::string& item);

 private:
  struct Call {
    std::int64_t number = 0;  // in the order of the answers
    core::CallLink link;
    std::string text;
  };
  using ByOwner = std::map<std::string, std::vector<Call>>;

  void collect_own(const std::string& item, std::vector<Call>& calls);

  ItemIds ids_;
  std::int64_t count_ = 0;
  ByOwner own_;
  ByOwner shared_;  // by the beginning of ids that they serve, which ends in "/"
};

}  // namespace personascope::run
