// A picture of the Mandelbrot set: rows cost anything from nothing to many times the average.
//
// Work O(pixels * iterations) at most, span O(width * iterations): one row is never split. Rows
// that cross the set take the most, and they lie together in the middle, where a division of the
// picture into equal shares would do badly.
//
// What to look at: the picture, and the area of the set, which is known to be about 1.5066.
#include "mandelbrot.hpp"
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <cstdio>
#include <fstream>
#include <functional>
#include <string>
#include <vector>

namespace {

using examples::Colour;
using examples::kInside;

// of the part of the plane that is shown, [-2.45, 1.15] x [-1.2, 1.2]
constexpr double kWidth = 3.6;
constexpr double kHeight = 2.4;
constexpr double kLeft = -2.45;

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
    image.pixels[y * image.width + x] = examples::colour_of(real, imaginary);
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
