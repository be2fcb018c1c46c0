#include "base/open_files.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <vector>

namespace personascope {
namespace {

TEST(OpenFiles, TheLimitIsRaisedAndItsEndIsSeen) {
  rlimit before{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &before), 0);
  EXPECT_FALSE(is_out_of_open_files());
  rlimit low = before;
  low.rlim_cur = 64;
  ASSERT_EQ(setrlimit(RLIMIT_NOFILE, &low), 0);
  std::vector<int> open_ones;
  for (int fd = open("/dev/null", O_RDONLY); fd >= 0; fd = open("/dev/null", O_RDONLY))
    open_ones.push_back(fd);
  EXPECT_TRUE(is_out_of_open_files());
  EXPECT_NE(describe_open_file_limit().find("may have 64"), std::string::npos);
  raise_open_file_limit();
  EXPECT_FALSE(is_out_of_open_files());
  rlimit after{};
  ASSERT_EQ(getrlimit(RLIMIT_NOFILE, &after), 0);
  EXPECT_EQ(after.rlim_cur, std::min<rlim_t>(before.rlim_max, 1u << 20));
  EXPECT_EQ(after.rlim_max, before.rlim_max);
  for (const int fd : open_ones) close(fd);
  setrlimit(RLIMIT_NOFILE, &before);
}

}  // namespace
}  // namespace personascope
