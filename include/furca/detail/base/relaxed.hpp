// One word that threads share without order: a std::atomic of which every access is relaxed.
//
// By the compilers' functions: with g++ 12 <atomic> brings mutexes, system errors and strings, and
// takes as long to compile as all of <algorithm> and <vector>.
#pragma once

#include <furca/detail/base/config.hpp>

namespace furca::detail {

template <class T>
class Relaxed {
 public:
  constexpr Relaxed() noexcept : value_() {}
  constexpr explicit Relaxed(T value) noexcept : value_(value) {}
  Relaxed(const Relaxed&) = delete;
  Relaxed& operator=(const Relaxed&) = delete;

  T read() const noexcept {
    T value;
    __atomic_load(&value_, &value, __ATOMIC_RELAXED);
    return value;
  }

  void write(T value) noexcept { __atomic_store(&value_, &value, __ATOMIC_RELAXED); }

  void add(T more) noexcept { __atomic_fetch_add(&value_, more, __ATOMIC_RELAXED); }
  void subtract(T less) noexcept { __atomic_fetch_sub(&value_, less, __ATOMIC_RELAXED); }

  /// Writes `wanted` if it is `seen`; else `seen` becomes what it is. May fail for no reason.
  bool replace(T& seen, T wanted) noexcept {
    return __atomic_compare_exchange(&value_, &seen, &wanted, true, __ATOMIC_RELAXED,
                                     __ATOMIC_RELAXED);
  }

 private:
  static_assert(__atomic_always_lock_free(sizeof(T), nullptr) || sizeof(T) > sizeof(void*),
                "as std::atomic: no lock where the machine has such words");
  alignas(sizeof(T)) T value_;
};

/// The same behind the seam (atomics.hpp), where a test's machine sees each access; and of a hint,
/// which may be wrong.
#if !defined(FURCA_ATOMICS_HEADER)
template <class T>
using SeamRelaxed = Relaxed<T>;
template <class T>
using SeamHint = Relaxed<T>;
#endif

}  // namespace furca::detail

#if defined(FURCA_ATOMICS_HEADER)
#include FURCA_ATOMICS_HEADER  // has these two
#endif
