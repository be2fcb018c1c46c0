// A wire: how one family of APIs writes a request and reads an answer. Pure functions on JSON; the
// sending is HttpModel's.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "base/text.hpp"
#include "core/reply.hpp"
#include "core/request.hpp"

namespace personascope::llm {

enum class Streaming { No, Yes };

// Puts a streamed answer together from its server-sent events.
class StreamReader {
 public:
  virtual ~StreamReader() = default;
  // One event's data; `on_text` gets the text it adds. An error the stream reports is returned.
  virtual Result<void> read(const Json& data,
                            const std::function<void(std::string_view)>& on_text) = 0;
  // The whole reply; fails as Transient if the stream broke off before its end.
  virtual Result<core::Reply> finish() = 0;
};

class Wire {
 public:
  virtual ~Wire() = default;
  // What comes after the base URL, with a leading slash.
  virtual std::string path(const std::string& model, Streaming streaming) const = 0;
  // Fails as Unsupported if the API has no way to say something the request wants.
  virtual Result<Json> make_body(const core::Request& request, const std::string& model,
                                 Streaming streaming) const = 0;
  // The reply in a 2xx answer; fails as Transient if it is not of the form the API promises, or as
  // read_reported_error() says if it holds an error in place of a reply.
  virtual Result<core::Reply> read_reply(const Json& body) const = 0;
  // Null if the API's stream is not server-sent events; then `path` is asked for Streaming::No
  // only.
  virtual std::unique_ptr<StreamReader> make_stream_reader() const = 0;
};

// Stands in for the user turn that some APIs demand at the start, where the dialogue has none: an
// agent that speaks first, or whose own words come first.
inline constexpr std::string_view kOpening = "(The conversation begins.)";

// The token count `key` of a usage object, if it is there and believable; sums of counts must not
// overflow.
inline std::optional<std::int64_t> find_count(const Json* usage, std::string_view key) {
  const auto count = usage ? find_integer(*usage, key) : std::nullopt;
  return count && *count >= 0 && *count <= 1'000'000'000'000 ? count : std::nullopt;
}

}  // namespace personascope::llm
