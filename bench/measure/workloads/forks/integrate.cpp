// The integral of (x * x + 1) * x from 0 to n by halving every interval until the trapezium rule
// gains nothing from it: a fork with a few multiplications in it, in a tree that is deeper to the
// right. As in the examples of Cilk-5.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <bit>
#include <cmath>

namespace bench {
namespace {

constexpr double kTolerance = 1e-3;

double function(double x) { return (x * x + 1.0) * x; }

struct Trapezium {
  static Trapezium over(double x0, double y0, double x1, double y1) {
    return {x0, y0, x1, y1, (x1 - x0) * (y0 + y1) / 2};
  }

  double x0, y0, x1, y1, area;
};

/// The serial and the forked run share all arithmetic, so that they agree to the last bit.
struct Halves {
  explicit Halves(const Trapezium& whole) {
    const double x = whole.x0 + (whole.x1 - whole.x0) / 2;
    const double y = function(x);
    left = Trapezium::over(whole.x0, whole.y0, x, y);
    right = Trapezium::over(x, y, whole.x1, whole.y1);
    area = left.area + right.area;
    suffice = std::fabs(area - whole.area) < kTolerance;
  }

  Trapezium left, right;
  double area;
  bool suffice;
};

double plain_integral(const Trapezium& whole) {
  const Halves halves(whole);
  if (halves.suffice) return halves.area;
  return plain_integral(halves.left) + plain_integral(halves.right);
}

template <class Runtime>
double forked_integral(const Trapezium& whole) {
  const Halves halves(whole);
  if (halves.suffice) return halves.area;
  const auto [left, right] =
      Runtime::join([left = halves.left] { return forked_integral<Runtime>(left); },
                    [right = halves.right] { return forked_integral<Runtime>(right); });
  return left + right;
}

class Integrate {
 public:
  static constexpr const char* kName = "integrate";
  static constexpr const char* kSummary =
      "the integral of (x * x + 1) * x from 0 to n by halving: a fork for few multiplications";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin | kFineForks;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 3'000, 10'000, 50'000)};
  }

  explicit Integrate(const Input& input) {
    const auto end = static_cast<double>(input.size);
    whole_ = Trapezium::over(0.0, function(0.0), end, function(end));
  }

  std::uint64_t serial() const { return std::bit_cast<std::uint64_t>(plain_integral(whole_)); }

  template <class Runtime>
  std::uint64_t parallel() const {
    return std::bit_cast<std::uint64_t>(forked_integral<Runtime>(whole_));
  }

 private:
  Trapezium whole_;
};

const Registration<Integrate> kRegistration;

}  // namespace
}  // namespace bench
