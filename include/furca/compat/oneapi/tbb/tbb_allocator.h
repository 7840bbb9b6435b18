// tbb::tbb_allocator: the standard allocator, as where oneTBB's own allocator is not installed.
#pragma once

#include "version.h"

#include <memory>
#include <type_traits>

namespace tbb {

/// std::allocator, and which one it is.
template <class T>
class tbb_allocator : public std::allocator<T> {
 public:
  enum malloc_type { scalable, standard };

  template <class U>
  struct rebind {
    using other = tbb_allocator<U>;
  };

  tbb_allocator() = default;
  template <class U>
  tbb_allocator(const tbb_allocator<U>&) noexcept {}  // NOLINT: as the standard's allocators

  static malloc_type allocator_type() { return standard; }
};

}  // namespace tbb
