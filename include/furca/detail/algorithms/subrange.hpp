// The type that is returned for a part of a range: std::ranges::borrowed_subrange_t, or what clang
// before 16 can have of it.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>

#if defined(__clang__) && __clang_major__ < 16

namespace furca::detail {

/// A part of a range, with the members of std::ranges::subrange that algorithms' results are used
/// by.
template <std::random_access_iterator I>
class Subrange {
 public:
  Subrange() = default;
  constexpr Subrange(I begin, I end) : begin_(std::move(begin)), end_(std::move(end)) {}

  constexpr I begin() const { return begin_; }
  constexpr I end() const { return end_; }
  constexpr bool empty() const { return begin_ == end_; }
  constexpr auto size() const {
    return static_cast<std::make_unsigned_t<std::iter_difference_t<I>>>(end_ - begin_);
  }

  template <std::size_t N>
    requires(N < 2)
  friend constexpr I get(const Subrange& part) {
    if constexpr (N == 0) {
      return part.begin_;
    } else {
      return part.end_;
    }
  }

 private:
  I begin_{};
  I end_{};
};

template <std::ranges::range R>
using BorrowedSubrange =
    std::conditional_t<std::ranges::borrowed_range<R>, Subrange<std::ranges::iterator_t<R>>,
                       std::ranges::dangling>;

}  // namespace furca::detail

template <class I>
struct std::tuple_size<furca::detail::Subrange<I>> : std::integral_constant<std::size_t, 2> {};

template <std::size_t N, class I>
struct std::tuple_element<N, furca::detail::Subrange<I>> {
  using type = I;
};

template <class I>
inline constexpr bool std::ranges::enable_borrowed_range<furca::detail::Subrange<I>> = true;

#else

namespace furca::detail {

template <std::ranges::range R>
using BorrowedSubrange = std::ranges::borrowed_subrange_t<R>;

}  // namespace furca::detail

#endif

namespace furca::detail {

/// The part of a range from a position on, for a caller who may have given a temporary.
template <LoopRange R>
BorrowedSubrange<R> tail_of(std::remove_reference_t<R>& range, std::size_t from) {
  return {detail::after(range, from), detail::after(range, detail::size_of(range))};
}

}  // namespace furca::detail
