#include "http/loopback/tally.hpp"

#include <algorithm>
#include <functional>
#include <string_view>

namespace personascope::http::loopback {
namespace {

constexpr std::size_t kMostKept = 1000;
constexpr std::size_t kMostKeptBytes = 16 << 20;
constexpr std::uint64_t kMixer = 0x9E3779B97F4A7C15;

std::uint64_t hash_of(const LoopbackRequest& request) {
  const std::hash<std::string_view> hash;
  return hash(request.body) ^ (hash(request.target) * kMixer);
}

}  // namespace

std::uint64_t Tally::count_request(const LoopbackRequest& request) {
  ++statistics_.requests;
  const std::uint64_t asked = ++asked_[hash_of(request)];
  if (asked == 1) ++statistics_.distinct;
  statistics_.most_asked = std::max(statistics_.most_asked, asked);
  statistics_.in_flight_peak =
      std::max<std::uint64_t>(statistics_.in_flight_peak, request.in_flight);
  keep(request.body);
  return asked;
}

void Tally::count_reply(const LoopbackReply& reply) {
  ++statistics_.by_status[reply.close_without_answer ? 0 : reply.status];
}

std::vector<std::string> Tally::last_bodies(std::size_t limit) const {
  const auto count = static_cast<std::ptrdiff_t>(std::min(limit, bodies_.size()));
  return {bodies_.end() - count, bodies_.end()};
}

void Tally::keep(const std::string& body) {
  bodies_.push_back(body);
  kept_bytes_ += body.size();
  while (bodies_.size() > kMostKept || kept_bytes_ > kMostKeptBytes) {
    kept_bytes_ -= bodies_.front().size();
    bodies_.pop_front();
  }
}

}  // namespace personascope::http::loopback
