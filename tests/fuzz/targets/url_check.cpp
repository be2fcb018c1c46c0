// An address and a header as settings and files give them: what is sent nowhere breaks out.
#include "http/request_check.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(url_check, bytes) {
  const auto [url, header] = fuzz::cut(bytes);
  http::Request request;
  request.url = url;
  request.headers.push_back({"X-Header", std::string(header)});
  without_credentials(url);
  without_url_credentials(url);
  if (!fuzz::succeeds(http::check_request(request))) return;
  fuzz::require(header.find_first_of("\r\n") == std::string_view::npos, "a header is one line");
  fuzz::require(request.url.find_first_of("\r\n") == std::string::npos, "a URL is one line");
  const std::string shown = without_credentials(url);
  for (const Secret& secret : request.secrets)
    if (secret.reveal().size() >= 4 && credentials_of(url).find(secret.reveal()) == 0)
      fuzz::require(credentials_of(shown).empty(), "no password is shown");
}
