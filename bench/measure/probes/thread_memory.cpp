// What one more thread adds to a pool besides its stack. There is nothing static for each thread,
// so the heap is all.
#include "../allocations.hpp"
#include "probe.hpp"

#include <thread>

namespace bench {
namespace {

/// Of a pool that has started and found nothing to do.
double allocated_bytes(std::size_t threads) {
  const std::uint64_t before = bytes_counted();
  count_allocations(true);
  {
    const furca::ThreadPool pool({.threads = threads});
    std::this_thread::sleep_for(
        std::chrono::milliseconds(5));  // what a thread allocates itself, it does at its start
  }
  count_allocations(false);
  return static_cast<double>(bytes_counted() - before);
}

double memory_of_a_thread(unsigned) {
  constexpr std::size_t kFew = 2;
  constexpr std::size_t kMore = 8;
  return (allocated_bytes(kFew + kMore) - allocated_bytes(kFew)) / (1024.0 * kMore);
}

const ProbeRegistration kThreadMemory(
    {{Group::behaviour, "memory of a thread", "furca", "", "KiB",
      "what one more thread of a pool takes from operator new; its stack is not from there",
      &memory_of_a_thread}});

}  // namespace
}  // namespace bench
