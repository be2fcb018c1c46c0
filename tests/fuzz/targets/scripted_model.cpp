// A script, and the model that answers from it.
#include "llm/providers/scripted.hpp"

#include "reply_property.hpp"
#include "sched/loop.hpp"

using namespace personascope;

FUZZ_TARGET(scripted_model, bytes) {
  const auto model = llm::parse_scripted_model(bytes, "script");
  if (!fuzz::succeeds(model)) return;
  if (bytes.find("delay") != bytes.npos) return;  // nobody waits here
  core::Request request;
  request.messages.push_back({core::Role::User, "What is the capital of France?"});
  sched::Loop loop;
  const llm::Attempt attempt = sched::run_to_end(loop, (*model)->ask(request, {}));
  fuzz::check_reply(attempt.reply);
}
