// A call: a request to a model, and the key under which the journal keeps its answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/hash.hpp"
#include "core/request.hpp"
#include "llm/model.hpp"

namespace personascope::llm {

// Whose call it is. Roles have slots of their own, and `rescore` asks only the judge again.
inline constexpr std::string_view kModelRole = "model";  // the model under test
inline constexpr std::string_view kUserRole = "user";    // the simulated user
inline constexpr std::string_view kJudgeRole = "judge";

// Which of several equal requests this is.
struct Draw {
  std::string item;  // what it is asked for: a batch line's id, a persona's question, ...
  std::string role{kModelRole};
  int epoch = 0;  // the n-th independent repetition of the item
  int trial = 0;  // the n-th try after an unusable answer
  int round = 0;  // the n-th time that it is asked again because the stored answer is an error
  // The ids of the items that it serves, for their records; one that ends in "/" stands for all
  // items whose ids begin so. Empty: the item that `item` is or begins with.
  std::vector<std::string> owners{};
};

// What distinguishes this draw from equal requests, as canonical JSON. At temperature 0 only the
// try and the round do; above it the item and the epoch do too, so that independent draws stay
// independent. A `salt` that is not empty keeps it apart from every earlier run.
std::string render_replicate(const core::Request& request, const Draw& draw,
                             const std::string& salt);

struct Call {
  Digest key{};
  std::string endpoint;   // canonical JSON
  std::string request;    // canonical JSON
  std::string replicate;  // canonical JSON
};

Call make_call(const Endpoint& endpoint, const core::Request& request, const Draw& draw,
               const std::string& salt);

}  // namespace personascope::llm
