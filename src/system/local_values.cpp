#include <furca/detail/base/local_values.hpp>

#include <atomic>

namespace furca::detail {

constinit thread_local LocalValues local_values;

Serial next_serial() noexcept {
  constinit static std::atomic<std::uint64_t> last{static_cast<std::uint64_t>(Serial::none)};
  return static_cast<Serial>(last.fetch_add(1, std::memory_order_relaxed) + 1);
}

}  // namespace furca::detail
