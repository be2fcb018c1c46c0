// What a prompt's directives, such as [[status 429 times=2]], ask the imitated provider to do.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.hpp"
#include "base/result.hpp"
#include "http/loopback/message.hpp"

namespace personascope::http::loopback {

enum class Ending { Stop, Length, Refusal, Filter, Error };

struct Scenario {
  std::optional<int> status;  // answered in place of a completion
  std::string retry_after;    // header beside that status
  std::optional<int> report;  // an error with that code in place of a completion, with status 200
  std::optional<std::string> words;  // the message of either
  bool too_long = false;             // 400 as for a prompt beyond the context
  bool echo_key = false;             // 400 with the received key in its message
  Ending ending = Ending::Stop;
  std::optional<std::string> say;       // the answer's text
  std::optional<std::string> raw_body;  // the whole body, in place of JSON
  bool invalid_utf8 = false;            // bytes in the text that are not UTF-8
  LoopbackHeaders headers;
  milliseconds delay{0};
  bool close = false;
  bool cut = false;
  bool stall = false;
  bool endless = false;
  std::uint64_t huge = 0;  // filler bytes after the body
};

// Reads every directive in `text`. One with times=N holds for the first N tries; `attempt` counts
// from 1. Double brackets with any other name are plain text. Fails as Invalid on a known
// directive with wrong arguments, so that a test does not run without its fault.
Result<Scenario> parse_scenario(std::string_view text, std::uint64_t attempt);

}  // namespace personascope::http::loopback
