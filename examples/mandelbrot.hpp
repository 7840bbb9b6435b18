// Colours of the Mandelbrot set, shared by what draws it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace examples {

struct Colour {
  std::uint8_t red, green, blue;
  bool operator==(const Colour&) const = default;
};
static_assert(sizeof(Colour) == 3, "a row of colours is a row of the file");

inline constexpr Colour kInside{0, 0, 0};

/// Night blue, sky blue, ivory, amber, dark brown and round again; `t` in [0, 1).
inline Colour palette(double t) {
  struct Stop {
    double at, red, green, blue;
  };
  static constexpr std::array<Stop, 6> stops{{{0, 4, 8, 72},
                                              {0.16, 32, 107, 203},
                                              {0.42, 237, 255, 255},
                                              {0.64, 255, 170, 0},
                                              {0.86, 40, 10, 4},
                                              {1, 4, 8, 72}}};
  const auto next = std::find_if(stops.begin() + 1, stops.end() - 1,
                                 [t](const Stop& stop) { return t < stop.at; });
  const Stop& from = next[-1];
  const double share = (t - from.at) / (next->at - from.at);
  const auto blend = [share](double a, double b) {
    return static_cast<std::uint8_t>(std::lround(a + share * (b - a)));
  };
  return {blend(from.red, next->red), blend(from.green, next->green), blend(from.blue, next->blue)};
}

/// Of a point that has not gone far out after `most` iterations: kInside.
inline Colour colour_of(double real, double imaginary, std::size_t most = 1000) {
  constexpr double kEscape = 1 << 16;  // far out, so that the colours have no steps
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < most; ++i) {
    const double xx = x * x;
    const double yy = y * y;
    if (xx + yy > kEscape) {
      const double smooth = static_cast<double>(i) + 1 - std::log2(0.5 * std::log2(xx + yy));
      const double t = 0.22 * std::log2(std::max(0.5 * smooth, 1.0));
      return palette(t - std::floor(t));
    }
    y = 2 * x * y + imaginary;
    x = xx - yy + real;
  }
  return kInside;
}

}  // namespace examples
