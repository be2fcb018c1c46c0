#include "llm/call.hpp"

namespace personascope::llm {

std::string render_replicate(const core::Request& request, const Draw& draw,
                             const std::string& salt) {
  Json parts = {{"try", draw.trial}};
  if (!core::is_deterministic(request)) {
    parts["item"] = draw.item;
    parts["epoch"] = draw.epoch;
  }
  if (draw.round > 0) parts["round"] = draw.round;
  if (!salt.empty()) parts["fresh"] = salt;
  return render_json(parts);
}

Call make_call(const Endpoint& endpoint, const core::Request& request, const Draw& draw,
               const std::string& salt) {
  Call call;
  call.endpoint = render_json(to_json(endpoint));
  call.request = render_json(core::to_json(request));
  call.replicate = render_replicate(request, draw, salt);
  // No part holds a raw newline, so the joined text is as unambiguous as its parts.
  Sha256 hash;
  for (const std::string_view part :
       {std::string_view("ask"), std::string_view(call.endpoint), std::string_view(call.request),
        std::string_view(call.replicate)}) {
    hash.update(part);
    hash.update("\n");
  }
  call.key = hash.digest();
  return call;
}

}  // namespace personascope::llm
