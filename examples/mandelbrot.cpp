// A picture of the Mandelbrot set: rows cost anything from nothing to many times the average.
//
// Work O(pixels * iterations) at most, span O(width * iterations): one row is never split. Rows
// that cross the set take the most, and they lie together in the middle, where a division of the
// picture into equal shares would do badly.
//
// What to look at: the picture, and the area of the set, which is known to be about 1.5066.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

constexpr std::size_t kMostIterations = 1000;
// of the part of the plane that is shown, [-2.45, 1.15] x [-1.2, 1.2]
constexpr double kWidth = 3.6;
constexpr double kHeight = 2.4;
constexpr double kLeft = -2.45;

struct Colour {
  std::uint8_t red, green, blue;
  bool operator==(const Colour&) const = default;
};
static_assert(sizeof(Colour) == 3, "a row of colours is a row of the file");

constexpr Colour kInside{0, 0, 0};

/// Night blue, sky blue, ivory, amber, dark brown and round again; `t` in [0, 1).
Colour palette(double t) {
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

Colour colour_of(double real, double imaginary) {
  constexpr double kEscape = 1 << 16;  // far out, so that the colours have no steps
  double x = 0;
  double y = 0;
  for (std::size_t i = 0; i < kMostIterations; ++i) {
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

struct Image {
  Image(std::size_t columns, std::size_t rows)
      : width(columns), height(rows), pixels(columns * rows) {}
  std::size_t width;
  std::size_t height;
  std::vector<Colour> pixels;
};

/// Not inlined, so that serial and parallel run the same instructions and round alike.
[[gnu::noinline]] void draw_row(Image& image, std::size_t y) {
  const double imaginary =
      0.5 * kHeight - kHeight / static_cast<double>(image.height) * (static_cast<double>(y) + 0.5);
  for (std::size_t x = 0; x < image.width; ++x) {
    const double real =
        kLeft + kWidth / static_cast<double>(image.width) * (static_cast<double>(x) + 0.5);
    image.pixels[y * image.width + x] = colour_of(real, imaginary);
  }
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: mandelbrot [--size N] [--out FILE]\n"
                                "Draws the Mandelbrot set N pixels wide (default 1200) into FILE "
                                "(default mandelbrot.ppm).\n");
  const std::size_t width = arguments.option("--size", 1200, 3, 20'000);
  const std::string name = arguments.option("--out", "mandelbrot.ppm");
  arguments.done();
  const std::size_t height = width * 2 / 3;
  std::ofstream out(name, std::ios::binary);  // before the work, since it may fail
  if (!out) arguments.fail("cannot write to '" + name + "'");

  Image serial(width, height);
  Image parallel(width, height);
  const double serial_time = examples::seconds([&] {
    for (std::size_t y = 0; y < height; ++y) draw_row(serial, y);
  });
  const double parallel_time = examples::seconds(
      [&] { furca::parallel_for(0, height, [&](std::size_t y) { draw_row(parallel, y); }); });
  if (serial.pixels != parallel.pixels) return examples::disagreement("some pixel's colour");

  const std::size_t inside = furca::parallel_reduce(
      parallel.pixels, std::size_t{0},
      [](const Colour& colour) { return std::size_t{colour == kInside}; }, std::plus<>{});
  const double pixel_area =
      kWidth / static_cast<double>(width) * (kHeight / static_cast<double>(height));
  std::printf("%zu x %zu pixels, area of the set %.4f\n", width, height,
              static_cast<double>(inside) * pixel_area);
  examples::print_comparison(serial_time, parallel_time);

  out << "P6\n" << width << ' ' << height << "\n255\n";
  const std::vector<Colour>& pixels = parallel.pixels;
  out.write(reinterpret_cast<const char*>(pixels.data()),
            static_cast<std::streamsize>(pixels.size() * sizeof(Colour)));
  out.close();
  if (!out) {
    std::fprintf(stderr, "error: could not write all of '%s'\n", name.c_str());
    return 1;
  }
  std::printf("written to %s\n", name.c_str());
  return 0;
}
