// Limits, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>
#include <furca/thread_limit.hpp>
#include <furca/thread_pool.hpp>

#include <atomic>
#include <cstddef>
#include <vector>

int main() {
  std::vector<double> x(10'000, 1);
  std::atomic<std::size_t> measured{0};
  //! [ThreadLimit]
  const auto work = [&] { furca::parallel_for(x, [](double& each) { each *= 2; }); };
  for (std::size_t threads = 1; threads <= furca::num_threads(); ++threads) {
    const furca::ThreadLimit limit(threads);  // to the end of the block
    // on so many threads at most: how does it scale?
    work();
    measured += furca::ThreadLimit::in_force();
  }
  work();  // on all threads again
  //! [ThreadLimit]
  const std::size_t all = furca::num_threads();
  examples::expect(measured == all * (all + 1) / 2 && furca::ThreadLimit::in_force() == all,
                   "each limit holds for its block");
  return examples::unexpected;
}
