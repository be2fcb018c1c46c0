#include "http/client.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "http/testing/exchange.hpp"

namespace personascope::http {
namespace {

LoopbackReply echo(const LoopbackRequest& request) {
  LoopbackReply reply;
  reply.body = request.method + " " + request.target + " [" + request.body + "]";
  for (const auto& [name, value] : request.headers)
    if (name.starts_with("x-")) reply.body += " " + name + "=" + value;
  return reply;
}

long peak_memory_kb() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

int count_sockets() {
  int count = 0;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc/self/fd"))
    count += std::filesystem::read_symlink(entry, error).string().starts_with("socket:");
  return count;
}

TEST(Client, SendsMethodBodyAndHeadersAndGivesTheWholeAnswer) {
  Exchange exchange([](const LoopbackRequest& request) {
    LoopbackReply reply = echo(request);
    reply.status = 418;
    reply.headers = {{"X-Mixed", " Value "}, {"x-other", ""}};
    return reply;
  });
  Request request = exchange.make_request("/path?q=1");
  request.headers = {{"X-Key", "abc"}};
  request.body = std::string("a\0b", 3);
  const auto response = exchange.send(request);
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 418);
  EXPECT_EQ(response->body, std::string("POST /path?q=1 [a\0b] x-key=abc", 30));
  EXPECT_EQ(find_header(*response, "x-mixed"), "Value");
  EXPECT_EQ(find_header(*response, "x-other"), "");
  EXPECT_FALSE(find_header(*response, "x-none"));
}

TEST(Client, KnowsTheOtherMethods) {
  Exchange exchange(echo);
  Request request = exchange.make_request();
  request.method = "GET";
  EXPECT_EQ(exchange.send(request).value().body, "GET / []");
  request.method = "PUT";
  EXPECT_EQ(exchange.send(request).value().body, "PUT / [{}]");
  request.method = "DELETE";
  EXPECT_TRUE(exchange.send(request).value().body.starts_with("DELETE / ["));
}

TEST(Client, ABodyThatIsNotKeptIsOnlyHandedOnAfterItsHead) {
  int status = 200;
  Exchange exchange([&](const LoopbackRequest&) {
    LoopbackReply reply;
    reply.status = status;
    reply.body = "0123456789";
    return reply;
  });
  Request request = exchange.make_request();
  std::string seen;
  request.on_head = [&](int code, const std::vector<Header>&) { seen += std::to_string(code); };
  request.on_data = [&](std::string_view piece) { seen += piece; };
  request.keep_body = false;
  request.max_body = 10;
  EXPECT_EQ(exchange.send(request).value().body, "");
  EXPECT_EQ(seen, "2000123456789");
  request.max_body = 9;
  EXPECT_EQ(exchange.send(request).error().kind, ErrorKind::TooLarge);
  status = 404;  // what is no success is kept, to be explained
  request.max_body = 10;
  EXPECT_EQ(exchange.send(request).value().body, "0123456789");
}

TEST(Client, AnAnswerInChunksIsWholeAndIsHandedOnAsItComes) {
  LoopbackReply reply;
  reply.chunks = {{"one,"}, {"two,", milliseconds(30)}, {"three", milliseconds(30)}};
  Exchange exchange(reply);
  Request request = exchange.make_request();
  std::vector<std::string> pieces;
  request.on_data = [&](std::string_view piece) { pieces.emplace_back(piece); };
  EXPECT_EQ(exchange.send(request).value().body, "one,two,three");
  EXPECT_EQ(pieces, (std::vector<std::string>{"one,", "two,", "three"}));
}

TEST(Client, OnDataSeesOnlyAGoodAnswer) {
  LoopbackReply reply;
  reply.status = 500;
  reply.body = "broken";
  Exchange exchange(reply);
  Request request = exchange.make_request();
  int calls = 0;
  request.on_data = [&](std::string_view) { ++calls; };
  EXPECT_EQ(exchange.send(request).value().body, "broken");
  EXPECT_EQ(calls, 0);
}

TEST(Client, AClosedConnectionIsTransient) {
  LoopbackReply reply;
  reply.close_without_answer = true;
  EXPECT_EQ(Exchange(reply).send().error().kind, ErrorKind::Transient);
}

TEST(Client, AnAnswerThatIsCutOffIsTransient) {
  LoopbackReply reply;
  reply.body = std::string(1000, 'x');
  reply.cut_after_bytes = 500;
  EXPECT_EQ(Exchange(reply).send().error().kind, ErrorKind::Transient);
  reply.chunks = {{"more"}};
  EXPECT_EQ(Exchange(reply).send().error().kind, ErrorKind::Transient);
}

TEST(Client, AnAnswerThatFallsSilentTimesOutLongBeforeTheTotal) {
  LoopbackReply reply;
  reply.body = std::string(1000, 'x');
  reply.stall_after_bytes = 500;
  Exchange exchange(reply);
  Request request = exchange.make_request();
  request.timeouts.idle = milliseconds(300);
  const TimePoint start = SteadyClock::now();
  const auto response = exchange.send(request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Timeout);
  EXPECT_GE(SteadyClock::now() - start, milliseconds(300));
  EXPECT_LT(SteadyClock::now() - start, seconds(20));
}

TEST(Client, AnAnswerThatComesSlowlyButSteadilyIsNotSilent) {
  LoopbackReply reply;
  for (int i = 0; i < 12; ++i) reply.chunks.push_back({"x", milliseconds(300)});
  Exchange exchange(reply);
  Request request = exchange.make_request();
  request.timeouts.idle = milliseconds(3000);
  EXPECT_EQ(exchange.send(request).value().body, "xxxxxxxxxxxx");
}

TEST(Client, AnAnswerAfterTheTotalTimeIsATimeout) {
  LoopbackReply reply;
  reply.delay = seconds(60);
  Exchange exchange(reply);
  Request request = exchange.make_request();
  request.timeouts.total = milliseconds(200);
  const TimePoint start = SteadyClock::now();
  EXPECT_EQ(exchange.send(request).error().kind, ErrorKind::Timeout);
  EXPECT_LT(SteadyClock::now() - start, seconds(20));
}

TEST(Client, ABodyWithoutEndIsTooLargeAndDoesNotFillTheMemory) {
  LoopbackReply endless;
  endless.endless_body = true;
  LoopbackReply huge;
  huge.body_bytes = 1u << 30;
  for (const LoopbackReply& reply : {endless, huge}) {
    Exchange exchange(reply);
    Request request = exchange.make_request();
    request.max_body = 1 << 20;
    const long before = peak_memory_kb();
    const auto response = exchange.send(request);
    ASSERT_FALSE(response);
    EXPECT_EQ(response.error().kind, ErrorKind::TooLarge) << response.error().message;
    EXPECT_LT(peak_memory_kb() - before, 64 << 10);
  }
}

TEST(Client, ABodyOfExactlyTheBoundIsTaken) {
  LoopbackReply reply;
  reply.body_bytes = 100'000;
  Exchange exchange(reply);
  Request request = exchange.make_request();
  request.max_body = 100'000;
  EXPECT_EQ(exchange.send(request).value().body.size(), 100'000u);
  request.max_body = 99'999;
  EXPECT_EQ(exchange.send(request).error().kind, ErrorKind::TooLarge);
}

TEST(Client, HeadersBeyondReasonAreTooLarge) {
  LoopbackReply reply;
  for (int i = 0; i < 20; ++i)
    reply.headers.emplace_back("x-" + std::to_string(i), std::string(20'000, 'h'));
  const auto response = Exchange(reply).send();
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::TooLarge) << response.error().message;
}

TEST(Client, ARefusedConnectionIsUnreachableAndNamesTheHost) {
  Exchange exchange(echo);
  const Request request = exchange.make_request();
  const std::string host = "127.0.0.1:" + std::to_string(exchange.server.port());
  exchange.server.stop();
  const auto response = exchange.send(request);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Unreachable);
  EXPECT_TRUE(response.error().message.starts_with("no connection to " + host))
      << response.error().message;
}

TEST(Client, WhatIsNoHttpAddressIsMisconfigured) {
  Exchange exchange(echo);
  for (const std::string& url :
       {std::string(), std::string("nonsense"), std::string("127.0.0.1:80/x"),
        std::string("ftp://127.0.0.1/"), std::string("file:///etc/passwd"), std::string("http://"),
        std::string("http://a b/"), std::string("http://127.0.0.1:99999/"),
        exchange.server.base_url() + "/\r\nX: y", std::string("http://\xFF\xFE/\x1B[2J")}) {
    Request request;
    request.url = url;
    const auto response = exchange.send(request);
    ASSERT_FALSE(response) << url;
    EXPECT_EQ(response.error().kind, ErrorKind::Misconfigured) << url << response.error().message;
    EXPECT_EQ(response.error().message.find('\x1B'), std::string::npos);
  }
}

TEST(Client, AHeaderCannotBreakOutOfItsLine) {
  std::atomic<int> requests = 0;
  Exchange exchange([&](const LoopbackRequest& request) {
    ++requests;
    return echo(request);
  });
  for (const std::string& value :
       {std::string("a\r\nX-Injected: b"), std::string("a\n"), std::string("a\0b", 3)}) {
    Request request = exchange.make_request();
    request.headers = {{"X-Key", value}};
    EXPECT_EQ(exchange.send(request).error().kind, ErrorKind::Misconfigured);
  }
  EXPECT_EQ(requests, 0);
}

// Sends `bytes` to the first that connects, whatever is asked.
Result<Response> ask_server_that_says(const std::string& bytes) {
  using boost::asio::ip::tcp;
  boost::asio::io_context context;
  tcp::acceptor acceptor(context, {boost::asio::ip::address_v4::loopback(), 0});
  Request request;
  request.url = "http://127.0.0.1:" + std::to_string(acceptor.local_endpoint().port()) + "/";
  request.timeouts.total = seconds(20);
  std::thread server([&] {
    tcp::socket socket = acceptor.accept();
    boost::system::error_code ignored;
    char asked[1024];
    socket.read_some(boost::asio::buffer(asked), ignored);
    boost::asio::write(socket, boost::asio::buffer(bytes), ignored);
  });
  sched::Loop loop;
  Client client(loop);
  auto response = sched::run_to_end(loop, client.send(std::move(request)));
  server.join();
  return response;
}

TEST(Client, AServerThatDoesNotSpeakHttpIsTransientAndNotTheUsersMistake) {
  for (const std::string& bytes :
       {std::string("SSH-2.0-OpenSSH_9.2\r\n"), std::string("HTTP/9.9 200 OK\r\n\r\n"),
        std::string("HTTP/1.1 abc\r\n\r\n"), std::string("HTTP/1.1 200 OK\r\nNo colon\r\n\r\n"),
        std::string(10'000, '\xFF'), std::string(1, '\0'),
        std::string("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Length: -5\r\n\r\n"),
        std::string("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\n\r\nnot gzip")}) {
    const auto response = ask_server_that_says(bytes);
    ASSERT_FALSE(response) << bytes.substr(0, 60);
    EXPECT_EQ(response.error().kind, ErrorKind::Transient) << response.error().message;
  }
}

TEST(Client, OddHeadersAreHarmless) {
  const auto response = ask_server_that_says(
      "HTTP/1.1 100 Continue\r\nX-Early: 1\r\n\r\nHTTP/1.1 200 OK\r\n: nameless\r\n"
      "X-Twice: a\r\nX-Twice: b\r\nX-Bytes: \xFF\x01\r\nContent-Length: 2\r\n\r\nok");
  ASSERT_TRUE(response) << response.error().message;
  EXPECT_EQ(response->status, 200);
  EXPECT_EQ(response->body, "ok");
  EXPECT_EQ(find_header(*response, "x-twice"), "a");
  EXPECT_FALSE(find_header(*response, "x-early"));
}

TEST(Client, ARedirectIsAnAnswerAndIsNotFollowed) {
  std::atomic<int> requests = 0;
  Exchange exchange([&](const LoopbackRequest&) {
    ++requests;
    LoopbackReply reply;
    reply.status = 302;
    reply.headers = {{"Location", "/elsewhere"}};
    return reply;
  });
  const auto response = exchange.send();
  ASSERT_TRUE(response);
  EXPECT_EQ(response->status, 302);
  EXPECT_EQ(find_header(*response, "location"), "/elsewhere");
  EXPECT_EQ(requests, 1);
}

Task<void> send_one(Client& client, Request request, std::string wanted, int& good) {
  const auto response = co_await client.send(std::move(request));
  if (response && response->body == wanted) ++good;
}

TEST(Client, AThousandRequestsAtOnceGetEachItsOwnAnswer) {
  Exchange exchange([](const LoopbackRequest& request) {
    LoopbackReply reply = echo(request);
    reply.delay = milliseconds(20);
    return reply;
  });
  int good = 0;
  for (int i = 0; i < 1000; ++i) {
    Request request = exchange.make_request("/" + std::to_string(i));
    exchange.loop.spawn(send_one(exchange.client, std::move(request),
                                 "POST /" + std::to_string(i) + " [{}]", good));
  }
  exchange.loop.run();
  EXPECT_EQ(good, 1000);
}

TEST(Client, ConnectionsAreUsedAgain) {
  Exchange exchange(echo);
  const int before = count_sockets();
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(exchange.send());
  EXPECT_EQ(count_sockets() - before, 2) << "one connection, of which this process has both ends";
}

TEST(Client, ARequestCanBeGivenUpBeforeAndWhileItIsUnderWay) {
  LoopbackReply slow;
  slow.delay = seconds(60);
  Exchange exchange(slow);
  sched::Cancel before;
  before.request();
  EXPECT_EQ(exchange.send(exchange.make_request(), &before).error().kind, ErrorKind::Cancelled);
  sched::Cancel during;
  const auto give_up = [](sched::Cancel& cancel) -> Task<void> {
    co_await sched::sleep_for(milliseconds(50));
    cancel.request();
  };
  exchange.loop.spawn(give_up(during));
  const TimePoint start = SteadyClock::now();
  EXPECT_EQ(exchange.send(exchange.make_request(), &during).error().kind, ErrorKind::Cancelled);
  EXPECT_LT(SteadyClock::now() - start, seconds(20));
  during.request();  // too late to matter
}

TEST(Client, ThoseAroundAFaultAreNotHarmed) {
  Exchange exchange([](const LoopbackRequest& request) {
    LoopbackReply reply = echo(request);
    if (request.target.ends_with("3")) reply.close_without_answer = true;
    if (request.target.ends_with("7")) reply.cut_after_bytes = 2;
    return reply;
  });
  int good = 0;
  for (int i = 0; i < 200; ++i) {
    Request request = exchange.make_request("/" + std::to_string(i));
    exchange.loop.spawn(send_one(exchange.client, std::move(request),
                                 "POST /" + std::to_string(i) + " [{}]", good));
  }
  exchange.loop.run();
  EXPECT_EQ(good, 160);
}

TEST(Client, MayEndRightAfterItsLastRequest) {
  Exchange exchange(echo);
  int good = 0;
  const auto use_once = [](sched::Loop& loop, Request request, int& count) -> Task<void> {
    Client client(loop);
    const auto response = co_await client.send(std::move(request));
    count += response.has_value();
  };
  for (int i = 0; i < 50; ++i)
    exchange.loop.spawn(use_once(exchange.loop, exchange.make_request(), good));
  exchange.loop.run();
  EXPECT_EQ(good, 50);
}

TEST(Client, TheLibrarysVersionIsKnown) {
  EXPECT_TRUE(library_version().starts_with("libcurl/"));
}

}  // namespace
}  // namespace personascope::http
