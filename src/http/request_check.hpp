// What is settled before a request is sent. Private to the client.
#pragma once

#include "base/result.hpp"
#include "http/client.hpp"

namespace personascope::http {

// Fails as Misconfigured if the URL is not http or https or a header would break out of its line.
// Adds to `request.secrets` what the URL gives away: its password, in every form in which it is
// sent.
Result<void> check_request(Request& request);

}  // namespace personascope::http
