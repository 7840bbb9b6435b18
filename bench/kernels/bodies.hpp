// Loops as users write them, each once plain and in three surroundings with furca: alone in its
// function, in a function with all the others, and inside another parallel loop. What they are
// compiled to is compared by tests/kernels, what they take by main.cpp.
#pragma once

#include <furca/parallel_for.hpp>
#include <furca/parallel_reduce.hpp>
#include <furca/views.hpp>
#include <furca/write.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

namespace kernels {

using Size = std::size_t;
using Histogram = std::array<std::uint32_t, 256>;

/// What the loops work on, and where the results of reductions go.
struct Data {
  explicit Data(Size n)
      : x(n + 2, 1.5F),
        y(n + 2, 2.5F),
        u(n + 2, 0.5),
        v(n + 2, 0.25),
        numbers(n + 2),
        others(n + 2),
        index(n + 2),
        letters(n + 2),
        codes(n + 2) {
    std::uint32_t state = 1;
    for (Size i = 0; i < n + 2; ++i) {
      state = state * 1'664'525 + 1'013'904'223;
      numbers[i] = static_cast<int>(state >> 12U);
      letters[i] = static_cast<std::uint8_t>(state >> 24U);
      index[i] = static_cast<std::uint32_t>(i ^ (state >> 28U));
      if (index[i] > n) index[i] = static_cast<std::uint32_t>(i);
    }
  }

  std::vector<float> x, y;
  std::vector<double> u, v;
  std::vector<int> numbers, others;
  std::vector<std::uint32_t> index;
  std::vector<std::uint8_t> letters, codes;
  float scale = 1e-6F;

  double real = 0;
  std::int64_t whole = 0;
  Histogram histogram{};
};

/// The loops that furca is compared with. What they reduce to grows in a local variable, from left
/// to right.
struct Plain {
  template <class Body>
  [[gnu::always_inline]] static void loop(Size first, Size last, Body body) {
    for (Size i = first; i != last; ++i) body(i);
  }
  template <class Body>
  [[gnu::always_inline]] static void each(std::vector<float>& elements, Body body) {
    for (float& element : elements) body(element);
  }
  template <class Body>
  [[gnu::always_inline]] static void zipped(std::vector<float>& x, std::vector<float>& y,
                                            Body body) {
    for (Size i = 0; i != x.size(); ++i) body(std::tuple<float&, float&>(x[i], y[i]));
  }
  template <class Body>
  [[gnu::always_inline]] static void numbered(std::vector<float>& x, Body body) {
    for (Size i = 0; i != x.size(); ++i) body(std::pair<Size, float&>(i, x[i]));
  }
  template <class Element, class F>
  [[gnu::always_inline]] static void transform(Size n, Element element, std::vector<double>& to,
                                               F f) {
    for (Size i = 0; i != n; ++i) to[i] = f(element(i));
  }
  template <class T, class Map, class Op>
  [[gnu::always_inline]] static T reduce(Size n, T value, Map map, Op op) {
    for (Size i = 0; i != n; ++i) value = op(value, map(i));
    return value;
  }
  template <class T, class Add, class Op>
  [[gnu::always_inline]] static T fold(Size n, const T& identity, Add add, Op) {
    T value = identity;
    for (Size i = 0; i != n; ++i) add(value, i);
    return value;
  }
};

/// With furca. What stands around the call is no more than a name, so that the loops are different
/// ones.
enum class Surroundings { alone, crowded, nested };

template <Surroundings>
struct Parallel {
  template <class Body>
  [[gnu::always_inline]] static void loop(Size first, Size last, Body&& body) {
    furca::parallel_for(first, last, body);
  }
  template <class Body>
  [[gnu::always_inline]] static void each(std::vector<float>& elements, Body&& body) {
    furca::parallel_for(elements, body);
  }
  template <class Body>
  [[gnu::always_inline]] static void zipped(std::vector<float>& x, std::vector<float>& y,
                                            Body&& body) {
    furca::parallel_for(furca::zip(x, y), body);
  }
  template <class Body>
  [[gnu::always_inline]] static void numbered(std::vector<float>& x, Body&& body) {
    furca::parallel_for(furca::enumerate(x), body);
  }
  template <class Element, class F>
  [[gnu::always_inline]] static void transform(Size n, Element element, std::vector<double>& to,
                                               F f) {
    furca::transform(furca::lazy(n, element), to, f);
  }
  template <class T, class Map, class Op>
  [[gnu::always_inline]] static T reduce(Size n, const T& identity, Map&& map, Op&& op) {
    return furca::parallel_reduce(Size{0}, n, identity, map, op);
  }
  template <class T, class Add, class Op>
  [[gnu::always_inline]] static T fold(Size n, const T& identity, Add&& add, Op&& op) {
    return furca::parallel_reduce(Size{0}, n, identity, add, op);
  }
};

struct Axpy {
  static constexpr const char* kName = "axpy";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    const float a = data.scale;
    How::loop(0, n, [a, x = data.x.data(), y = data.y.data()](Size i) { y[i] += a * x[i]; });
  }
};

