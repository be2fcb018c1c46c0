#include "report/chart/colour.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace personascope::report {
namespace {

using Rgb = std::array<double, 3>;

// Viridis at equal distances.
constexpr std::array<Rgb, 9> kViridis{{{68, 1, 84},
                                       {71, 44, 122},
                                       {59, 81, 139},
                                       {44, 113, 142},
                                       {33, 144, 141},
                                       {39, 173, 129},
                                       {92, 200, 99},
                                       {170, 220, 50},
                                       {253, 231, 37}}};

// As WCAG defines it.
double luminance(const std::string& colour) {
  const auto channel = [&](std::size_t at) {
    const double part =
        static_cast<double>(std::strtol(colour.substr(at, 2).c_str(), nullptr, 16)) / 255;
    return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
  };
  return 0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5);
}

}  // namespace

std::string viridis(double share) {
  constexpr auto kLast = static_cast<double>(kViridis.size() - 1);
  const double at = kLast * std::clamp(std::isfinite(share) ? share : 0.0, 0.0, 1.0);
  const auto below = std::min(static_cast<std::size_t>(at), kViridis.size() - 2);
  const double part = at - static_cast<double>(below);
  const auto mix = [&](std::size_t channel) {
    return static_cast<int>(
        std::lround((1 - part) * kViridis[below][channel] + part * kViridis[below + 1][channel]));
  };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(0), mix(1), mix(2));
}

std::string readable_on(const std::string& colour) {
  return luminance(colour) > 0.179 ? "#000000" : "#ffffff";
}

}  // namespace personascope::report
