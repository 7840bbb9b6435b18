// The sorts. Each call sorts a copy of its own, made in the call: of few elements another one of sixteen, since processors learn the branches of one.
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
#include <span>
#include <string>
#include <utility>

namespace bench {

namespace {

const auto kPar = std::execution::par;

/// What is sorted: copies, one after the other.
template <class T>
class Copies {
 public:
  template <class Make>
  Copies(std::size_t n, Make make) : n_(n), originals_(n < 10'000 ? 16 * n : n), copy_(n) {
    std::mt19937_64 random(1);
    for (std::size_t i = 0; i < originals_.size(); ++i) originals_[i] = make(i % n, random);
  }

  std::vector<T>& next() {
    const auto from = originals_.begin() + static_cast<std::ptrdiff_t>(at_);
    at_ = (at_ + n_) % originals_.size();
    std::copy(from, from + static_cast<std::ptrdiff_t>(n_), copy_.begin());
    return copy_;
  }

  std::vector<T>& last() { return copy_; }

 private:
  std::size_t n_;
  std::vector<T> originals_;
  std::vector<T> copy_;
  std::size_t at_ = 0;
};

template <class T, class Make, class Less, class Ours>
void sorts(const Rows& rows, const char* name, Make make, Less less, Ours ours) {
  if (!rows.wanted(name)) return;
  Copies<T> copies(rows.size, make);
  furca::ThreadPool one({.threads = 1});
  const auto with = [&copies](auto sort) {
    return [&copies, sort] {
      std::vector<T>& y = copies.next();
      sort(y);
    };
  };
  rows.compare(name, 4 * sizeof(T),
               {
                   {"serial", with([less](auto& y) { std::sort(y.begin(), y.end(), less); })},
                   {"furca", with(ours)},
                   {"furca, 1 thread", with([&one, ours](auto& y) { one.install([&] { ours(y); }); })},
                   {"oneTBB", with([less](auto& y) { tbb::parallel_sort(y.begin(), y.end(), less); })},
                   {"std::par", with([less](auto& y) { std::sort(kPar, y.begin(), y.end(), less); })},
                   {"__gnu_parallel", with([less](auto& y) { __gnu_parallel::sort(y.begin(), y.end(), less); })},
               },
               [&] {
                 const bool right = std::is_sorted(copies.last().begin(), copies.last().end(), less);
                 copies.next();
                 return right;
               });
}

double number(std::mt19937_64& random) { return static_cast<double>(random() >> 11U) * 0x1p-53; }

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
  Copies<double> copies(rows.size, [](std::size_t, auto& random) { return number(random); });
  std::vector<double> sorted;
  const auto middle = static_cast<std::ptrdiff_t>(rows.size / 2);
  const auto with = [&copies, middle](auto select) {
    return [&copies, middle, select] {
      std::vector<double>& y = copies.next();
      select(y, y.begin() + middle);
    };
  };
  rows.compare("nth_element", 32,
               {
                   {"serial", with([](auto& y, auto nth) { std::nth_element(y.begin(), nth, y.end()); })},
                   {"furca", with([](auto& y, auto nth) { furca::nth_element(y, nth); })},
                   {"std::par", with([](auto& y, auto nth) { std::nth_element(kPar, y.begin(), nth, y.end()); })},
                   {"__gnu_parallel", with([](auto& y, auto nth) { __gnu_parallel::nth_element(y.begin(), nth, y.end()); })},
               },
               [&] {
                 const double found = copies.last()[static_cast<std::size_t>(middle)];
                 const auto below =
                     std::count_if(copies.last().begin(), copies.last().end(), [found](double x) { return x < found; });
                 copies.next();
                 return below == middle;
               });
}

}  // namespace

void rows_of_sort(const Rows& rows) {
  const std::size_t n = rows.size;
  const auto ours = [](auto& y) { furca::sort(y); };
  const auto doubles = [&](const char* name, auto make) { sorts<double>(rows, name, make, std::less<>{}, ours); };
  doubles("sort", [](std::size_t, auto& random) { return number(random); });
  sorts<std::uint32_t>(
      rows, "sort uint32", [](std::size_t, auto& random) { return static_cast<std::uint32_t>(random()); }, std::less<>{}, ours);
  const auto by_key = [](const auto& a, const auto& b) { return a.key < b.key; };
  sorts<Pair>(
      rows, "sort pairs",
      [](std::size_t i, auto& random) {
        return Pair{random(), i};
      },
      by_key, [](auto& y) { furca::sort(y, {}, &Pair::key); });
  sorts<std::string>(
      rows, "sort strings", [](std::size_t, auto& random) { return std::to_string(random() % 1'000'000'000'000U); },
      std::less<>{}, ours);
  sorts<Record>(
      rows, "sort records",
      [](std::size_t, auto& random) {
        return Record{random(), {}};
      },
      by_key, [](auto& y) { furca::sort(y, {}, &Record::key); });
  doubles("sort sorted", [](std::size_t i, auto&) { return static_cast<double>(i); });
  doubles("sort reversed", [n](std::size_t i, auto&) { return static_cast<double>(n - i); });
  doubles("sort equal", [](std::size_t, auto&) { return 1.0; });
  selects(rows);
}

}  // namespace bench
