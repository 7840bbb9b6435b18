// std::execution::par on oneTBB as it is, and on furca with -include furca/execution.hpp.
#include "timing.hpp"

#include <algorithm>
#include <execution>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#ifdef OWN_THREADS
#include <oneapi/tbb/global_control.h>
#endif

namespace {

/// The compiler knows nothing of what is at `p` any more, and has to have written it.
void used(const void* p) { asm volatile("" : : "g"(p) : "memory"); }
template <class T>
void used_value(T value) {
  asm volatile("" : : "r,m"(value) : "memory");
}

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

void rows(std::size_t n) {
  constexpr auto& par = std::execution::par;
  Data data(n);
  auto& x = data.x;
  auto& y = data.y;
  auto& z = data.z;
  const auto step = [&data] { data.step(); };
  const auto copy = [&data] {
    data.step();
    std::copy(data.begin(), data.end(), data.z.begin());
  };
  const auto hide = [&data] { *data.at_random() = 2; };
  const auto row = [&](const char* name, auto call, auto... prepare) {
    const auto whole = [&] {
      call();
      used(z.data());
    };
    time_of((name + (" " + std::to_string(n))).c_str(), whole, prepare...);
  };
  row("for_each", [&] {
    std::for_each(par, y.begin(), y.end(), [](double& each) { each = each * 0.999 + 0.001; });
  });
  row("transform", [&] {
    std::transform(par, x.begin(), x.end(), y.begin(), z.begin(),
                   [](double a, double b) { return a * 2 + b; });
  });
  row("reduce", [&] { used_value(std::reduce(par, x.begin(), x.end())); });
  row("transform_reduce",
      [&] { used_value(std::transform_reduce(par, x.begin(), x.end(), y.begin(), 0.0)); });
  row("min_element", [&] { used_value(&*std::min_element(par, data.begin(), data.end())); }, step);
  row("inclusive_scan", [&] { std::inclusive_scan(par, x.begin(), x.end(), z.begin()); });
  row("exclusive_scan", [&] { std::exclusive_scan(par, x.begin(), x.end(), z.begin(), 1.0); });
  row(
      "copy_if",
      [&] { used_value(&*std::copy_if(par, data.begin(), data.end(), z.begin(), Half())); }, step);
  row("partition", [&] { used_value(&*std::partition(par, z.begin(), z.end(), Half())); }, copy);
  row("find", [&] { *std::find(par, y.begin(), y.end(), 2.0) = 0.25; }, hide);
  row(
      "any_of",
      [&] {
        used_value(std::any_of(par, y.begin(), y.end(), [](double each) { return each > 1; }));
        y[data.places[data.place]] = 0.25;
      },
      hide);
  row("sort", [&] { std::sort(par, z.begin(), z.end()); }, copy);
  row("stable_sort", [&] { std::stable_sort(par, z.begin(), z.end()); }, copy);
  const auto half = static_cast<std::ptrdiff_t>(n / 2);
  for (auto part = data.all.begin(); part != data.all.end(); part += 2 * half) {
    std::sort(part, part + half);
    std::sort(part + half, part + 2 * half);
  }
  row(
      "merge",
      [&] {
        const auto middle = data.begin() + half;
        std::merge(par, data.begin(), middle, middle, data.end(), z.begin());
      },
      step);
}

}  // namespace

int main() {
#ifdef OWN_THREADS
  const tbb::global_control two(tbb::global_control::max_allowed_parallelism, 2);
#endif
  for (const std::size_t n : {10'000U, 1'000'000U, 10'000'000U}) rows(n);
}
