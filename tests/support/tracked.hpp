// Captures of callables that tell what becomes of them.
#pragma once

#include "standard.hpp"

namespace furca::test {

/// Counts its living copies.
struct Tracked {
  static inline std::atomic<int> alive{0};
  Tracked() { ++alive; }
  Tracked(const Tracked&) { ++alive; }
  Tracked(Tracked&&) noexcept { ++alive; }
  Tracked& operator=(const Tracked&) = default;
  Tracked& operator=(Tracked&&) = default;
  ~Tracked() { --alive; }
};

/// A callable that throws when it is copied or moved.
struct Stubborn {
  Stubborn() = default;
  Stubborn(const Stubborn&) { throw std::runtime_error("stubborn"); }
  void operator()() const {}
};

}  // namespace furca::test
