// Answers in a given form: by the provider's schema support if it has any, otherwise by
// instruction; checked in both cases, and requested again a limited number of times if they do not
// fit.
#pragma once

#include <string_view>

#include "base/result.hpp"
#include "base/task.hpp"
#include "llm/ask_chain.hpp"

namespace personascope::llm {

// In which order the answer's members must be written. A provider's own means follow the order in
// which the schema was sent, and our JSON sends members alphabetically: where thoughts must come
// before their conclusion, such a provider is told in words instead.
enum class MemberOrder { Any, AsRequired };

// Like AskChain::ask. If the request has an output schema, the reply's text is JSON that fits it; a
// model that does not manage within three tries fails as Unparsable. Refusals come back as they
// are. The usage is that of all tries together.
Task<Result<core::Reply>> ask_structured(AskChain& chain, Model& model, core::Request request,
                                         Draw draw, MemberOrder order = MemberOrder::Any);

// The request as it is first sent: a schema that the model's interface cannot hold is put in words.
core::Request make_first_request(const Model& model, core::Request request,
                                 MemberOrder order = MemberOrder::Any);

// The JSON in a model's text: the text itself, or the part from the first brace or bracket to the
// last, as in a code fence or between pleasantries. Fails as Unparsable.
Result<Json> find_json(std::string_view text);

}  // namespace personascope::llm
