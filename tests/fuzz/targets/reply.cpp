// A reply as it is stored.
#include "core/reply.hpp"

#include "reply_property.hpp"

using namespace personascope;

FUZZ_TARGET(reply, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  const auto reply = core::parse_reply(*value);
  if (fuzz::succeeds(reply)) fuzz::require_sound(*reply);
}
