// broadcast, in use.
#include "../expect.hpp"

#include <furca/broadcast.hpp>

#include <cstddef>
#include <set>
#include <vector>

namespace {

thread_local int calls_here = 0;

}  // namespace

int main() {
  //! [broadcast]
  // once on every thread
  furca::broadcast([] { ++calls_here; });
  const std::vector<std::size_t> numbers = furca::broadcast([] { return furca::thread_index(); });
  //! [broadcast]
  examples::expect(calls_here == 1, "once on this thread");
  examples::expect(numbers.size() == furca::num_threads(), "an answer from each thread");
  examples::expect(std::set<std::size_t>(numbers.begin(), numbers.end()).size() == numbers.size(),
                   "each has a number of its own");

  furca::ThreadPool pool({.threads = 3});
  //! [pool]
  const std::vector<int> threes = pool.broadcast([] { return 3; });
  //! [pool]
  examples::expect(threes == std::vector<int>(3, 3), "three threads");
  return examples::unexpected;
}
