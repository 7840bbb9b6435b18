// stdexec's senders and furca on one pool.
#include <stdexec/execution.hpp>

#include <furca/furca.hpp>
#include <furca/plugs/parallel_scheduler.hpp>
#include <furca/plugs/scheduler.hpp>
#include <furca/plugs/sync_wait.hpp>

#include <cstddef>
#include <cstdio>
#include <functional>
#include <vector>

// get_parallel_scheduler() is furca's global pool, in the whole program.
auto stdexec::parallel_scheduler_replacement::query_parallel_scheduler_backend()
    -> std::shared_ptr<parallel_scheduler_backend> {
  return furca::plugs::parallel_scheduler<stdexec::sender_tag>();
}

int main() {
  std::vector<double> x(1'000'000);
  const auto fill = [&](std::size_t lo, std::size_t hi) {
    for (; lo < hi; ++lo) x[lo] = static_cast<double>(lo);
  };
  const auto sum = [&] {  // on a thread of the pool, and so is the loop
    return furca::parallel_reduce(
        std::size_t{0}, x.size(), 0.0, [&](std::size_t i) { return x[i]; }, std::plus<>{});
  };
  const auto [total] = furca::plugs::sync_wait(
                           stdexec::schedule(stdexec::get_parallel_scheduler()) |
                           stdexec::bulk_chunked(stdexec::par, x.size(), fill) | stdexec::then(sum))
                           .value();
  std::printf("0 + ... + 999999 is %.0f\n", total);

  furca::ThreadPool pool({.threads = 3});
  const auto scheduler = furca::scheduler(pool);
  const auto filled = stdexec::just() | stdexec::bulk_chunked(stdexec::par, x.size(), fill) |
                      stdexec::then(furca::num_threads);
  const auto [threads] = furca::plugs::sync_wait(stdexec::starts_on(scheduler, filled)).value();
  std::printf("a pool of %zu\n", threads);
}
