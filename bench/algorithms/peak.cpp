// How much memory algorithms have at most, beyond their input and their output. Usage: peak SIZE.
// What it prints is for peak.py: a line for each algorithm, with the bytes for an element that it
// has at its peak, what of that is its result, and the bound.
#include <furca/algorithms.hpp>
#include <furca/thread_pool.hpp>

#include <malloc.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <fstream>
#include <new>
#include <string>
#include <vector>

namespace {

std::atomic<std::ptrdiff_t> had{0};
std::atomic<std::ptrdiff_t> peak{0};

void* taken(void* memory) {
  if (memory == nullptr) throw std::bad_alloc();
  const auto now = had.fetch_add(static_cast<std::ptrdiff_t>(malloc_usable_size(memory))) +
                   static_cast<std::ptrdiff_t>(malloc_usable_size(memory));
  std::ptrdiff_t most = peak.load();
  while (most < now && !peak.compare_exchange_weak(most, now)) {
  }
  return memory;
}

void given_back(void* memory) {
  had.fetch_sub(static_cast<std::ptrdiff_t>(malloc_usable_size(memory)));
  std::free(memory);
}

/// Of some calls the one that had most: how much is up to who steals what.
template <class F>
void measure(const char* algorithm, std::size_t n, double bound, F call) {
  std::ptrdiff_t most = 0;
  std::size_t result = 0;
  for (int round = 0; round < 11; ++round) {
    const std::ptrdiff_t before = had.load();
    peak.store(before);
    result = call();
    most = std::max(most, peak.load() - before);
  }
  const auto each = static_cast<double>(n);
  std::printf("%s\t%.3f\t%.3f\t%.3f\n", algorithm, static_cast<double>(most) / each,
              static_cast<double>(result) / each, bound);
}

/// A line of /proc/self/status, in bytes.
double status(const std::string& name) {
  std::ifstream file("/proc/self/status");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with(name)) return 1024 * std::strtod(line.c_str() + name.size() + 1, nullptr);
  }
  return 0;
}

/// The same by pages in memory, for those that do not take it from `operator new`. `prepare` is not
/// counted. `bound`: 0 if there is none.
template <class P, class F>
void measure_resident(const char* algorithm, std::size_t n, double bound, P prepare, F call) {
  double most = 0;
  for (int round = 0; round < 3; ++round) {
    prepare();
    malloc_trim(0);
    std::ofstream("/proc/self/clear_refs") << 5;  // forgets the peak
    const double before = status("VmRSS");
    call();
    most = std::max(most, status("VmHWM") - before);
  }
  char text[32] = "-";
  if (bound > 0) std::snprintf(text, sizeof text, "%.3f", bound);
  std::printf("%s\t%.3f\t0.000\t%s\n", algorithm, most / static_cast<double>(n), text);
}

}  // namespace

void* operator new(std::size_t size) { return taken(std::malloc(size > 0 ? size : 1)); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  const auto whole = static_cast<std::size_t>(alignment);
  return taken(std::aligned_alloc(whole, (size + whole - 1) / whole * whole));
}
void operator delete(void* memory) noexcept { given_back(memory); }
void operator delete(void* memory, std::size_t) noexcept { given_back(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { given_back(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { given_back(memory); }

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  const std::size_t n = std::strtoull(argv[1], nullptr, 10);
  using Value = std::uint64_t;
  std::vector<Value> x(n);
  for (std::size_t i = 0; i < n; ++i) x[i] = i * 0x9E3779B97F4A7C15U >> 32U;
  std::vector<Value> y(n);
  const auto half = [](Value v) { return v % 2 == 0; };
  constexpr double kValue = sizeof(Value);
  constexpr double kSmall = std::size_t{1}
                            << 19U;  // pages of stacks, and of code that had not run before
  // Stretches fit into the caches of the threads, whatever n is, and blocks are of some thousand
  // elements.
  const double strips = static_cast<double>(std::size_t{1} << 19U) *
                        static_cast<double>(furca::num_threads()) / static_cast<double>(n);

  measure("map", n, kValue,
          [&] { return furca::map(x, [](Value v) { return v + 1; }).capacity() * sizeof(Value); });
  measure("collect", n, 1.5 * kValue, [&] {  // three times the result
    return furca::collect<Value>(x,
                                 [&](Value v, std::vector<Value>& out) {
                                   if (half(v)) out.push_back(v);
                                 })
               .size() *
           sizeof(Value);
  });
  measure("filter", n, kValue, [&] { return furca::filter(x, half).size() * sizeof(Value); });
  measure("inclusive_scan", n, strips, [&] { return furca::inclusive_scan(x, y), std::size_t{0}; });
  measure("copy_if", n, strips, [&] { return furca::copy_if(x, y, half), std::size_t{0}; });
  measure("remove_if", n, strips, [&] { return y = x, furca::remove_if(y, half), std::size_t{0}; });
  measure("partition", n, strips + 32.0 / 2'048,
          [&] { return y = x, furca::partition(y, half), std::size_t{0}; });
  measure("stable_partition", n, kValue + 1 + strips,
          [&] { return y = x, furca::stable_partition(y, half), std::size_t{0}; });
  const auto prepare = [&] { y = x; };
  measure_resident("stable_sort, resident", n, kValue + kSmall / static_cast<double>(n), prepare,
                   [&] { furca::stable_sort(y); });
  measure_resident("  std::par", n, 0, prepare,
                   [&] { std::stable_sort(std::execution::par, y.begin(), y.end()); });
  measure_resident("sort, resident", n, kSmall / static_cast<double>(n), prepare,
                   [&] { furca::sort(y); });
  measure_resident("  std::par", n, 0, prepare,
                   [&] { std::sort(std::execution::par, y.begin(), y.end()); });
  return 0;
}
