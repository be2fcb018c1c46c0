#include "http/request_check.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "http/testing/exchange.hpp"

namespace personascope::http {
namespace {

constexpr std::string_view kKey = "sk-Live/4242+x==";

// Whatever the client sends comes back in every place where a server can put it.
LoopbackReply echo_everywhere(const LoopbackRequest& request) {
  LoopbackReply reply;
  for (const auto& [name, value] : request.headers) {
    reply.body += name + ": " + value + "\n";
    if (name == "x-key") {
      reply.headers.emplace_back("X-Echo", "you sent " + value);
      reply.headers.emplace_back("X-" + value.substr(0, 7), "in a name");
    }
    if (name == "authorization") reply.headers.emplace_back("X-Authorization", value);
  }
  reply.body += request.target;
  return reply;
}

std::string everything_of(const Response& response) {
  std::string text = response.body;
  for (const Header& header : response.headers) text += "\n" + header.name + ": " + header.value;
  return text;
}

bool holds(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

TEST(RequestCheck, AKeyThatIsEchoedIsRedactedInBodyAndHeaders) {
  Exchange exchange(echo_everywhere);
  Request request = exchange.make_request("/?key=sk-Live%2F4242%2Bx%3D%3D");
  request.headers = {{"X-Key", std::string(kKey)}};
  request.secrets.emplace_back(std::string(kKey));
  request.secrets.emplace_back("sk-Live");
  const auto response = exchange.send(request);
  ASSERT_TRUE(response) << response.error().message;
  const std::string text = everything_of(*response);
  EXPECT_FALSE(holds(text, "4242")) << text;
  EXPECT_FALSE(holds(text, "Live")) << text;
  EXPECT_FALSE(holds(text, "live")) << text;
  EXPECT_TRUE(holds(text, "x-echo: you sent [redacted]")) << text;
  EXPECT_TRUE(holds(text, "x-key: [redacted]")) << text;
  EXPECT_TRUE(holds(text, "/?key=[redacted]")) << text;
}

TEST(RequestCheck, AKeyThatIsEchoedInPiecesIsRedactedForOnDataToo) {
  LoopbackReply reply;
  for (const char c : "before " + std::string(kKey) + " after sk-Live")
    reply.chunks.push_back({std::string(1, c), milliseconds(2)});
  Exchange exchange(reply);
  Request request = exchange.make_request();
  request.secrets.emplace_back(std::string(kKey));
  std::string seen;
  request.on_data = [&](std::string_view piece) { seen += piece; };
  const auto response = exchange.send(request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->body, "before [redacted] after sk-Live");
  EXPECT_EQ(seen, response->body);
}

TEST(RequestCheck, APasswordInTheUrlIsSentAndNeverComesBack) {
  Exchange exchange(echo_everywhere);
  Request request = exchange.make_request();
  request.url.insert(7, "someone:p%40ss/wd@");
  EXPECT_EQ(exchange.send(request).error().kind, ErrorKind::Misconfigured)
      << "a slash ends the host";
  request = exchange.make_request();
  request.url.insert(7, "someone:p%40ss%2Fwd@");
  const auto response = exchange.send(request);
  ASSERT_TRUE(response) << response.error().message;
  const std::string text = everything_of(*response);
  EXPECT_TRUE(holds(text, "authorization: Basic [redacted]")) << text;
  EXPECT_FALSE(holds(text, "c29tZW9uZTpwQHNzL3dk")) << text;
}

TEST(RequestCheck, EveryFormOfAUrlsPasswordIsASecret) {
  Request request;
  request.url = "https://user:p%40ss@host/";
  ASSERT_TRUE(check_request(request));
  std::vector<std::string> secrets;
  for (const Secret& secret : request.secrets) secrets.push_back(secret.reveal());
  EXPECT_EQ(secrets,
            (std::vector<std::string>{"p@ss", "user:p@ss", "dXNlcjpwQHNz", "user:p%40ss"}));
  Request token;
  token.url = "http:/token-1234@host/";
  ASSERT_TRUE(check_request(token));
  EXPECT_EQ(token.secrets.at(0).reveal(), "token-1234");
  Request plain;
  plain.url = "https://host/@cf/model";
  ASSERT_TRUE(check_request(plain));
  EXPECT_TRUE(plain.secrets.empty());
}

TEST(RequestCheck, NoErrorShowsAPasswordOrAKey) {
  Exchange exchange(echo_everywhere);
  const std::string port = std::to_string(exchange.server.port());
  exchange.server.stop();
  const std::vector<std::string> urls{"http://user:hunter22@127.0.0.1:" + port + "/",
                                      "http://127.0.0.1:" + port + "/?key=hunter22",
                                      "http://user:hunter22@127.0.0.1:99999/",
                                      "ftp://user:hunter22@host/",
                                      "http://user:hunter22 @host/",
                                      "http://user:hun/hunter22@host/",
                                      "user:hunter22@host",
                                      "http://host:bad/?key=hunter22",
                                      "http://hunter22.invalid:bad/"};
  for (const std::string& url : urls) {
    Request request;
    request.url = url;
    request.headers = {{"X-Key", "hunter22"}};
    request.secrets.emplace_back("hunter22");
    const auto response = exchange.send(request);
    ASSERT_FALSE(response) << url;
    EXPECT_FALSE(holds(response.error().message, "hunter")) << response.error().message;
  }
}

TEST(RequestCheck, AnUnlistedPasswordOfABadUrlIsNotShownEither) {
  for (const char* url : {"http://user:hun/hunter22@host/", "ftp://user:hunter22@host/",
                          "http://user:hunter22@ho st/", "user:hunter22@host"}) {
    Request request;
    request.url = url;
    const auto checked = check_request(request);
    ASSERT_FALSE(checked) << url;
    EXPECT_FALSE(holds(checked.error().message, "hun")) << checked.error().message;
  }
}

TEST(RequestCheck, AKeyWithALineBreakIsNotShown) {
  Request request;
  request.url = "http://host/";
  request.headers = {{"Authorization", "Bearer sk-4242\n"}};
  const auto checked = check_request(request);
  ASSERT_FALSE(checked);
  EXPECT_EQ(
      checked.error().message,
      "the header \"Authorization\" has a line break in it, so nothing was sent: check the key");
}

}  // namespace
}  // namespace personascope::http
