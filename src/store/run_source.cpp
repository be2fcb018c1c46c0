#include "store/run_source.hpp"

namespace personascope::store {

Digest make_call_key(std::string_view endpoint, std::string_view request,
                     std::string_view replicate) {
  Sha256 hash;
  for (const std::string_view part : {std::string_view("ask"), endpoint, request, replicate}) {
    hash.update(part);
    hash.update("\n");
  }
  return hash.digest();
}

}  // namespace personascope::store
