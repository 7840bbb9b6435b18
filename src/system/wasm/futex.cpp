// Sleeping on a word: memory.atomic.wait32, which a page's main thread may not use; emscripten's
// function looks again and again there.
#include <furca/detail/base/atomics.hpp>

#include <emscripten/threading.h>

namespace furca::detail {

void StdAtomics::wait(Atomic<std::uint32_t>& word, std::uint32_t expected) noexcept {
  constexpr double kForEver = 1e300;  // milliseconds
  emscripten_futex_wait(&word, expected, kForEver);
}

void StdAtomics::wake(Atomic<std::uint32_t>& word, int count) noexcept {
  emscripten_futex_wake(&word, count);
}

}  // namespace furca::detail
