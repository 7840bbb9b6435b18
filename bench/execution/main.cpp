// Rows of std::execution::par: main ALGORITHM ELEMENTS MILLISECONDS prints the nanoseconds of a
// call, the median of the calls that fit into the time.
//
// The same program runs on oneTBB, or with -include furca/execution.hpp on furca.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <execution>
#include <functional>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;

/// The compiler knows nothing of what is at `p` any more, and has to have written it.
void used(const void* p) { asm volatile("" : : "g"(p) : "memory"); }
template <class T>
void used_value(T value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

struct Row {
  std::function<void()> before;  // each call; not timed
  std::function<void()> call;
};

/// `all` has more elements than an algorithm takes, and `next` is where the next call begins: a
/// branch predictor learns ten thousand by heart.
struct Data {
  explicit Data(std::size_t n) : all(std::max(n, std::size_t{1} << 20U) / n * n), x(n), y(n), z(n) {
    std::mt19937_64 random(1);
    for (double& each : all) each = static_cast<double>(random() >> 11U) * 0x1p-53;
    std::copy_n(all.begin(), n, x.begin());
    y = x;
    for (std::size_t i = 0; i < 64; ++i) places.push_back(random() % n);
  }
  void step() { next = next + 2 * x.size() <= all.size() ? next + x.size() : 0; }
  auto begin() const { return all.begin() + static_cast<std::ptrdiff_t>(next); }
  auto end() const { return begin() + static_cast<std::ptrdiff_t>(x.size()); }
  double* at_random() {
    place = (place + 1) % places.size();
    return &y[places[place]];
  }

  std::vector<double> all;
  std::size_t next = 0;
  std::vector<double> x;
  std::vector<double> y;
  std::vector<double> z;
  std::vector<std::size_t> places;
  std::size_t place = 0;
};

/// Whether an element is less than half: of random ones every other.
struct Half {
  bool operator()(double value) const { return value < 0.5; }
};

std::map<std::string, Row> rows_of(Data& data) {
  constexpr auto& par = std::execution::par;
  auto& x = data.x;
  auto& y = data.y;
  auto& z = data.z;
  const auto nothing = [] {};
  const auto step = [&data] { data.step(); };
  const auto copy = [&data] {
    data.step();
    std::copy(data.begin(), data.end(), data.z.begin());
  };
  std::map<std::string, Row> rows;
  rows["for_each"] = {nothing, [&] {
                        std::for_each(par, y.begin(), y.end(),
                                      [](double& each) { each = each * 0.999 + 0.001; });
                      }};
  rows["transform"] = {nothing, [&] {
                         std::transform(par, x.begin(), x.end(), y.begin(), z.begin(),
                                        [](double a, double b) { return a * 2 + b; });
                       }};
  rows["reduce"] = {nothing, [&] { used_value(std::reduce(par, x.begin(), x.end())); }};
  rows["transform_reduce"] = {
      nothing, [&] { used_value(std::transform_reduce(par, x.begin(), x.end(), y.begin(), 0.0)); }};
  rows["min_element"] = {step,
                         [&] { used_value(&*std::min_element(par, data.begin(), data.end())); }};
  rows["inclusive_scan"] = {nothing,
                            [&] { std::inclusive_scan(par, x.begin(), x.end(), z.begin()); }};
  rows["exclusive_scan"] = {nothing,
                            [&] { std::exclusive_scan(par, x.begin(), x.end(), z.begin(), 1.0); }};
  rows["copy_if"] = {
      step, [&] { used_value(&*std::copy_if(par, data.begin(), data.end(), z.begin(), Half())); }};
  rows["partition"] = {copy,
                       [&] { used_value(&*std::partition(par, z.begin(), z.end(), Half())); }};
  rows["find"] = {[&data] { *data.at_random() = 2; },
                  [&] { *std::find(par, y.begin(), y.end(), 2.0) = 0.25; }};
  rows["any_of"] = {
      [&data] { *data.at_random() = 2; },
      [&] {
        used_value(std::any_of(par, y.begin(), y.end(), [](double each) { return each > 1; }));
        y[data.places[data.place]] = 0.25;
      }};
  rows["sort"] = {copy, [&] { std::sort(par, z.begin(), z.end()); }};
  rows["stable_sort"] = {copy, [&] { std::stable_sort(par, z.begin(), z.end()); }};
  rows["merge"] = {step, [&] {
                     const auto middle = data.begin() + static_cast<std::ptrdiff_t>(x.size() / 2);
                     std::merge(par, data.begin(), middle, middle, data.end(), z.begin());
                   }};
  return rows;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) return std::fputs("usage: main ALGORITHM ELEMENTS MILLISECONDS\n", stderr), 2;
  const std::string name = argv[1];
  const auto n = static_cast<std::size_t>(std::strtoull(argv[2], nullptr, 10));
  const std::chrono::milliseconds patience(std::strtol(argv[3], nullptr, 10));
  Data data(n);
  if (name == "merge") {
    for (auto part = data.all.begin(); part != data.all.end();) {
      const auto middle = part + static_cast<std::ptrdiff_t>(n / 2);
      const auto end = part + static_cast<std::ptrdiff_t>(n);
      std::sort(part, middle);
      std::sort(middle, end);
      part = end;
    }
  }
  const auto rows = rows_of(data);
  const auto row = rows.find(name);
  if (row == rows.end()) return std::fprintf(stderr, "no algorithm %s\n", name.c_str()), 2;
  std::vector<double> times;
  const auto begin = Clock::now();
  while (times.size() < 7 || Clock::now() - begin < patience) {
    row->second.before();
    const auto start = Clock::now();
    row->second.call();
    times.push_back(std::chrono::duration<double, std::nano>(Clock::now() - start).count());
    used(data.z.data());
  }
  times.erase(times.begin(),
              times.begin() +
                  static_cast<std::ptrdiff_t>(times.size() / 4));  // threads start, and loops learn
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2),
                   times.end());
  std::printf("%.1f\n", times[times.size() / 2]);
}
