// parallel_reduce, in use.
#include "../expect.hpp"

#include <furca/parallel_reduce.hpp>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

//! [Accumulator]
/// Sums whatever can be added up, and nothing else.
template <furca::Accumulator T>
T sum(const std::vector<T>& values) {
  return furca::parallel_reduce(values, T(), std::identity{}, std::plus<>{});
}
//! [Accumulator]

//! [CombineOp]
template <class T, furca::CombineOp<T> Op>
T combine_all(const std::vector<T>& values, T identity, Op op) {
  return furca::parallel_reduce(values, identity, std::identity{}, op);
}
//! [CombineOp]

//! [enable_same_bits]
/// Cheap to combine, though it has a copy constructor of its own.
struct Total {
  double sum = 0;
  Total() = default;
  explicit Total(double x) : sum(x) {}
  Total(const Total& other) : sum(other.sum) {}
  Total& operator=(const Total&) = default;
  friend Total operator+(const Total& a, const Total& b) { return Total(a.sum + b.sum); }
};

}  // namespace

template <>
inline constexpr bool furca::enable_same_bits<Total> = true;
//! [enable_same_bits]

namespace {

//! [Contribution]
template <class F>
  requires furca::Contribution<F, int, long>
long sum_of(int n, F f) {
  return furca::parallel_reduce(0, n, 0L, f, std::plus<>{});
}
//! [Contribution]

void reduce_indices() {
  const std::vector<double> x(1000, 2);
  const std::vector<double> y(1000, 3);
  //! [parallel_reduce]
  const double dot = furca::parallel_reduce(
      std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i] * y[i]; }, std::plus<>{});
  //! [parallel_reduce]
  examples::expect(dot == 6000, "the scalar product");
}

void reduce_two_ranges() {
  const std::vector<double> prices = {9.5, 12, 3};
  const std::vector<int> numbers = {2, 1, 4};
  //! [transform_reduce]
  const double total = furca::transform_reduce(prices, numbers, 4.9);  // begins with the postage
  const bool same = furca::transform_reduce(numbers, prices, true, std::logical_and<>{},
                                            [](int a, double b) { return a == b; });
  //! [transform_reduce]
  examples::expect(total == 47.9 && !same, "products added up, and comparisons combined");
}

void add_up() {
  const std::vector<double> prices = {9.5, 12.25, 3};
  //! [sum]
  // the int 0 would not compile: it would lose the fractions
  const double total = furca::parallel_reduce(prices, 0.0);
  //! [sum]
  examples::expect(total == 24.75, "a sum of elements");

  const std::vector<double> x(1000, 2);
  //! [sum of a map]
  const double squares = furca::parallel_reduce(x, 0.0, [](double each) { return each * each; });
  const double falling = furca::parallel_reduce(1, 101, 0.0, [](int i) { return 1.0 / i; });
  //! [sum of a map]
  examples::expect(squares == 4000 && falling > 5.18 && falling < 5.19,
                   "sums of squares, and of the harmonic series");
}

void reduce_elements() {
  const std::vector<std::string> words = {"to", "be", "or", "not", "to", "be"};
  //! [fold]
  using Counts = std::map<std::string, int>;
  const Counts counts = furca::parallel_reduce(
      // adds in place: no map for each word
      words, Counts(), [](Counts& some, const std::string& word) { ++some[word]; },
      [](Counts left, const Counts& right) {
        for (const auto& [word, count] : right) left[word] += count;
        return left;
      });
  //! [fold]
  examples::expect(counts.size() == 4 && counts.at("be") == 2, "words are counted");
}

}  // namespace

int main() {
  reduce_indices();
  reduce_two_ranges();
  add_up();
  reduce_elements();
  examples::expect(sum(std::vector<int>(100, 7)) == 700, "a sum");
  examples::expect(
      combine_all(std::vector<int>{3, 9, 4}, 0, [](int a, int b) { return a > b ? a : b; }) == 9,
      "the greatest");
  examples::expect(furca::parallel_reduce(
                       0, 100, Total(), [](int i) { return Total(i); }, std::plus<>{})
                           .sum == 4950,
                   "a total");
  examples::expect(sum_of(5, [](int i) { return i * i; }) == 30, "a sum of squares");
  return examples::unexpected;
}
