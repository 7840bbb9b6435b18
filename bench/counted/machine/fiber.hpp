// Stacks of the counted machine's threads, all on one thread of the system.
#pragma once

#include <cstddef>

#if !defined(__x86_64__)
#include <ucontext.h>
#endif

namespace counted {

class Fiber {
 public:
  /// The calling thread itself.
  Fiber() = default;

  /// Runs entry() when it is switched to first; that never returns. Throws std::bad_alloc.
  explicit Fiber(void (*entry)());
  ~Fiber();
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  /// Leaves `from`, which runs, for this one. Returns when somebody switches back.
  void enter_from(Fiber& from) noexcept;

 private:
  static constexpr std::size_t kSize = std::size_t{1} << 20U;  // memory comes when it is touched

  void* stack_ = nullptr;
#if defined(__x86_64__)
  void* top_ = nullptr;
#else
  ucontext_t context_{};
#endif
};

}  // namespace counted
