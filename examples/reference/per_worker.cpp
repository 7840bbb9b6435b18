// PerWorker, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>
#include <furca/per_worker.hpp>

#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>

int main() {
  //! [PerWorker]
  // each thread begins with 0
  furca::PerWorker<long> partial;
  furca::parallel_for(0, 10'000, [&](int i) { partial.local() += i; });
  const long sum = partial.combine([](long a, const long& b) { return a + b; });
  //! [PerWorker]
  examples::expect(sum == 49'995'000, "what the threads have added up is the sum");
  examples::expect(!partial.empty() && partial.size() <= 64,
                   "as many values as threads that took part");

  //! [Iterator]
  long least = partial.local();
  // any range algorithm will do
  for (long& value : partial) least = value < least ? value : least;
  for (auto at = std::as_const(partial).begin(); at != std::as_const(partial).end(); at++)
    least = *at.operator->() < least ? *at : least;
  auto first = partial.begin();
  const bool only_one = ++first == partial.end();
  //! [Iterator]
  using Iterator = decltype(first);
  static_assert(std::is_same_v<Iterator::value_type, long> &&
                std::is_same_v<Iterator::reference, long&> &&
                std::is_same_v<Iterator::pointer, long*> &&
                std::is_same_v<Iterator::difference_type, std::ptrdiff_t> &&
                std::is_base_of_v<std::forward_iterator_tag, Iterator::iterator_category>);
  examples::expect(least <= sum && only_one == (partial.size() == 1), "all values are visited");

  partial.clear();
  examples::expect(partial.empty(), "values are forgotten");
  return examples::unexpected;
}
