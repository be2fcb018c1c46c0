// Texts that make a run expensive: each is named before anything is sent.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/json.hpp"

namespace personascope::eval {

// Names every text of the plan that is far longer than a persona or question usually is, with the
// tokens it adds to each call.
std::vector<std::string> name_long_texts(const Json& plan);

// Which of many requests is far longer than the others.
class LongestRequest {
 public:
  // `what` it is ("request"), for the sentence.
  explicit LongestRequest(std::string what) : what_(std::move(what)) {}

  void add(const std::string& id, std::int64_t input_tokens);
  // A sentence about the longest one; none if it is nothing unusual.
  std::vector<std::string> describe() const;

 private:
  std::string what_;
  std::string id_;
  std::int64_t longest_ = 0;
  std::int64_t tokens_ = 0;  // of all
  std::int64_t requests_ = 0;
};

}  // namespace personascope::eval
