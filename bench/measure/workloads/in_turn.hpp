// The operations done plainly: serial runs of recursions whose tasks are so large that writing them
// twice would show nothing.
#pragma once

#include <cstddef>

namespace bench {

struct InTurn {
  template <class A, class B>
  static void join(A a, B b) {
    a();
    b();
  }

  template <class F>
  static void spawn(std::size_t n, F&& body) {
    for (std::size_t i = 0; i < n; ++i) body(i);
  }
};

}  // namespace bench
