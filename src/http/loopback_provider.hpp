// An imitation of model providers for the loopback server: OpenAI chat completions, Anthropic
// Messages and Bedrock Converse, with faults on demand. The answer's text is a function of the
// request. A prompt asks for a fault by a directive in its system text or last message:
//
//   [[status 429 retry-after=1]]  that status, in the provider's form of error
//   [[report 402]]                status 200, and an error with that code in place of an answer
//   [[words TEXT]]                the message of either
//   [[close]] [[cut]] [[stall]]   no answer; half an answer, then the end; or then silence
//   [[endless]] [[huge BYTES]]    a body without end; BYTES of filler after the body
//   [[delay MS]]                  an answer that comes late
//   [[invalid-utf8]] [[not-json]] [[empty]]      a body that is not what it should be
//   [[refuse]] [[filter]] [[length]] [[too-long]]  the ways a model has of not answering
//   [[blank]] [[break-off]]       no text; an answer that the server could not finish (OpenAI's
//   form)
//   [[echo-key]]                  an error that quotes the key it was sent
//   [[say TEXT]]                  exactly TEXT; an empty one too
//   [[header NAME=VALUE]]         one more header
//
// All but words, say and header take times=N: only the first N tries of that very request meet it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.hpp"
#include "http/loopback/admission.hpp"
#include "http/loopback/message.hpp"
#include "http/loopback/tally.hpp"

namespace personascope::http::loopback {
struct Form;
}

namespace personascope::http {

struct LoopbackProviderOptions {
  milliseconds latency{0};       // of every completion; refusals to serve come at once
  std::uint64_t fail_every = 0;  // 0: never
  int fail_status = 500;
  loopback::AdmissionOptions admission{};
  std::string key{};                  // wanted with every request; empty: none
  std::vector<std::string> models{};  // known ones, others get 404; empty: all
};

// May be called from any thread. Beside the providers' paths it answers GET /stats, GET
// /requests?limit=N and POST /reset, which are not counted.
class LoopbackProvider {
 public:
  explicit LoopbackProvider(LoopbackProviderOptions options = {});

  LoopbackReply answer(const LoopbackRequest& request);
  // For LoopbackServer::start; borrows this.
  LoopbackHandler handler();

  LoopbackStatistics statistics() const;
  // The last bodies asked, oldest first.
  std::vector<std::string> last_bodies(std::size_t limit) const;
  // Forgets statistics, tries, and the past of limits and outages.
  void reset();

 private:
  LoopbackReply answer_counted(const loopback::Form& form, const LoopbackRequest& request);

  const LoopbackProviderOptions options_;
  mutable std::mutex mutex_;  // for all below
  loopback::Tally tally_;
  loopback::Admission admission_;
};

}  // namespace personascope::http
