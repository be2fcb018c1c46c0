// A model: it answers a request. One attempt per call; the ask chain does retries, limits and the
// journal.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/json.hpp"
#include "base/result.hpp"
#include "base/task.hpp"
#include "core/reply.hpp"
#include "core/request.hpp"
#include "sched/cancel.hpp"
#include "sched/gate.hpp"
#include "sched/pacing.hpp"

namespace personascope::llm {

// What a model is, as far as its answers depend on it. Takes part in every key, so it holds no
// secret.
struct Endpoint {
  std::string provider;   // "openai"
  std::string base_url;   // without user and password; empty for models inside the program
  std::string model;      // "gpt-4o"
  std::string weights;    // hash of the file the model is made of, where we know it
  std::string version{};  // of the code that answers, for a model that a door has added
};

Json to_json(const Endpoint& endpoint);
// "openai/gpt-4o", as users write it.
std::string render_name(const Endpoint& endpoint);
// Calls with the same account share the provider's limits.
std::string render_account(const Endpoint& endpoint);

// What the model's interface can do beyond text in, text out.
struct Features {
  bool output_schema = false;  // holds the answer to a JSON schema by itself
  bool logprobs = false;
  bool choices = false;     // reads how likely given labels are
  bool likelihood = false;  // reads how likely a given text is
  bool thinking = false;    // can be told how much to think
  bool dialogue = true;     // can be told what was said before
  // It runs inside this program: at most so many requests at once do any good, none costs money,
  // and a stop gives them up at once. 0: it is elsewhere.
  int local_slots = 0;
};

// How one attempt is to be made.
struct Delivery {
  std::function<void(std::string_view)> on_text;  // if set, gets the text as it is generated
  sched::Cancel* cancel = nullptr;
  std::uint64_t seed = 0;  // for a model that draws here, if the request names none
  milliseconds time_left = milliseconds::max();  // after that, the attempt ends as Timeout
};

struct Attempt {
  Result<core::Reply> reply;
  sched::PaceHint pace;
  bool is_unavailable = false;  // the server reports that it is down (HTTP 502, 503, 504)
  // Filled in by the ask chain:
  std::int64_t latency_us = 0;
  sched::Blame blame = sched::Blame::Call;  // for what is not an answer
};

// Owned by whoever made it; made and destroyed on any thread, asked on its loop's thread only, any
// number of requests at once.
class Model {
 public:
  virtual ~Model() = default;
  virtual const Endpoint& endpoint() const = 0;
  virtual Features features() const = 0;
  // For a run's record: what a model that is made of a file is made of and how it works; "sha256"
  // is the file's. Empty if it is made of none.
  virtual Json describe() const { return Json::object(); }
  // `request` stays alive until the task ends.
  virtual Task<Attempt> ask(const core::Request& request, Delivery delivery) = 0;
  // Ends what the model keeps open at its server, such as sessions. Called when nothing more will
  // be asked; what fails is left open.
  virtual Task<void> close() { co_return; }
};

// Whether it runs inside this program.
inline bool is_local(const Model& model) {
  return model.features().local_slots > 0;
}

// Fails as Unsupported if the request wants a reading that the model cannot give, and as
// Misconfigured if it says how much to think and the model cannot be told.
Result<void> check_support(const Model& model, const core::Request& request);

}  // namespace personascope::llm
