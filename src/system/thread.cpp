// Where a thread is on its stack.
#include "thread.hpp"

namespace furca::detail {

const void* Thread::middle_of_stack() noexcept {
  // the main thread's is read from a file
  constinit static thread_local const void* known = nullptr;
  if (known == nullptr) {
    const auto [lowest, size] = stack();
    if (lowest != nullptr) known = static_cast<const char*>(lowest) + size / 2;
  }
  return known;
}

/// Not the address of a local variable: sanitizers keep those elsewhere.
bool Thread::past_middle_of_stack() noexcept {
  const void* const middle = middle_of_stack();
  return middle != nullptr && FURCA_FRAME_ADDRESS() < middle;
}

}  // namespace furca::detail
