// The algorithms that look for something, scan and pack.
#include "rows.hpp"

#include <furca/pack.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/scan.hpp>
#include <furca/search.hpp>

#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <tbb/parallel_scan.h>
#include <execution>
#include <parallel/algorithm>
#include <parallel/numeric>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <iterator>
#include <numeric>
#include <utility>

namespace bench {

namespace {

const auto kPar = std::execution::par;

void sums(const Rows& rows, const std::vector<double>& x) {
  double sum = 0;
  const double expected = std::accumulate(x.begin(), x.end(), 0.0);
  rows.compare(
      "reduce", 8,
      {
          {"serial", [&] { sum = std::accumulate(x.begin(), x.end(), 0.0); }},
          {"furca", [&] { sum = furca::parallel_reduce(x, 0.0); }},
          {"oneTBB",
           [&] {
             const auto add = [&](const auto& r, double s) {
               return std::accumulate(&x[r.begin()], &x[r.begin()] + r.size(), s);
             };
             sum = tbb::parallel_reduce(tbb::blocked_range<std::size_t>(0, x.size()), 0.0, add,
                                        std::plus<>{});
           }},
          {"std::par", [&] { sum = std::reduce(kPar, x.begin(), x.end()); }},
          {"__gnu_parallel", [&] { sum = __gnu_parallel::accumulate(x.begin(), x.end(), 0.0); }},
      },
      [&] { return std::abs(sum - expected) <= 1e-9 * expected; });
}

void counts(const Rows& rows, const std::vector<double>& x, const std::vector<std::int32_t>& i) {
  const auto half = [](double v) { return v < 0.5; };
  std::ptrdiff_t found = 0;
  const std::ptrdiff_t expected = std::count_if(x.begin(), x.end(), half);
  rows.compare(
      "count_if", 8,
      {
          {"serial", [&] { found = std::count_if(x.begin(), x.end(), half); }},
          {"furca", [&] { found = furca::count_if(x, half); }},
          {"std::par", [&] { found = std::count_if(kPar, x.begin(), x.end(), half); }},
          {"__gnu_parallel", [&] { found = __gnu_parallel::count_if(x.begin(), x.end(), half); }},
      },
      [&] { return found == expected; });
  const std::ptrdiff_t sevens = std::count(i.begin(), i.end(), 7);
  rows.compare(
      "count int", 4,
      {
          {"serial", [&] { found = std::count(i.begin(), i.end(), 7); }},
          {"furca", [&] { found = furca::count(i, 7); }},
          {"std::par", [&] { found = std::count(kPar, i.begin(), i.end(), 7); }},
          {"__gnu_parallel", [&] { found = __gnu_parallel::count(i.begin(), i.end(), 7); }},
      },
      [&] { return found == sevens; });
  const std::ptrdiff_t least = std::min_element(x.begin(), x.end()) - x.begin();
  rows.compare(
      "min_element", 8,
      {
          {"serial", [&] { found = std::min_element(x.begin(), x.end()) - x.begin(); }},
          {"furca", [&] { found = furca::min_element(x) - x.begin(); }},
          {"std::par", [&] { found = std::min_element(kPar, x.begin(), x.end()) - x.begin(); }},
          {"__gnu_parallel",
           [&] { found = __gnu_parallel::min_element(x.begin(), x.end()) - x.begin(); }},
      },
      [&] { return found == least; });
}

void searches(const Rows& rows, std::vector<double> x, const std::vector<std::int32_t>& i) {
  // In each call four places, one in each quarter, so that a way that is called once has as far to
  // go as another; and others in each call.
  bool found_all = true;
  const auto moving = [&x, &found_all](auto search) {
    return [&x, &found_all, search, random = std::mt19937_64(7)]() mutable {
      const std::size_t jitter = random() % (x.size() / 4);
      for (std::size_t quarter = 0; quarter < 4; ++quarter) {
        const std::size_t within = quarter % 2 == 0 ? jitter : x.size() / 4 - 1 - jitter;
        const std::size_t at = quarter * (x.size() / 4) + within;
        const double before = std::exchange(x[at], 2.0);
        found_all = search() == static_cast<std::ptrdiff_t>(at) && found_all;
        x[at] = before;
      }
    };
  };
  rows.compare(
      "find", 8,
      {
          {"serial", moving([&] { return std::find(x.begin(), x.end(), 2.0) - x.begin(); })},
          {"furca", moving([&] { return furca::find(x, 2.0) - x.begin(); })},
          {"std::par",
           moving([&] { return std::find(kPar, x.begin(), x.end(), 2.0) - x.begin(); })},
          {"__gnu_parallel",
           moving([&] { return __gnu_parallel::find(x.begin(), x.end(), 2.0) - x.begin(); })},
      },
      [&] { return std::exchange(found_all, true); });
  bool any = true;
  const auto never = [](double v) { return v > 1; };
  rows.compare("any_of", 8,
               {
                   {"serial", [&] { any = std::any_of(x.begin(), x.end(), never); }},
                   {"furca", [&] { any = furca::any_of(x, never); }},
                   {"std::par", [&] { any = std::any_of(kPar, x.begin(), x.end(), never); }},
               },
               [&] { return !std::exchange(any, true); });
  rows.compare("contains int", 4,
               {
                   {"serial", [&] { any = std::find(i.begin(), i.end(), -1) != i.end(); }},
                   {"furca", [&] { any = furca::contains(i, -1); }},
                   {"std::par", [&] { any = std::find(kPar, i.begin(), i.end(), -1) != i.end(); }},
               },
               [&] { return !std::exchange(any, true); });
}

void scans(const Rows& rows, const std::vector<double>& x) {
  std::vector<double> out(x.size());
  std::vector<double> expected(x.size());
  std::inclusive_scan(x.begin(), x.end(), expected.begin());
  rows.compare(
      "inclusive_scan", 24,
      {
          {"serial", [&] { std::inclusive_scan(x.begin(), x.end(), out.begin()); }},
          {"furca", [&] { furca::inclusive_scan(x, out); }},
          {"oneTBB",
           [&] {
             const auto body = [&](const tbb::blocked_range<std::size_t>& r, double sum,
                                   bool last) {
               for (std::size_t k = r.begin(); k != r.end(); ++k) {
                 sum += x[k];
                 if (last) out[k] = sum;
               }
               return sum;
             };
             tbb::parallel_scan(tbb::blocked_range<std::size_t>(0, x.size()), 0.0, body,
                                std::plus<>{});
           }},
          {"std::par", [&] { std::inclusive_scan(kPar, x.begin(), x.end(), out.begin()); }},
          {"__gnu_parallel", [&] { __gnu_parallel::partial_sum(x.begin(), x.end(), out.begin()); }},
      },
      [&] {
        const bool right = std::abs(out.back() - expected.back()) <= 1e-9 * expected.back();
        out.back() = 0;
        return right;
      });
}

/// A share of all is kept, at random.
void packs(const Rows& rows, Inputs<double>& inputs, double share, const char* copy,
           const char* filter) {
  const std::size_t n = rows.size;
  const auto pred = [share](double v) { return v < share; };
  std::vector<double> out(n);
  std::size_t size = 0;
  const auto sized = [&](auto pack) {
    return inputs.with([&size, pack](auto x) { size = static_cast<std::size_t>(pack(x)); });
  };
  const auto right = [&] {
    const auto x = inputs.last();
    return std::exchange(size, n + 1) ==
           static_cast<std::size_t>(std::count_if(x.begin(), x.end(), pred));
  };
  rows.compare(
      copy, 8 + share * 16,
      {
          {"serial", sized([&](auto x) {
             return std::copy_if(x.begin(), x.end(), out.begin(), pred) - out.begin();
           })},
          {"furca", sized([&](auto x) { return furca::copy_if(x, out, pred).out - out.begin(); })},
          {"std::par", sized([&](auto x) {
             return std::copy_if(kPar, x.begin(), x.end(), out.begin(), pred) - out.begin();
           })},
      },
      right);
  rows.compare(filter, 8 + share * 32,
               {
                   {"serial", sized([&](auto x) {
                      std::vector<double> made;
                      std::copy_if(x.begin(), x.end(), std::back_inserter(made), pred);
                      return made.size();
                    })},
                   {"furca", sized([&](auto x) { return furca::filter(x, pred).size(); })},
                   {"std::par", sized([&](auto x) {
                      std::vector<double> made(n);
                      made.erase(std::copy_if(kPar, x.begin(), x.end(), made.begin(), pred),
                                 made.end());
                      return made.size();
                    })},
               },
               right);
}

/// In place, on a copy that is made anew for each call: the row "copy" of this file's neighbour
/// tells how long that takes.
void in_place(const Rows& rows, Inputs<double>& inputs) {
  const auto pred = [](double v) { return v < 0.5; };
  std::ptrdiff_t size = 0;
  const auto sized = [&](auto algorithm) {
    return inputs.with_copy([&size, algorithm](auto& y) { size = algorithm(y) - y.begin(); });
  };
  const auto right = [&] {
    const auto x = inputs.last();
    return std::exchange(size, -1) == std::count_if(x.begin(), x.end(), pred);
  };
  rows.compare(
      "partition", 48,
      {
          {"serial", sized([&](auto& y) { return std::partition(y.begin(), y.end(), pred); })},
          {"furca", sized([&](auto& y) { return furca::partition(y, pred).begin(); })},
          {"std::par",
           sized([&](auto& y) { return std::partition(kPar, y.begin(), y.end(), pred); })},
          {"__gnu_parallel",
           sized([&](auto& y) { return __gnu_parallel::partition(y.begin(), y.end(), pred); })},
      },
      right);
  rows.compare(
      "stable_partition", 80,
      {
          {"serial",
           sized([&](auto& y) { return std::stable_partition(y.begin(), y.end(), pred); })},
          {"furca", sized([&](auto& y) { return furca::stable_partition(y, pred).begin(); })},
          {"std::par",
           sized([&](auto& y) { return std::stable_partition(kPar, y.begin(), y.end(), pred); })},
      },
      right);
  const auto others = [&](double v) { return !pred(v); };
  rows.compare(
      "remove_if", 40,
      {
          {"serial", sized([&](auto& y) { return std::remove_if(y.begin(), y.end(), others); })},
          {"furca", sized([&](auto& y) { return furca::remove_if(y, others).begin(); })},
          {"std::par",
           sized([&](auto& y) { return std::remove_if(kPar, y.begin(), y.end(), others); })},
      },
      right);
}

}  // namespace

void rows_of_search(const Rows& rows) {
  const std::vector<double> x = random_doubles(rows.size);
  std::vector<std::int32_t> i(rows.size);
  for (std::size_t k = 0; k < i.size(); ++k) i[k] = static_cast<std::int32_t>(x[k] * 1e6);
  sums(rows, x);
  counts(rows, x, i);
  searches(rows, x, i);
  scans(rows, x);
  Inputs<double> inputs(rows.size, [](std::size_t, auto& random) { return number(random); });
  packs(rows, inputs, 0.5, "copy_if 50 %", "filter 50 %");
  packs(rows, inputs, 0.01, "copy_if 1 %", "filter 1 %");
  in_place(rows, inputs);
}

}  // namespace bench
