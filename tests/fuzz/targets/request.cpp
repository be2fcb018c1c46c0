// A chat request, and what the providers' wires make of it.
#include "core/request.hpp"

#include "llm/call.hpp"
#include "llm/estimate.hpp"
#include "llm/providers/anthropic.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/openai.hpp"
#include "property.hpp"

using namespace personascope;

static void check_wire(const llm::Wire& wire, const core::Request& request) {
  for (const auto streaming : {llm::Streaming::No, llm::Streaming::Yes}) {
    const auto body = wire.make_body(request, "anthropic.model", streaming);
    if (fuzz::succeeds(body))
      fuzz::require(parse_json(render_json(*body)).has_value(), "a body is JSON");
  }
}

FUZZ_TARGET(request, bytes) {
  const auto value = parse_json(bytes);
  if (!value) return;
  const auto request = core::parse_request(*value, {"model"});
  if (!fuzz::succeeds(request)) return;
  const Json canonical = core::to_json(*request);
  const auto again = parse_json(render_json(canonical));
  fuzz::require(again && *again == canonical, "a request's JSON reads back the same");

  const llm::CallSize size = llm::estimate_size(*request);
  fuzz::require(size.input_tokens + size.output_tokens > 0, "a call has a size");
  llm::make_call({"openai", "", "model", ""}, *request, {}, "");
  check_wire(*llm::make_openai_wire({.extra_sampling = true}), *request);
  check_wire(*llm::make_anthropic_wire(), *request);
  check_wire(*llm::make_bedrock_wire(), *request);
}
