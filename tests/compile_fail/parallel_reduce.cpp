// Wrong calls of parallel_reduce.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <list>
#include <memory>
#include <string>
#include <vector>

struct Counts {
  int count = 0;
};

void right(const std::vector<double>& v) {
  static_cast<void>(furca::parallel_reduce(v, 0.0));
  static_cast<void>(
      furca::parallel_reduce(0, 9, 0L, [](long& sum, int i) { sum += i; }, std::plus<>{}));
}

void wrong(const std::vector<double>& v, const std::vector<long>& sizes, const std::list<int>& list,
           const std::vector<std::string>& words) {
  const auto index = [](int i) { return i; };
  const std::plus<> plus;
  double x = 0;

  // furca: a sum has the type of the value to begin with, and what map returns
  x = furca::parallel_reduce(v, 0);
  // furca: a sum has the type of the value to begin with, and what map returns
  x = furca::parallel_reduce(v, 0.0F, [](double each) { return each; });
  // furca: a sum has the type of the value to begin with, and what map returns
  x = furca::parallel_reduce(sizes, 0, [](long size) { return size; }, plus);
  // furca: a sum has the type of the value to begin with, and what map returns
  x = furca::parallel_reduce(0, 10, 0, [](int i) { return 0.5 * i; }, plus, {.grain = 64});
  // furca: a sum has the type of the value to begin with, and what map returns
  x = furca::parallel_reduce(0, 10, 0, [](int i) { return 0.5 * i; });
  // furca: a sum has the type of the value to begin with, and what op returns
  x = furca::parallel_reduce(0, 10, 0, index, [](int a, int b) { return 0.5 * a + 0.5 * b; });
  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce(0, 10, 0.0, [](double a, int i) { return a + i; }, plus);
  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce(0, 10, 0L, [](const long&, int) {}, plus);
  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce(0, 10, 0L, [](auto&& sum, int i) { sum += i; }, plus);
  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce(v, 0.0, [](double& a, double each) { return a + each; }, plus);

  // furca: write parallel_reduce(first, last, 0.0, [&](int i) { return x[i]; }, std::plus<>{})
  static_cast<void>(furca::parallel_reduce(0, 10, std::unique_ptr<int>(), index, plus));
  // the operation is given two such values, and returns one
  x = furca::parallel_reduce(0, 10, 0L, index, [](long& a, const long& b) { a += b; });
  // the operation is given two such values, and returns one
  x = furca::parallel_reduce(0, 10, 0, index, [](int a) { return a; });
  // the operation is given two such values, and returns one
  x = furca::parallel_reduce(0, 10, 0, index, [](int, int) {});
  // the operation is given two such values, and returns one
  x = furca::parallel_reduce(v, 0.0, [](double& most, double each) { most = each; });
  // the map returns what an element contributes
  x = furca::parallel_reduce(words, 0, index, plus);
  // the map returns what an element contributes
  static_cast<void>(furca::parallel_reduce(0, 10, std::string(), index, plus));
  // the map returns what an element contributes
  x = furca::parallel_reduce(0, 10, 0, [](int) {}, plus);
  // or parallel_reduce(v, 0.0, std::identity{}, std::plus<>{})
  x = furca::parallel_reduce(v, 0.0, [](double a, double b) { return a + b; });
  // or parallel_reduce(v, 0.0, std::identity{}, std::plus<>{})
  x = furca::parallel_reduce(0, 10, 0.0, std::multiplies<>{});
  // 0.0 is the value to begin with
  x = furca::parallel_reduce(v, plus);
  // 0.0 is the value to begin with
  x = furca::parallel_reduce(0, 10, index, plus, 0.0);
  // furca: what is called with an accumulator adds to it in place
  x = furca::parallel_reduce(0, 10, 0.0, plus, index);
  // furca: write parallel_reduce(first, last, 0.0,
  static_cast<void>(furca::parallel_reduce(0, 10, Counts{}, [](int i) { return Counts{i}; }));
  // 0.0 is the value to begin with, of the result's type
  x = furca::parallel_reduce(0, 10, {}, index, plus);
  // 0.0 is the value to begin with, of the result's type
  x = furca::parallel_reduce(v, {}, plus);
  // for integers
  x = furca::parallel_reduce(0.0, 1.0, 0.0, [](double each) { return each; }, plus);
  // std::span(first, last) for a part
  x = furca::parallel_reduce(v.begin(), v.end(), 0.0);
  // v is one range, as a std::vector
  x = furca::parallel_reduce(list, 0);
  // options stand behind: {.grain = 64,
  x = furca::parallel_reduce(0, 10, 0, index, plus, 64);
  // options stand behind: {.grain = 64,
  x = furca::parallel_reduce(v, 0.0, std::identity{}, plus, furca::LoopOptions{});
  // options stand behind: {.grain = 64,
  x = furca::parallel_reduce(v, 0.0, std::identity{}, plus, {.chunk = 64});
  // options stand behind: {.grain = 64,
  x = furca::parallel_reduce(0, 10, 0, index, plus, {.threads = 2});
  // nodiscard
  furca::parallel_reduce(0, 10, 0.0, index);
  static_cast<void>(x);
}
