// A request's body to the imitated providers: what they answer, our own readers can read.
#include "http/loopback/form.hpp"

#include "llm/providers/anthropic.hpp"
#include "llm/providers/bedrock.hpp"
#include "llm/providers/openai.hpp"
#include "stream_property.hpp"

using namespace personascope;
using namespace personascope::http;

static void check_form(const Json& body, std::string_view path, const llm::Wire& wire) {
  const loopback::Form* form = loopback::find_form(path);
  fuzz::require(form != nullptr, "the path has a form");
  const auto ask = form->read(body, path);
  if (!fuzz::succeeds(ask)) return;
  const auto scenario = loopback::parse_scenario(ask->instructions, 1);
  if (!fuzz::succeeds(scenario)) return;
  const LoopbackReply reply = form->render(*ask, loopback::make_answer(*ask, *scenario));
  if (reply.status != 200) return;
  if (ask->stream && wire.make_stream_reader()) {
    std::string events;
    for (const LoopbackChunk& chunk : reply.chunks) events += chunk.bytes;
    fuzz::check_stream(wire, events);
    return;
  }
  const auto value = parse_json(reply.body);
  fuzz::require(value && fuzz::check_reply(wire.read_reply(*value)), "the answer can be read");
}

FUZZ_TARGET(loopback_form, bytes) {
  const auto body = parse_json(bytes);
  if (!body) return;
  check_form(*body, "/v1/chat/completions", *llm::make_openai_wire({}));
  check_form(*body, "/v1/messages", *llm::make_anthropic_wire());
  check_form(*body, "/model/a%3Ab/converse", *llm::make_bedrock_wire());
}
