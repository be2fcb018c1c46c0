#include "llm/providers/http_error.hpp"

#include <gtest/gtest.h>

#include "base/text.hpp"

namespace personascope::llm {
namespace {

TEST(HttpError, TellsTheKindByStatusAndWords) {
  struct Case {
    int status;
    const char* body;
    ErrorKind kind;
  };
  // clang-format off
  for (const Case& c : {
           Case{400, R"({"error": {"message": "bad temperature"}})", ErrorKind::Invalid},
           Case{400, R"({"error": {"message": "x", "code": "context_length_exceeded"}})", ErrorKind::ContextTooLong},
           Case{400, R"({"error": {"message": "prompt is too long: 300000 tokens"}})", ErrorKind::ContextTooLong},
           Case{413, "Input is too long for requested model.", ErrorKind::ContextTooLong},
           Case{400, R"({"error": {"code": "content_filter"}})", ErrorKind::Refused},
           Case{403, "flagged by moderation", ErrorKind::Refused},
           Case{401, "", ErrorKind::Unauthorized},
           Case{402, "pay", ErrorKind::Unauthorized},
           Case{403, "no", ErrorKind::Unauthorized},
           Case{407, "proxy", ErrorKind::Unauthorized},
           Case{404, R"({"error": {"message": "no such model"}})", ErrorKind::NotFound},
           Case{405, "", ErrorKind::NotFound},
           Case{410, "", ErrorKind::NotFound},
           Case{301, "", ErrorKind::NotFound},
           Case{408, "", ErrorKind::Transient},
           Case{409, "", ErrorKind::Transient},
           Case{429, "", ErrorKind::RateLimited},
           Case{429, R"({"error": {"code": "insufficient_quota"}})", ErrorKind::Unauthorized},
           Case{529, "overloaded", ErrorKind::RateLimited},
           Case{400, "ThrottlingException", ErrorKind::RateLimited},
           Case{500, "", ErrorKind::Transient},
           Case{503, "Too many requests", ErrorKind::RateLimited},
           Case{422, "x", ErrorKind::Invalid},
           Case{400, R"({"type": "error", "error": {"type": "invalid_request_error", "message": "Your credit balance is too low to access the API."}})", ErrorKind::Unauthorized},
           Case{400, R"({"type": "error", "error": {"type": "invalid_request_error", "message": "You have reached your specified API usage limits."}})", ErrorKind::Unauthorized},
           Case{400, R"([{"error": {"code": 400, "message": "API key not valid. Please pass a valid API key.", "status": "INVALID_ARGUMENT"}}])", ErrorKind::Unauthorized},
           Case{400, R"({"error": {"code": 400, "message": "x", "details": [{"reason": "API_KEY_INVALID"}]}})", ErrorKind::Unauthorized},
           Case{400, R"({"error": {"message": "User location is not supported for the API use.", "status": "FAILED_PRECONDITION"}})", ErrorKind::Unauthorized},
           Case{400, R"({"error": "Incorrect API key provided: sk-***"})", ErrorKind::Unauthorized},
           Case{400, R"({"error": {"message": "x", "code": "billing_hard_limit_reached"}})", ErrorKind::Unauthorized},
           Case{400, R"({"message": "The security token included in the request is expired"})", ErrorKind::Unauthorized},
           Case{400, R"({"__type": "com.amazon.coral.service#UnrecognizedClientException"})", ErrorKind::Unauthorized},
           Case{412, R"({"error": {"message": "Account is suspended, possibly due to a failure to pay"}})", ErrorKind::Unauthorized},
           Case{429, R"({"error": {"message": "Insufficient balance", "code": "1113"}})", ErrorKind::Unauthorized},
           Case{429, R"([{"error": {"code": 429, "message": "You exceeded your current quota. Please retry in 22s.", "status": "RESOURCE_EXHAUSTED"}}])", ErrorKind::RateLimited},
           Case{403, R"({"error": {"code": "unsupported_country_region_territory"}})", ErrorKind::Unauthorized},
           Case{400, R"({"message": "The provided model identifier is invalid."})", ErrorKind::NotFound},
           Case{400, R"({"message": "Invocation of model ID x with on-demand throughput isn't supported."})", ErrorKind::NotFound},
           Case{400, R"({"error": {"message": "foo/bar is not a valid model ID", "code": 400}})", ErrorKind::NotFound},
           Case{400, R"({"error": {"message": "Model Not Exist"}})", ErrorKind::NotFound},
           Case{400, R"({"error": {"message": "x", "code": "model_decommissioned"}})", ErrorKind::NotFound},
           Case{424, R"({"message": "The model returned an error"})", ErrorKind::Transient},
       })
    EXPECT_EQ(name_of(read_http_error(c.status, c.body).kind), name_of(c.kind)) << c.status << c.body;
  // clang-format on
}

TEST(HttpError, QuotesTheServersSentenceSafely) {
  const std::pair<const char*, const char*> cases[] = {
      {R"({"error": {"message": "no such model", "code": "x"}})", "HTTP 500: no such model (x)"},
      {R"({"error": "plain"})", "HTTP 500: plain"},
      {R"({"message": "m"})", "HTTP 500: m"},
      {R"({"detail": "d"})", "HTTP 500: d"},
      {"<html>\n<p>", "HTTP 500: a web page, not an API's answer: <html>\\n<p>"},
      {"", "HTTP 500"},
      {"a\x1b[31mb\nc", "HTTP 500: a\xEF\xBF\xBD[31mb\\nc"},
  };
  for (const auto& [body, message] : cases) EXPECT_EQ(read_http_error(500, body).message, message);
  EXPECT_LT(read_http_error(500, std::string(1'000'000, 'x')).message.size(), 500u);
  EXPECT_NE(read_http_error(302, "").message.find("base URL"), std::string::npos);
}

// A prompt may speak of money and keys; an error that quotes it is no error of the account.
TEST(HttpError, DoesNotTakeAQuotedPromptForTheProvidersWords) {
  const std::string prompt = "My credit balance is too low, and the API key not valid.";
  const std::string late = fmt::format(R"({{"error": {{"message": "messages: {} {}"}}}})",
                                       std::string(300, 'x'), prompt);
  EXPECT_EQ(read_http_error(400, late).kind, ErrorKind::Invalid);
  const std::string input =
      fmt::format(R"({{"error": {{"message": "a field is wrong", "input": "{}"}}}})", prompt);
  EXPECT_EQ(read_http_error(400, input).kind, ErrorKind::Invalid);
  const std::string validation = fmt::format(R"({{"detail": "{}"}})", prompt);
  EXPECT_EQ(read_http_error(422, validation).kind, ErrorKind::Invalid);
}

TEST(HttpError, NamesTheAddressWhereItMayBeWrong) {
  constexpr const char* kUrl = "http://me:secret@host/v1/v1/messages";
  EXPECT_EQ(read_http_error(404, R"({"detail": "Not Found"})", kUrl).message,
            "HTTP 404: Not Found (asked at http://host/v1/v1/messages; check the base URL)");
  EXPECT_EQ(read_http_error(405, "", kUrl).message,
            "HTTP 405 (asked at http://host/v1/v1/messages; check the base URL)");
  EXPECT_EQ(read_http_error(404, R"({"error": {"message": "The model `x` does not exist"}})", kUrl)
                .message,
            "HTTP 404: The model `x` does not exist");
}

}  // namespace
}  // namespace personascope::llm
