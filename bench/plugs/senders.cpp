// stdexec's parallel scheduler on its own threads, one for each processor, and on furca's.
#include "timing.hpp"

#include <stdexec/execution.hpp>

#include <furca/plugs/parallel_scheduler.hpp>
#include <furca/plugs/sync_wait.hpp>

#include <stdexec/__detail/__parallel_scheduler_default_impl.hpp>

#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace {

bool furcas = false;

}  // namespace

auto stdexec::parallel_scheduler_replacement::query_parallel_scheduler_backend()
    -> std::shared_ptr<parallel_scheduler_backend> {
  using Own = stdexec::__parallel_scheduler_default_impl::__parallel_scheduler_backend_impl;
  static const std::shared_ptr<parallel_scheduler_backend> backend =
      furcas ? furca::plugs::parallel_scheduler<stdexec::sender_tag>() : std::make_shared<Own>();
  return backend;
}

namespace {

template <class Wait>
void rows(Wait wait) {
  const auto scheduler = stdexec::get_parallel_scheduler();
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
  furcas = on_furca(argv);
  if (furcas) {
    rows([](auto sender) { furca::plugs::sync_wait(std::move(sender)); });
  } else {
    rows([](auto sender) { stdexec::sync_wait(std::move(sender)); });
  }
}
