// Reads a provider's error: its kind by status, code and message, and the sentence to show.
#pragma once

#include <string>
#include <string_view>

#include "base/json.hpp"
#include "base/result.hpp"
#include "http/client.hpp"

namespace personascope::llm {

// The error that an answer with a status outside 2xx stands for. Errors of the account, the key,
// the quota or the region are Unauthorized and a missing model or address is NotFound, with any
// status, because they would affect every further call. `url` is named where the address may be
// wrong.
Error read_http_error(int status, std::string_view body, std::string_view url = "");

// The error in an answer with a 2xx status: `error` is what stands under that name, an object or a
// text. A number as its code is read as a status. Transient if nothing says what it is.
Error read_reported_error(const Json& error);

// The JSON of an answer; fails as read_http_error says, and as Transient if it is no JSON, with the
// URL and the beginning of what came instead.
Result<Json> read_json(const http::Response& response, std::string_view url);

}  // namespace personascope::llm
