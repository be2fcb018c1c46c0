// Where AWS's own tools look for keys and region: the environment, then the profile files.
#pragma once

#include <optional>
#include <string>

#include "base/result.hpp"
#include "base/secret.hpp"
#include "files/environment.hpp"
#include "llm/providers/sigv4.hpp"

namespace personascope::llm {

struct AwsAccess {
  Secret bearer_token;         // if there is one, requests carry it and are not signed
  AwsCredentials credentials;  // empty if there is a bearer token
  std::string region;
};

// Keys, the first that is there: AWS_BEARER_TOKEN_BEDROCK; AWS_ACCESS_KEY_ID with
// AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN; the profile AWS_PROFILE or AWS_DEFAULT_PROFILE (else
// "default") in the file AWS_SHARED_CREDENTIALS_FILE (else ~/.aws/credentials), then in the file
// AWS_CONFIG_FILE (else ~/.aws/config). Region: `region`, AWS_REGION, AWS_DEFAULT_REGION, the
// profile's, us-east-1. A file is read only if the environment leaves something open.
// Fails as Unauthorized if there is no key, saying what to set, and as Invalid on a file that
// cannot be read (with file and line, never the content) or a region that is no name.
Result<AwsAccess> load_aws_access(const files::Environment& environment,
                                  const std::optional<std::string>& region = {});

// AWS_ENDPOINT_URL_BEDROCK_RUNTIME, AWS_ENDPOINT_URL, BEDROCK_BASE_URL, else the region's own.
// Fails as Misconfigured if it comes from a `.env` file and the keys do not.
Result<std::string> find_bedrock_address(const files::Environment& environment,
                                         const std::string& region);

}  // namespace personascope::llm
