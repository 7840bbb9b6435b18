// stdexec's parallel scheduler on its own threads, which are a static_thread_pool's, and on
// furca's.
#include "timing.hpp"

#include <stdexec/execution.hpp>

#include <furca/plugs/parallel_scheduler.hpp>
#include <furca/plugs/sync_wait.hpp>

#include <exec/static_thread_pool.hpp>

#include <cstddef>
#include <vector>

auto stdexec::parallel_scheduler_replacement::query_parallel_scheduler_backend()
    -> std::shared_ptr<parallel_scheduler_backend> {
  return furca::plugs::parallel_scheduler<stdexec::sender_tag>();
}

namespace {

template <class Scheduler, class Wait>
void rows(Scheduler scheduler, Wait wait) {
  time_of("schedule", [&] { wait(stdexec::schedule(scheduler)); });
  time_of("eight at once", [&] {
    const auto one = [&] { return stdexec::schedule(scheduler); };
    wait(stdexec::when_all(one(), one(), one(), one(), one(), one(), one(), one()));
  });
  for (const std::size_t n : {1'000U, 1'000'000U}) {
    std::vector<float> x(n, 1.0F);
    const auto step = [&](std::size_t i) { x[i] = x[i] * 0.99F + 1; };
    const auto chunk = [&](std::size_t lo, std::size_t hi) {
      for (; lo < hi; ++lo) step(lo);
    };
    time_of(n == 1000 ? "bulk 10^3" : "bulk 10^6", [&] {
      wait(stdexec::schedule(scheduler) | stdexec::bulk_chunked(stdexec::par, n, chunk));
    });
    time_of(n == 1000 ? "unchunked 10^3" : "unchunked 10^6", [&] {
      wait(stdexec::schedule(scheduler) | stdexec::bulk_unchunked(stdexec::par, n, step));
    });
  }
}

}  // namespace

int main(int, char** argv) {
  if (on_furca(argv)) {
    rows(stdexec::get_parallel_scheduler(),
         [](auto sender) { furca::plugs::sync_wait(std::move(sender)); });
  } else {
    exec::static_thread_pool threads(2);
    rows(threads.get_scheduler(), [](auto sender) { stdexec::sync_wait(std::move(sender)); });
  }
}
