// A large file fetched over HTTP into a folder: what arrived before is continued, redirects are
// followed without taking the key along.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "base/task.hpp"
#include "http/client.hpp"

namespace personascope::run {

struct Download {
  std::string url;
  Secret token;            // sent as a bearer to the URL's own origin and to no other; may be empty
  std::string path;        // of the file; what has arrived of it is in PATH.part
  std::uint64_t size = 0;  // that it must have
  std::function<void(std::uint64_t so_far)> on_bytes;
};

// Fetches into PATH.part and leaves it there, whole by its size: the caller checks and renames it.
// It is asked for by ranges; a connection that is cut is continued as long as each new one brings
// something. Fails as http::Client::send does, as TooLarge if more comes than announced, and with
// the kind for the status that the server sends (401 Unauthorized, 404 NotFound, …).
Task<Result<void>> download_part(http::Client& client, Download download);

// What a status other than 2xx means, for an error; `what` is what was asked for.
Error describe_status(int status, std::string_view what);

// "https://host:port" of a URL, in lower case.
std::string origin_of(std::string_view url);

}  // namespace personascope::run
