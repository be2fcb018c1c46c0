// A line of a batch.
#include "eval/batch/batch_line.hpp"

#include "property.hpp"

using namespace personascope;

FUZZ_TARGET(batch_line, bytes) {
  const auto line = eval::batch::parse_batch_line(bytes);
  if (!fuzz::succeeds(line)) return;
  fuzz::require(!line->id.empty() && !line->role.empty(), "a line has an id and a role");
  const core::Reply reply{.text = line->request.messages.front().content,
                          .model = "model",
                          .finish = core::FinishReason::Stop,
                          .usage = {},
                          .logprobs = {}};
  const auto answer = parse_json(eval::batch::render_answer_line(line->id_json, reply));
  fuzz::require(
      answer && render_json(answer->at("id")) == line->id_json && answer->at("text") == reply.text,
      "an answer's line reads back the same");
}
