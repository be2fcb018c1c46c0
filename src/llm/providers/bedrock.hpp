// AWS Bedrock's Converse API: one form of request for every family of models that AWS hosts.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.hpp"
#include "files/environment.hpp"
#include "http/client.hpp"
#include "llm/providers/http_model.hpp"
#include "llm/providers/wire.hpp"

namespace personascope::llm {

std::unique_ptr<Wire> make_bedrock_wire();

// Everything about a model on Bedrock but its wire. `base_url` overrides the variables and the
// region's own address, `region` what load_aws_access would find. Each request is signed when it is
// sent. Fails as load_aws_access does, and as Invalid if the address is not an http or https URL.
Result<HttpModelSetup> make_bedrock_setup(const std::string& model,
                                          const files::Environment& environment,
                                          const std::optional<std::string>& base_url,
                                          const http::Timeouts& timeouts,
                                          const std::optional<std::string>& region = {});

// The Bedrock id behind one of PersonaLens's short names ("claude-3-haiku-v1"); any other name is
// an id already.
std::string bedrock_model_id(std::string_view name);

}  // namespace personascope::llm
