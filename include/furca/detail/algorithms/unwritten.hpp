// Elements of a new container that several threads are about to write.
#pragma once

#include <furca/detail/algorithms/elements.hpp>
#include <furca/detail/base/large_memory.hpp>

#include <vector>

namespace furca::detail {

/// The end of a std::vector's elements, where the library lets a derived class move it: libstdc++,
/// unless it checks its containers. By its interface a std::vector gets longer only by one thread,
/// which writes zeros. So a map of 100,000 doubles takes a quarter of the time on two threads.
template <class T>
struct VectorEnd : std::vector<T> {
  static constexpr bool kMoves =
#if defined(__GLIBCXX__) && !defined(_GLIBCXX_DEBUG) && !defined(_GLIBCXX_SANITIZE_VECTOR)
      kPlain<T> && !std::is_same_v<T, bool>;
#else
      false;
#endif

  static void move_to(std::vector<T>& vector, std::size_t n) noexcept {
    auto& ends = vector.*(&VectorEnd::_M_impl);
    ends._M_finish = ends._M_start + n;
  }
};

/// Makes a container n elements long. Those behind its present ones are as if made without
/// arguments, but plain ones of a std::vector have no value before the caller assigns a From: so
/// several threads may be the first to touch that memory. What is assigned from another type need
/// not be written whole.
template <class From, class Container>
void lengthen(Container& container, std::size_t n) {
  container.resize(n);
}
template <class From, class T>
  requires(VectorEnd<T>::kMoves && std::is_same_v<T, std::remove_cvref_t<From>>)
void lengthen(std::vector<T>& vector, std::size_t n) {
  vector.reserve(n);
  VectorEnd<T>::move_to(vector, n);
}

/// n elements for the caller to write, in large pages if they are many.
template <class Container, class From = typename Container::value_type>
Container unwritten(std::size_t n) {
  Container out;
  if constexpr (requires { out.reserve(n); }) {
    out.reserve(n);
    detail::prepare_capacity(out);
  }
  detail::lengthen<From>(out, n);
  return out;
}

}  // namespace furca::detail
