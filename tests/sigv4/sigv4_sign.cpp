// Signs the requests it reads, one JSON object a line, and prints the headers that each one gets.
#include <iostream>
#include <string>

#include "base/json.hpp"
#include "llm/providers/sigv4.hpp"

namespace personascope::llm {
namespace {

// Throws on a line that is not what the test writes.
std::string sign_line(const std::string& line) {
  const Json input = Json::parse(line);
  http::Request request;
  request.method = input.at("method").get<std::string>();
  request.url = input.at("url").get<std::string>();
  for (const Json& header : input.at("headers"))
    request.headers.push_back({header.at(0).get<std::string>(), header.at(1).get<std::string>()});
  request.body = input.at("body").get<std::string>();

  const AwsCredentials credentials{input.at("access_key").get<std::string>(),
                                   Secret(input.at("secret").get<std::string>()),
                                   Secret(input.at("session_token").get<std::string>())};
  const SigningScope scope{input.at("region").get<std::string>(),
                           input.at("service").get<std::string>()};
  const std::chrono::system_clock::time_point at{
      std::chrono::seconds(input.at("time").get<std::int64_t>())};
  Json headers = Json::object();
  for (const http::Header& header : sign(request, credentials, scope, at))
    headers[header.name] = header.value;
  return render_json(headers);
}

}  // namespace
}  // namespace personascope::llm

int main() {
  for (std::string line; std::getline(std::cin, line);)
    std::cout << personascope::llm::sign_line(line) << '\n';
}
