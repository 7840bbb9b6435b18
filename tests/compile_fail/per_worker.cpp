// Wrong calls of per_worker.hpp: each under words that its first error has (wrong_calls.py).
#include <furca/per_worker.hpp>

#include <functional>
#include <memory>
#include <vector>

void right(const furca::PerWorker<int>& sums) { static_cast<void>(sums.combine(std::plus<>{})); }

void wrong(const furca::PerWorker<int>& sums, furca::PerWorker<long>& others) {
  // furca: write partial.combine(std::plus<>{})
  const int all = sums.combine();
  // furca: write partial.combine(std::plus<>{})
  const long in_place = others.combine([](long& a, const long& b) { a += b; });
  // furca: write partial.local()
  const int mine = sums.get();
  // furca: a PerWorker begins with a value: write PerWorker<T> partial(T(100))
  const furca::PerWorker<std::vector<int>> lists(100);
  // furca: a PerWorker begins with a value: write PerWorker<T> partial(T(100))
  const furca::PerWorker<std::vector<int>> made([] { return std::vector<int>(100); });
  // furca: a PerWorker begins with a value: write PerWorker<T> partial(T(100))
  const furca::PerWorker<std::reference_wrapper<int>> referring;
  // furca: each value of a PerWorker<T> begins as a copy
  const furca::PerWorker<std::unique_ptr<int>> fixed;
}
