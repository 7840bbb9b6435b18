#include "rows.hpp"

#include <furca/furca.hpp>
#include <furca/sort.hpp>

#include "counted.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace counted {

namespace {

/// So many iterations, each of so many nanoseconds.
template <int iterations, int ns>
void loop() {
  furca::parallel_for(0, iterations, [](int) { work(ns); });
}

void reduction() {
  [[maybe_unused]] const double sum = furca::parallel_reduce(
      0, 100'000, 0.0,
      [](int i) {
        work(100);
        return static_cast<double>(i);
      },
      std::plus<>{});
}

void nested() {
  furca::parallel_for(0, 300, [](int) { loop<300, 100>(); });
}

void loops_in_a_row() {
  for (int i = 0; i < 200; ++i) loop<64, 500>();
}

int fib(int n) {
  work(1.5);
  if (n < 2) return n;
  const auto [a, b] = furca::join([=] { return fib(n - 1); }, [=] { return fib(n - 2); });
  return a + b;
}

std::int64_t skynet(std::int64_t first, std::int64_t size) {
  if (size == 1) {
    work(2);
    return first;
  }
  const auto child = [=](int i) {
    return [=] { return skynet(first + i * (size / 10), size / 10); };
  };
  const auto [a, b, c, d, e, f, g, h, i, j] =
      furca::join(child(0), child(1), child(2), child(3), child(4), child(5), child(6), child(7),
                  child(8), child(9));
  return a + b + c + d + e + f + g + h + i + j;
}

template <int n>
std::int64_t queens(unsigned columns, unsigned left, unsigned right, int row) {
  work(6 + 2.0 * n);
  if (row == n) return 1;
  std::array<unsigned, n> places{};
  std::array<std::int64_t, n> solutions{};
  int count = 0;
  for (unsigned free = ~(columns | left | right) & ((1U << n) - 1); free != 0; free &= free - 1)
    places[static_cast<std::size_t>(count++)] = free & (~free + 1);
  furca::parallel_for(0, count, [&](int i) {
    const auto at = static_cast<std::size_t>(i);
    solutions[at] = queens<n>(columns | places[at], (left | places[at]) << 1U,
                              (right | places[at]) >> 1U, row + 1);
  });
  std::int64_t sum = 0;
  for (const std::int64_t one : solutions) sum += one;
  return sum;
}

/// The shipped sort; what it compares and moves takes a nanosecond for each comparison.
template <std::size_t n>
void sort() {
  static std::vector<std::uint32_t> numbers(n);
  std::uint32_t random = 1;
  for (std::uint32_t& number : numbers) number = random = random * 1'664'525U + 1'013'904'223U;
  furca::sort(numbers, [](std::uint32_t a, std::uint32_t b) {
    work(1);
    return a < b;
  });
}

template <int tasks, int ns>
void scope() {
  furca::scope([](furca::Scope& scope) {
    for (int i = 0; i < tasks; ++i) scope.spawn([] { work(ns); });
  });
}

template <int tasks, int ns>
void detached() {
  for (int i = 0; i < tasks; ++i) furca::spawn([] { work(ns); });
  furca::wait_idle();
}

/// The same array in 20 loops, in blocks of 4 KiB: read, and written in place, 16 bytes a
/// nanosecond.
template <std::size_t mebibytes>
void data() {
  constexpr std::size_t kBlock = 4'096;
  const auto* const array = reinterpret_cast<const std::byte*>(std::uintptr_t{1} << 40U);
  for (int i = 0; i < 20; ++i)
    furca::parallel_for(std::size_t{0}, mebibytes << 8U, [=](std::size_t block) {
      work(256);
      write(array + block * kBlock, kBlock);
    });
}

/// 20 loops of so many microseconds over one range.
template <int us>
void again() {
  for (int i = 0; i < 20; ++i) loop<us * 10, 100>();
}

constexpr Row kRows[] = {
    {"loop-10ms", loop<100'000, 100>, 3, {55, 45, 90}, false},
    {"loop-1ms", loop<10'000, 100>, 4, {35, 15, 30}, false},
    {"loop-100us", loop<10'000, 10>, 10, {10, 0, 0}, false},
    {"reduction-10ms", reduction, 3, {52, 42, 80}, false},
    {"steps-40us", loop<256, 40'000>, 3, {50, 0, 80}, false},
    {"nested", nested, 3, {54, 0, 85}, false},
    {"loops-32us", loops_in_a_row, 1, {8, 0, 0}, false},
    {"fib-32", [] { fib(32); }, 1, {52, 0, 75}, false},
    {"queens-12", [] { queens<12>(0, 0, 0, 0); }, 1, {50, 0, 85}, false},
    {"skynet-10^6", [] { skynet(0, 1'000'000); }, 1, {40, 0, 45}, false},
    {"scope-2us", scope<5'000, 2'000>, 1, {25, 0, 25}, false},
    {"scope-100us", scope<500, 100'000>, 1, {56, 0, 80}, false},
    {"sort-10^7", sort<10'000'000>, 1, {50, 0, 0}, false},
    {"spawn-2us", detached<5'000, 2'000>, 1, {}, true},
    {"fib-25", [] { fib(25); }, 4, {}, true},
    {"queens-10", [] { queens<10>(0, 0, 0, 0); }, 4, {}, true},
    {"skynet-10^5", [] { skynet(0, 100'000); }, 4, {}, true},
    {"sort-10^6", sort<1'000'000>, 1, {}, true},
    {"again-1us", again<1>, 1, {}, true},
    {"again-3us", again<3>, 1, {}, true},
    {"again-10us", again<10>, 1, {}, true},
    {"again-30us", again<30>, 1, {}, true},
    {"again-100us", again<100>, 1, {}, true},
    {"again-300us", again<300>, 1, {}, true},
    {"again-1000us", again<1'000>, 1, {}, true},
    {"again-3000us", again<3'000>, 1, {}, true},
    {"again-10000us", again<10'000>, 1, {}, true},
    {"again-30000us", again<30'000>, 1, {}, true},
    {"loop-100ms", loop<1'000'000, 100>, 1, {}, true},
    {"data-16mib", data<16>, 1, {}, true},
    {"data-128mib", data<128>, 1, {}, true},
    {"data-1gib", data<1'024>, 1, {}, true},
};

}  // namespace

std::span<const Row> rows() noexcept { return kRows; }

}  // namespace counted
