#include "config_checks.hpp"

#include "../system/processors.hpp"
#include "../system/thread.hpp"

#include <bit>
#include <stdexcept>
#include <string>

namespace furca::detail {

std::size_t checked_size(const Config& config) {
  if (!config.threads) return default_thread_count();
  const std::size_t threads = *config.threads;
  if (threads == 0)
    throw std::invalid_argument(
        "furca: a pool of 0 threads cannot compute: the caller is one of them, so ask for 1 or "
        "more, "
        "or leave .threads unset for the default");
  if (threads > kMostThreads)
    throw std::invalid_argument("furca: a pool of " + std::to_string(threads) +
                                " threads is more than the " + std::to_string(kMostThreads) +
                                " that furca starts; more threads than processors gain nothing");
  return threads;
}

void check_stack_size(const Config& config) {
  if (config.stack_size != 0 && config.stack_size < Thread::least_stack_size())
    throw std::invalid_argument(
        "furca: .stack_size is in bytes, and " + std::to_string(config.stack_size) +
        " are too few: the system's least is " + std::to_string(Thread::least_stack_size()));
}

void check_queue_capacity(const Config& config) {
  if (std::has_single_bit(config.queue_capacity) && config.queue_capacity >= 2 &&
      config.queue_capacity <= 65'536)
    return;
  throw std::invalid_argument("furca: .queue_capacity is a power of two, from 2 to 65,536; not " +
                              std::to_string(config.queue_capacity));
}

std::optional<Backoff> checked_backoff(const Config& config) {
  if (!config.steal_attempts) return std::nullopt;
  constexpr std::size_t kMost = 1'000'000;
  if (*config.steal_attempts == 0 || *config.steal_attempts > kMost)
    throw std::invalid_argument(
        "furca: .steal_attempts is how often a thread looks for work before it sleeps, from 1 to "
        "1,000,000; not " +
        std::to_string(*config.steal_attempts));
  return Backoff::of(*config.steal_attempts);
}

}  // namespace furca::detail
