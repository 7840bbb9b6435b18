// The Mandelbrot set in a page, on all processors: each picture is a loop over rows, and a newer
// wish stops it.
//
// main() has a thread of its own, which may sleep; the page's own thread only tells it what is
// wished and shows what was drawn.
#include "../mandelbrot.hpp"

#include <furca/parallel_for.hpp>
#include <furca/thread_limit.hpp>

#include <emscripten/emscripten.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

struct View {
  double left, top;  // of the first pixel
  double step;       // from a pixel to the next
  std::size_t width, height, iterations, threads;
};

struct Rgba {
  std::uint8_t red, green, blue, alpha;
};

std::mutex mutex;
std::condition_variable wished;
View newest{};                        // under the mutex
std::atomic<std::size_t> wishes = 0;  // raised under the mutex

/// Stops a loop as soon as there is a newer wish.
struct NewerWish {
  std::size_t drawn;
  bool stop_requested() const noexcept { return wishes.load(std::memory_order_relaxed) != drawn; }
  bool stop_possible() const noexcept { return true; }
};

void draw(const View& view, const NewerWish& newer, std::vector<Rgba>& pixels) {
  pixels.resize(view.width * view.height);
  const furca::ThreadLimit limit(view.threads);
  furca::parallel_for(std::size_t{0}, view.height,
                      [&](std::size_t y) {
                        for (std::size_t x = 0; x < view.width; ++x) {
                          const auto [red, green, blue] = examples::colour_of(
                              view.left + view.step * static_cast<double>(x),
                              view.top - view.step * static_cast<double>(y), view.iterations);
                          pixels[y * view.width + x] = {red, green, blue, 255};
                        }
                      },
                      {.stop = &newer});
}

}  // namespace

/// Called by the page: draws this as soon as may be, in place of what is being drawn. Returns the
/// number of the wish.
extern "C" EMSCRIPTEN_KEEPALIVE std::size_t wish(double left, double top, double step, int width,
                                                 int height, int iterations, int threads) {
  const std::lock_guard lock(mutex);
  const auto size = [](int value) { return static_cast<std::size_t>(value); };
  newest = {left, top, step, size(width), size(height), size(iterations), size(threads)};
  wished.notify_one();
  return wishes.fetch_add(1, std::memory_order_relaxed) + 1;
}

int main() {
  std::vector<Rgba> pixels;
  NewerWish newer{0};
  for (;;) {
    View view;
    {
      std::unique_lock lock(mutex);
      wished.wait(lock, [&] { return newer.stop_requested(); });
      view = newest;
      newer.drawn = wishes.load(std::memory_order_relaxed);
    }
    const Clock::time_point begin = Clock::now();
    draw(view, newer, pixels);
    const std::chrono::duration<double, std::milli> taken = Clock::now() - begin;
    if (newer.stop_requested()) continue;
    // Returns when the page has copied the pixels.
    MAIN_THREAD_EM_ASM(
        { Module.show($0, HEAPU8.subarray($1, $1 + 4 * $2 * $3), $2, $3, $4, $5); }, newer.drawn,
        pixels.data(), view.width, view.height, view.threads, taken.count());
  }
}