struct Dot {
  static constexpr const char* kName = "dot";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    data.real = How::reduce(
        n, 0.0, [u = data.u.data(), v = data.v.data()](Size i) { return u[i] * v[i]; },
        std::plus<>{});
  }
};

struct Sum {
  static constexpr const char* kName = "sum";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    data.whole =
        How::reduce(n, 0U, [index = data.index.data()](Size i) { return index[i]; }, std::plus<>{});
  }
};

struct Min {
  static constexpr const char* kName = "min";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    data.whole = How::reduce(
        n, data.numbers[0], [&](Size i) { return data.numbers[i]; },
        [](int a, int b) { return std::min(a, b); });
  }
};

struct CountIf {
  static constexpr const char* kName = "count_if";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    data.whole = How::reduce(
        n, 0, [numbers = data.numbers.data()](Size i) { return numbers[i] > 500'000 ? 1 : 0; },
        std::plus<>{});
  }
};

struct Stencil {
  static constexpr const char* kName = "stencil";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    How::loop(1, n + 1, [u = data.u.data(), v = data.v.data()](Size i) {
      v[i] = 0.25 * u[i - 1] + 0.5 * u[i] + 0.25 * u[i + 1];
    });
  }
};

struct Gather {
  static constexpr const char* kName = "gather";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    How::loop(0, n, [x = data.x.data(), y = data.y.data(), index = data.index.data()](Size i) {
      y[i] = x[index[i]];
    });
  }
};

struct Sqrt {
  static constexpr const char* kName = "sqrt";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    How::loop(0, n, [u = data.u.data(), v = data.v.data()](Size i) { v[i] = std::sqrt(u[i]); });
  }
};

struct IntegerHistogram {
  static constexpr const char* kName = "histogram";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    data.histogram = How::fold(
        n, Histogram{},
        [letters = data.letters.data()](Histogram& counts, Size i) { ++counts[letters[i]]; },
        [](Histogram a, const Histogram& b) {
          for (Size k = 0; k < a.size(); ++k) a[k] += b[k];
          return a;
        });
  }
};

/// A byte may be a part of anything: a compiler that sees no copy of the pointers must load them
/// again after each store.
struct Bytes {
  static constexpr const char* kName = "bytes";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    How::loop(
        0, n,
        [key = static_cast<std::uint8_t>(n), from = data.letters.data(),
         to = data.codes.data()](Size i) { to[i] = static_cast<std::uint8_t>(from[i] ^ key); });
  }
};

/// Pointers that are captured by reference.
struct ByPointer {
  static constexpr const char* kName = "by pointer";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    const int* from = data.numbers.data();
    int* to = data.others.data();
    How::loop(0, n, [&](Size i) { to[i] = 3 * from[i] + static_cast<int>(i); });
  }
};

struct ByVector {
  static constexpr const char* kName = "by vector";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    std::vector<float>& x = data.x;
    std::vector<float>& y = data.y;
    How::loop(0, n, [&](Size i) { y[i] += 2.0F * x[i]; });
  }
};

