// Replaces operator new and delete of a test program: counts what is allocated and given back, and
// refuses it on demand.
// To be included by one source file of a program.
#pragma once

#include <atomic>
#include <cstdlib>
#include <new>

extern "C" [[gnu::weak]] void __sanitizer_print_stack_trace();  // NOLINT: there if a sanitizer is

namespace furca::test {

/// Successful allocations so far, and those of them that were given back; by any thread.
inline constinit std::atomic<long> allocations{0};
inline constinit std::atomic<long> deallocations{0};

inline long live_allocations() noexcept { return allocations - deallocations; }

/// Allocations that call() makes in this process, on whatever thread.
template <class Call>
long allocations_in(Call call) {
  const long before = allocations;
  call();
  return allocations - before;
}

/// While it lives, allocations fail: `failures` of them, after `successes`. One at a time.
class FailingAllocations {
 public:
  enum class Where { anywhere, this_thread };
  static constexpr long kAllThatFollow = 1'000'000'000;

  explicit FailingAllocations(long successes, long failures = 1,
                              Where where = Where::anywhere) noexcept {
    successes_left = successes;
    failures_left = failures;
    refused_count = 0;
    chosen = true;
    mode = where == Where::anywhere ? Mode::anywhere : Mode::chosen_thread;
  }
  ~FailingAllocations() {
    mode = Mode::off;
    chosen = false;
  }
  FailingAllocations(const FailingAllocations&) = delete;
  FailingAllocations& operator=(const FailingAllocations&) = delete;

  /// How many have failed by now, of the last one's.
  static long refused() noexcept { return refused_count; }
  static void forget_refusals() noexcept { refused_count = 0; }

  /// For operator new.
  static bool refuses() noexcept {
    const Mode now = mode;
    if (now == Mode::off || (now == Mode::chosen_thread && !chosen)) return false;
    if (successes_left.fetch_sub(1) > 0 || failures_left.fetch_sub(1) <= 0) return false;
    ++refused_count;
    return true;
  }

 private:
  enum class Mode { off, anywhere, chosen_thread };
  static inline constinit std::atomic<Mode> mode{Mode::off};
  static inline constinit std::atomic<long> successes_left{0};
  static inline constinit std::atomic<long> failures_left{0};
  static inline constinit std::atomic<long> refused_count{0};
  static inline constinit thread_local bool chosen = false;
};

namespace detail {

inline constexpr std::size_t kUsualAlignment = __STDCPP_DEFAULT_NEW_ALIGNMENT__;

inline void* allocate(std::size_t size, std::size_t alignment) noexcept {
  if (FailingAllocations::refuses()) return nullptr;
  void* memory = nullptr;
  if (posix_memalign(&memory, alignment < sizeof(void*) ? sizeof(void*) : alignment, size) != 0)
    return nullptr;
  allocations.fetch_add(1, std::memory_order_relaxed);
  return memory;
}

inline void* allocate_or_throw(std::size_t size, std::size_t alignment) {
  if (void* const memory = allocate(size, alignment)) return memory;
  throw std::bad_alloc();
}

inline void deallocate(void* memory) noexcept {
  if (memory != nullptr) deallocations.fetch_add(1, std::memory_order_relaxed);
  std::free(memory);
}

}  // namespace detail

/// Are the operators below in use?
inline bool allocations_are_counted() {
  return allocations_in([] { ::operator delete(::operator new(8)); }) == 1;
}

}  // namespace furca::test

// Every form, since those that are left to the library need not come by the others. Weak, because
// clang links its sanitizers' own statically and strong: there these are not in use, see
// allocations_are_counted().
[[gnu::weak]] void* operator new(std::size_t size) {
  return furca::test::detail::allocate_or_throw(size, furca::test::detail::kUsualAlignment);
}
[[gnu::weak]] void* operator new[](std::size_t size) {
  return furca::test::detail::allocate_or_throw(size, furca::test::detail::kUsualAlignment);
}
[[gnu::weak]] void* operator new(std::size_t size, std::align_val_t to) {
  return furca::test::detail::allocate_or_throw(size, static_cast<std::size_t>(to));
}
[[gnu::weak]] void* operator new[](std::size_t size, std::align_val_t to) {
  return furca::test::detail::allocate_or_throw(size, static_cast<std::size_t>(to));
}
[[gnu::weak]] void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  return furca::test::detail::allocate(size, furca::test::detail::kUsualAlignment);
}
[[gnu::weak]] void* operator new[](std::size_t size, const std::nothrow_t&) noexcept {
  return furca::test::detail::allocate(size, furca::test::detail::kUsualAlignment);
}
[[gnu::weak]] void* operator new(std::size_t size, std::align_val_t to,
                                 const std::nothrow_t&) noexcept {
  return furca::test::detail::allocate(size, static_cast<std::size_t>(to));
}
[[gnu::weak]] void* operator new[](std::size_t size, std::align_val_t to,
                                   const std::nothrow_t&) noexcept {
  return furca::test::detail::allocate(size, static_cast<std::size_t>(to));
}
[[gnu::weak]] void operator delete(void* memory) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete[](void* memory) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete(void* memory, std::size_t) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::size_t) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete(void* memory, std::align_val_t) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::align_val_t) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete(void* memory, std::size_t, std::align_val_t) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::size_t, std::align_val_t) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete(void* memory, const std::nothrow_t&) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete[](void* memory, const std::nothrow_t&) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete(void* memory, std::align_val_t, const std::nothrow_t&) noexcept {
  furca::test::detail::deallocate(memory);
}
[[gnu::weak]] void operator delete[](void* memory, std::align_val_t,
                                     const std::nothrow_t&) noexcept {
  furca::test::detail::deallocate(memory);
}
