// What the client says when the process can open no more files.
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include "http/testing/exchange.hpp"

namespace personascope::http {
namespace {

TEST(ClientWithoutFiles, SaysThatNoMoreCanBeOpened) {
#ifdef __SANITIZE_ADDRESS__
  // UndefinedBehaviorSanitizer opens a pipe to look at a type's memory, and without one it reports
  // a good object as a bad one. The test runs in the ThreadSanitizer build.
  GTEST_SKIP() << "this sanitizer needs files of its own";
#endif
  Exchange exchange([](const LoopbackRequest&) { return LoopbackReply{}; });
  const Request request = exchange.make_request();
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  const int next = dup(0);  // everything below is taken
  close(next);
  rlimit none = before;
  none.rlim_cur = static_cast<rlim_t>(next);
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &none), 0);
  const auto response = exchange.send(request);
  setrlimit(RLIMIT_NOFILE, &before);
  ASSERT_FALSE(response);
  EXPECT_EQ(response.error().kind, ErrorKind::Transient);
  EXPECT_NE(response.error().message.find("too many open files"), std::string::npos)
      << response.error().message;
}

}  // namespace
}  // namespace personascope::http
