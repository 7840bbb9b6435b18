// The algorithms that make or fill sequences. What makes a new one gives its memory back each time,
// so that its page faults are in all of them.
#include "rows.hpp"

#include <furca/collect.hpp>
#include <furca/parallel_for.hpp>
#include <furca/views.hpp>
#include <furca/write.hpp>

#include <tbb/blocked_range.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>
#include <execution>
#include <parallel/algorithm>

#include <algorithm>

namespace bench {

namespace {

double line(double x) { return 2 * x + 1; }

bool is_line(const auto& x, const auto& y) {
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](double a, double b) { return line(a) == b; });
}

void in_place(const Rows& rows) {
  const std::size_t n = rows.size;
  std::vector<double> x = random_doubles(n);
  const std::vector<double> original = x;
  const auto negate = [](double& v) { v = -v; };
  bool negative = false;
  rows.compare(
      "for_each", 16,
      {
          {"serial", [&] { negative = !negative, std::for_each(x.begin(), x.end(), negate); }},
          {"furca", [&] { negative = !negative, furca::for_each(x, negate); }},
          {"oneTBB",
           [&] {
             negative = !negative,
             tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { negate(x[i]); });
           }},
          {"std::par",
           [&] {
             negative = !negative, std::for_each(std::execution::par, x.begin(), x.end(), negate);
           }},
          {"__gnu_parallel",
           [&] { negative = !negative, __gnu_parallel::for_each(x.begin(), x.end(), negate); }},
      },
      [&] {
        return std::equal(x.begin(), x.end(), original.begin(),
                          [&](double a, double b) { return a == (negative ? -b : b); });
      });
}

/// Into memory that is there.
void reused(const Rows& rows) {
  const std::size_t n = rows.size;
  const std::vector<double> x = random_doubles(n);
  std::vector<double> y(n);
  const auto f = [](double v) { return line(v); };
  rows.compare(
      "transform", 24,
      {
          {"serial", [&] { std::transform(x.begin(), x.end(), y.begin(), f); }},
          {"furca", [&] { furca::transform(x, y, f); }},
          {"furca zip",
           [&] {
             furca::parallel_for(furca::zip(x, y),
                                 [](auto t) { std::get<1>(t) = line(std::get<0>(t)); });
           }},
          {"oneTBB",
           [&] {
             tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { y[i] = line(x[i]); });
           }},
          {"std::par",
           [&] { std::transform(std::execution::par, x.begin(), x.end(), y.begin(), f); }},
          {"__gnu_parallel", [&] { __gnu_parallel::transform(x.begin(), x.end(), y.begin(), f); }},
      },
      [&] { return is_line(x, y); });
  rows.compare(
      "copy", 24,
      {
          {"serial", [&] { std::copy(x.begin(), x.end(), y.begin()); }},
          {"furca", [&] { furca::copy(x, y); }},
          {"std::par", [&] { std::copy(std::execution::par, x.begin(), x.end(), y.begin()); }},
      },
      [&] { return x == y; });
  rows.compare(
      "fill", 16,
      {
          {"serial", [&] { std::fill(y.begin(), y.end(), 3.0); }},
          {"furca", [&] { furca::fill(y, 3.0); }},
          {"std::par", [&] { std::fill(std::execution::par, y.begin(), y.end(), 3.0); }},
      },
      [&] { return std::count(y.begin(), y.end(), 3.0) == static_cast<std::ptrdiff_t>(n); });
}

/// Into new memory.
void made(const Rows& rows) {
  const std::size_t n = rows.size;
  const std::vector<double> x = random_doubles(n);
  const auto f = [](double v) { return line(v); };
  bool right = false;
  const auto checked = [&] { return std::exchange(right, false); };
  const auto serial = [&] {
    std::vector<double> y;
    y.reserve(n);
    for (const double v : x) y.push_back(line(v));
    right = true;
    used(y.data());
  };
  const auto serial_sized = [&] {
    std::vector<double> y(n);
    std::transform(x.begin(), x.end(), y.begin(), f);
    right = true;
    used(y.data());
  };
  const auto tbb_sized = [&] {
    std::vector<double> y(n);
    tbb::parallel_for(std::size_t{0}, n, [&](std::size_t i) { y[i] = line(x[i]); });
    right = true;
    used(y.data());
  };
  const auto par_sized = [&] {
    std::vector<double> y(n);
    std::transform(std::execution::par, x.begin(), x.end(), y.begin(), f);
    right = true;
    used(y.data());
  };
  rows.compare("map", 40,
               {
                   {"serial", serial_sized},
                   {"serial push_back", serial},
                   {"furca",
                    [&] {
                      const auto y = furca::map(x, f);
                      right = y.back() == line(x.back());
                      used(y.data());
                    }},
                   {"furca Vector",
                    [&] {
                      const auto y = furca::map<furca::Vector>(x, f);
                      right = y.back() == line(x.back());
                      used(y.data());
                    }},
                   {"oneTBB", tbb_sized},
                   {"std::par", par_sized},
               },
               checked);
}

/// Every other number or so, as 16 bytes each.
void collected(const Rows& rows) {
  const std::size_t n = rows.size;
  Inputs<double> inputs(n, [](std::size_t, auto& random) { return number(random); });
  struct Found {
    std::size_t index;
    double value;
  };
  const auto find = [&](std::size_t i, double v, std::vector<Found>& out) {
    if (v < 0.5) out.push_back({i, v});
  };
  std::size_t size = 0;
  const auto found = [&size](const std::vector<Found>& out) {
    size = out.size();
    used(out.data());
  };
  rows.compare("collect", 8 + 0.5 * 48,
               {
                   {"serial", inputs.with([&](auto x) {
                      std::vector<Found> out;
                      for (std::size_t i = 0; i < n; ++i) find(i, x[i], out);
                      found(out);
                    })},
                   {"furca", inputs.with([&](auto x) {
                      found(furca::collect<Found>(furca::enumerate(x),
                                                  [&](auto e, std::vector<Found>& some) {
                                                    find(e.first, e.second, some);
                                                  }));
                    })},
                   {"oneTBB", inputs.with([&](auto x) {  // in no order
                      tbb::enumerable_thread_specific<std::vector<Found>> some;
                      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, n), [&](const auto& r) {
                        std::vector<Found>& mine = some.local();
                        for (std::size_t i = r.begin(); i != r.end(); ++i) find(i, x[i], mine);
                      });
                      std::vector<Found> out;
                      std::size_t all = 0;
                      for (const auto& one : some) all += one.size();
                      out.reserve(all);
                      for (const auto& one : some) out.insert(out.end(), one.begin(), one.end());
                      found(out);
                    })},
               },
               [&] {
                 const auto x = inputs.last();
                 return std::exchange(size, n + 1) ==
                        static_cast<std::size_t>(
                            std::count_if(x.begin(), x.end(), [](double v) { return v < 0.5; }));
               });
}

}  // namespace

void rows_of_collect(const Rows& rows) {
  in_place(rows);
  reused(rows);
  made(rows);
  collected(rows);
}

}  // namespace bench
