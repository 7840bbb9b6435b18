// An image pyramid: a picture at half its size, a quarter, and so on down to one pixel, as map
// servers and texture units keep it.
//
// A pixel of a level is the mean of up to four of the level above. Levels follow one another; the
// pixels of one are computed by tiles, so that what a thread reads and writes stays in its caches,
// and small levels are one tile and run on one thread.
//
// For n pixels: work O(n), span O(log n) levels of a tile each.
//
// What to look at: the written picture, which has all levels side by side, and that their means
// agree.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>
#include <furca/views.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <fstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

struct Image {
  std::size_t width = 0;
  std::size_t height = 0;
  std::size_t colours = 1;  // 1: grey, 3: red, green, blue
  std::vector<std::uint8_t> samples = std::vector<std::uint8_t>(width * height * colours);

  std::uint8_t& at(std::size_t y, std::size_t x, std::size_t colour) {
    return samples[(y * width + x) * colours + colour];
  }
  std::uint8_t at(std::size_t y, std::size_t x, std::size_t colour) const {
    return samples[(y * width + x) * colours + colour];
  }
  bool operator==(const Image&) const = default;
};

/// A number of a picture's head; what follows a # there is a comment.
std::size_t number(std::istream& in) {
  while ((in >> std::ws).peek() == '#') in.ignore(1 << 20, '\n');
  std::size_t value = 0;
  in >> value;
  return value;
}

/// Binary PGM or PPM. Throws std::runtime_error if it is neither, or more than 2^28 pixels.
Image read(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::string format;
  in >> format;
  const std::size_t width = number(in);
  const std::size_t height = number(in);
  const std::size_t largest = number(in);
  in.get();
  constexpr std::size_t kMost = std::size_t{1} << 28U;
  if (!in || (format != "P5" && format != "P6") || width == 0 || height == 0 ||
      width > kMost / height || largest == 0 || largest > 255)
    throw std::runtime_error("'" + name + "' is no binary PGM or PPM with a byte for each sample");
  Image image{width, height, format == "P5" ? std::size_t{1} : std::size_t{3}};
  if (!in.read(reinterpret_cast<char*>(image.samples.data()),
               static_cast<std::streamsize>(image.samples.size())))
    throw std::runtime_error("'" + name + "' ends too early");
  return image;
}

/// Rings that get narrower towards the edges: what is halved without means shows rings elsewhere.
Image generated(std::size_t size) {
  Image image{size, size};
  furca::parallel_for(furca::enumerate(image.samples), [size](auto each) {
    const std::size_t y = each.first / size;
    const std::size_t x = each.first % size;
    const auto square = static_cast<double>(y * y + x * x);
    each.second = static_cast<std::uint8_t>(
        std::lround(127.5 + 127.5 * std::cos(square / static_cast<double>(size))));
  });
  return image;
}

Image half_of(const Image& image) {
  return {(image.width + 1) / 2, (image.height + 1) / 2, image.colours};
}

/// Means of the pixels above those of a tile. At the right and lower edge there may be fewer than
/// four.
void halve(const Image& from, Image& to, const furca::Tile& tile) {
  for (std::size_t y = tile.row_begin; y < tile.row_end; ++y) {
    const std::size_t below = std::min(2 * y + 1, from.height - 1);
    for (std::size_t x = tile.column_begin; x < tile.column_end; ++x) {
      const std::size_t right = std::min(2 * x + 1, from.width - 1);
      for (std::size_t c = 0; c < from.colours; ++c) {
        const unsigned sum = 0U + from.at(2 * y, 2 * x, c) + from.at(2 * y, right, c) +
                             from.at(below, 2 * x, c) + from.at(below, right, c);
        to.at(y, x, c) = static_cast<std::uint8_t>((sum + 2) / 4);
      }
    }
  }
}

/// `halve_all(from, to)` fills a level.
template <class HalveAll>
std::vector<Image> pyramid(const Image& image, HalveAll halve_all) {
  std::vector<Image> levels = {image};
  while (levels.back().width > 1 || levels.back().height > 1) {
    Image next = half_of(levels.back());
    halve_all(levels.back(), next);
    levels.push_back(std::move(next));
  }
  return levels;
}

/// The first level, and the others below each other on its right.
Image side_by_side(const std::vector<Image>& levels) {
  const Image& first = levels.front();
  std::size_t height = 0;
  for (const Image& level : levels) height += level.height;
  Image all{first.width + half_of(first).width, std::max(first.height, height - first.height),
            first.colours};
  std::size_t top = 0;
  for (const Image& level : levels) {
    const std::size_t left = &level == &first ? 0 : first.width;
    furca::parallel_for(0, level.height, [&](std::size_t y) {
      std::copy_n(&level.samples[y * level.width * level.colours], level.width * level.colours,
                  &all.at(top + y, left, 0));
    });
    if (left > 0) top += level.height;
  }
  return all;
}

double mean(const Image& image) {
  const auto sum = furca::parallel_reduce(image.samples, std::uint64_t{0});
  return static_cast<double>(sum) / static_cast<double>(image.samples.size());
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(argc, argv,
                                "usage: pyramid [--size N] [--out PICTURE] [FILE]\n"
                                "Halves a picture, binary PGM or PPM, until one pixel is left; "
                                "without FILE, rings of N by N pixels (default 3000).\n"
                                "All sizes are written into PICTURE (default pyramid.pnm).\n");
  const std::size_t size = arguments.option("--size", 3'000, 1, 16'000);
  const std::string name = arguments.option("--out", "pyramid.pnm");
  const std::vector<std::string> files = arguments.rest();
  if (files.size() > 1) arguments.fail("more than one FILE");
  Image image;
  try {
    image = files.empty() ? generated(size) : read(files.front());
  } catch (const std::exception& error) {
    arguments.fail(error.what());
  }
  std::ofstream out(name, std::ios::binary);  // before the work, since it may fail
  if (!out) arguments.fail("cannot write to '" + name + "'");

  std::vector<Image> serial;
  std::vector<Image> parallel;
  const double serial_time = examples::seconds([&] {
    serial = pyramid(
        image, [](const Image& from, Image& to) { halve(from, to, {0, to.height, 0, to.width}); });
  });
  const double parallel_time = examples::seconds([&] {
    parallel = pyramid(image, [](const Image& from, Image& to) {
      furca::parallel_for(furca::tiles(to.height, to.width),
                          [&](const furca::Tile& tile) { halve(from, to, tile); });
    });
  });
  if (serial != parallel) return examples::disagreement("some pixel");
  std::printf("%zu x %zu pixels, %zu sizes; the mean is %.1f, of the smallest %.1f\n", image.width,
              image.height, parallel.size(), mean(image), mean(parallel.back()));
  examples::print_comparison(serial_time, parallel_time);

  const Image all = side_by_side(parallel);
  out << (all.colours == 1 ? "P5\n" : "P6\n") << all.width << ' ' << all.height << "\n255\n";
  out.write(reinterpret_cast<const char*>(all.samples.data()),
            static_cast<std::streamsize>(all.samples.size()));
  out.close();
  if (!out) {
    std::fprintf(stderr, "error: could not write all of '%s'\n", name.c_str());
    return 1;
  }
  std::printf("written to %s\n", name.c_str());
  return 0;
}
