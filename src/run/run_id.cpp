#include "run/run_id.hpp"

#include <fmt/format.h>

#include <random>

namespace personascope::run {

std::string make_run_uid() {
  std::random_device source;
  std::string uid;
  for (int i = 0; i < 4; ++i) uid += fmt::format("{:08x}", source());
  return uid;
}

}  // namespace personascope::run
