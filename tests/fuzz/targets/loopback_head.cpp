// The head of an HTTP request to the loopback server.
#include "http/loopback/request_head.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(loopback_head, bytes) {
  http::loopback::find_chunk_size(bytes);
  const auto head = http::loopback::parse_request_head(bytes);
  if (!fuzz::succeeds(head)) return;
  fuzz::require(!head->chunked || head->content_length == 0, "a body has one length");
  for (const auto& [name, value] : head->request.headers) {
    fuzz::require(!name.empty() && name == lower(name), "header names are in lower case");
    fuzz::require(value.find_first_of("\r\n") == value.npos, "a header is on one line");
    fuzz::require(head->request.find_header(name) != nullptr, "a header is found");
  }
}