struct BySpan {
  static constexpr const char* kName = "by span";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    How::loop(0, n, [x = std::span<const float>(data.x), y = std::span<float>(data.y)](Size i) {
      y[i] = x[i] * x[i];
    });
  }
};

/// The call operator of an object with more in it than the loop needs.
struct CallOperator {
  static constexpr const char* kName = "call operator";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    struct Scaler {
      const std::vector<double>* from;
      std::vector<double>* to;
      double factors[9];
      void operator()(Size i) const { (*to)[i] = factors[2] * (*from)[i]; }
    };
    const Scaler scaler{&data.u, &data.v, {1, 2, 0.5}};
    How::loop(0, n, scaler);
  }
};

/// A loop in a member function, over what the object has.
struct MemberFunction {
  static constexpr const char* kName = "member function";
  struct Cells {
    std::vector<int>& from;
    std::vector<int>& to;
    template <class How>
    [[gnu::always_inline]] void advance(Size n) {
      How::loop(0, n, [this](Size i) { update(i); });
    }
    void update(Size i) { to[i] = (from[i] >> 1) + 7; }
  };
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    Cells{data.numbers, data.others}.advance<How>(n);
  }
};

/// The elements of a range.
struct Elements {
  static constexpr const char* kName = "elements";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size) {
    How::each(data.x, [](float& x) { x = 0.5F * x + 1.0F; });
  }
};

/// Two ranges side by side.
struct Zipped {
  static constexpr const char* kName = "zip";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size) {
    How::zipped(data.x, data.y, [](auto t) {
      auto& [x, y] = t;
      y += 0.25F * x;
    });
  }
};

/// Elements with their numbers.
struct Numbered {
  static constexpr const char* kName = "enumerate";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size) {
    How::numbered(data.x, [y = data.y.data()](auto numbered) {
      numbered.second += 0.25F * y[numbered.first];
    });
  }
};

/// A lazy sequence into a vector.
struct Transformed {
  static constexpr const char* kName = "transform";
  template <class How>
  [[gnu::always_inline]] static void run(Data& data, Size n) {
    How::transform(
        n, [u = data.u.data()](Size i) { return u[i]; }, data.v,
        [](double u) { return 0.5 * u + 1; });
  }
};

template <class Body>
[[gnu::noinline]] void plain(Data& data, Size n) {
  Body::template run<Plain>(data, n);
}

template <class Body>
[[gnu::noinline]] void alone(Data& data, Size n) {
  Body::template run<Parallel<Surroundings::alone>>(data, n);
}

template <class Body>
[[gnu::noinline]] void nested(Data& data, Size n) {
  furca::parallel_for(0, 1,
                      [&](int) { Body::template run<Parallel<Surroundings::nested>>(data, n); });
}

/// All the others stand in the same function, plain and parallel. Bit k of `which`: loop number k.
template <class... Bodies>
[[gnu::noinline]] void crowded(unsigned which, Data& data, Size n) {
  unsigned bit = 1;
  ((((which & bit) != 0 ? Bodies::template run<Parallel<Surroundings::crowded>>(data, n) : void()),
    bit <<= 1U),
   ...);
  ((((which & bit) != 0 ? Bodies::template run<Plain>(data, n) : void()), bit <<= 1U), ...);
}

using Function = void (*)(Data&, Size);

struct Kernel {
  const char* name;
  Function plain, alone, nested;
  unsigned number;  // in crowded()
};

template <class... Bodies>
struct All {
  static void in_the_crowd(unsigned number, Data& data, Size n) {
    crowded<Bodies...>(1U << number, data, n);
  }

  static std::vector<Kernel> kernels() {
    unsigned number = 0;
    return {Kernel{Bodies::kName, &plain<Bodies>, &alone<Bodies>, &nested<Bodies>, number++}...};
  }
};

using Everything =
    All<Axpy, Dot, Sum, Min, CountIf, Stencil, Gather, Sqrt, IntegerHistogram, Bytes, ByPointer,
        ByVector, BySpan, CallOperator, MemberFunction, Elements, Zipped, Numbered, Transformed>;

}  // namespace kernels
