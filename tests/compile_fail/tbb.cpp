// Wrong calls of the look-alike of oneTBB: each under words that its first error has
// (wrong_calls.py).
#include <furca/compat/oneapi/tbb/parallel_for.h>
#include <furca/compat/oneapi/tbb/parallel_reduce.h>

#include <functional>

struct WithoutJoin {
  WithoutJoin() = default;
  WithoutJoin(WithoutJoin&, tbb::split) {}
  void operator()(const tbb::blocked_range<int>&) {}
};

void right() {
  tbb::parallel_for(0, 10, [](int) {});
}

void wrong(const tbb::blocked_range<int>& range, WithoutJoin& body) {
  // furca: the body of tbb::parallel_for is called with a range, and const
  tbb::parallel_for(range, [n = 0](const tbb::blocked_range<int>&) mutable { ++n; });
  // furca: the function of tbb::parallel_for(first, last, f) is called as f(index), and const
  tbb::parallel_for(0, 10, [] {});
  // furca: a body for tbb::parallel_reduce has operator()(const Range&)
  tbb::parallel_reduce(range, body);
  // furca: the second function of tbb::parallel_reduce(range, identity, body, reduction) takes a
  tbb::parallel_reduce(range, 0, [](const tbb::blocked_range<int>&) { return 1; }, std::plus<>());
}
