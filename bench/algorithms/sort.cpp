// The sorts. Each call sorts a copy of its own, made in the call.
#include "rows.hpp"

#include <furca/sort.hpp>
#include <furca/thread_pool.hpp>

#include <tbb/parallel_sort.h>
#include <execution>
#include <parallel/algorithm>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <string>

namespace bench {

namespace {

const auto kPar = std::execution::par;

template <class T, class Make, class Less, class Ours>
void sorts(const Rows& rows, const char* name, Make make, Less less, Ours ours) {
  if (!rows.wanted(name)) return;
  Inputs<T> inputs(rows.size, make);
  furca::ThreadPool one({.threads = 1});
  rows.compare(
      name, 4 * sizeof(T),
      {
          {"serial", inputs.with_copy([less](auto& y) { std::sort(y.begin(), y.end(), less); })},
          {"furca", inputs.with_copy(ours)},
          {"furca, 1 thread",
           inputs.with_copy([&one, ours](auto& y) { one.install([&] { ours(y); }); })},
          {"oneTBB",
           inputs.with_copy([less](auto& y) { tbb::parallel_sort(y.begin(), y.end(), less); })},
          {"std::par",
           inputs.with_copy([less](auto& y) { std::sort(kPar, y.begin(), y.end(), less); })},
          {"__gnu_parallel",
           inputs.with_copy([less](auto& y) { __gnu_parallel::sort(y.begin(), y.end(), less); })},
      },
      [&] { return std::is_sorted(inputs.last_copy().begin(), inputs.last_copy().end(), less); });
}

struct Pair {
  std::uint64_t key;
  std::uint64_t value;
};

struct Record {
  std::uint64_t key;
  std::array<std::uint64_t, 7> more;
};

void selects(const Rows& rows) {
  if (!rows.wanted("nth_element")) return;
  Inputs<double> inputs(rows.size, [](std::size_t, auto& random) { return number(random); });
  const auto middle = static_cast<std::ptrdiff_t>(rows.size / 2);
  const auto with_middle = [&inputs, middle](auto select) {
    return inputs.with_copy([middle, select](auto& y) { select(y, y.begin() + middle); });
  };
  rows.compare(
      "nth_element", 32,
      {
          {"serial",
           with_middle([](auto& y, auto nth) { std::nth_element(y.begin(), nth, y.end()); })},
          {"furca", with_middle([](auto& y, auto nth) { furca::nth_element(y, nth); })},
          {"std::par",
           with_middle([](auto& y, auto nth) { std::nth_element(kPar, y.begin(), nth, y.end()); })},
          {"__gnu_parallel", with_middle([](auto& y, auto nth) {
             __gnu_parallel::nth_element(y.begin(), nth, y.end());
           })},
      },
      [&] {
        const auto& y = inputs.last_copy();
        const double found = y[static_cast<std::size_t>(middle)];
        const auto below =
            std::count_if(y.begin(), y.end(), [found](double x) { return x < found; });
        return below == middle;
      });
}

}  // namespace

void rows_of_sort(const Rows& rows) {
  const std::size_t n = rows.size;
  const auto ours = [](auto& y) { furca::sort(y); };
  const auto doubles = [&](const char* name, auto make) {
    sorts<double>(rows, name, make, std::less<>{}, ours);
  };
  doubles("sort", [](std::size_t, auto& random) { return number(random); });
  sorts<std::uint32_t>(
      rows, "sort uint32",
      [](std::size_t, auto& random) { return static_cast<std::uint32_t>(random()); }, std::less<>{},
      ours);
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  sorts<Pair>(
      rows, "sort pairs", [](std::size_t i, auto& random) { return Pair{random(), i}; }, by_key,
      [](auto& y) { furca::sort(y, {}, &Pair::key); });
  sorts<std::string>(
      rows, "sort strings",
      [](std::size_t, auto& random) { return std::to_string(random() % 1'000'000'000'000U); },
      std::less<>{}, ours);
  sorts<Record>(
      rows, "sort records", [](std::size_t, auto& random) { return Record{random(), {}}; }, by_key,
      [](auto& y) { furca::sort(y, {}, &Record::key); });
  doubles("sort sorted", [](std::size_t i, auto&) { return static_cast<double>(i); });
  doubles("sort reversed", [n](std::size_t i, auto&) { return static_cast<double>(n - i); });
  doubles("sort equal", [](std::size_t, auto&) { return 1.0; });
  selects(rows);
}

}  // namespace bench
