// The inner loop of a reduction over indices or elements.
#pragma once

#include <furca/detail/base/contribution.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/opaque.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/loop.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Accumulators that a loop keeps in registers if they are variables of its own: then none of its
/// loads and stores can be theirs. Numbers, small structs, and pairs and tuples of them.
template <class T>
inline constexpr bool kSmallAccumulator = std::is_trivially_copy_constructible_v<T> &&
                                          std::is_trivially_destructible_v<T> && sizeof(T) <= 64;

/// The contribution of an element of a range. A value, not a reference: it may point into an
/// element that exists only here.
template <class Iterator, class T, class Map>
struct MappedElement {
  Map& map;
  Iterator begin;

  T operator()(std::size_t i) const {
    return static_cast<T>(
        detail::invoke(map, begin[static_cast<std::iter_difference_t<Iterator>>(i)]));
  }
};

/// The size of what a map reads for each index, if that are numbers in memory and it does nothing
/// but a multiplication with them; else 0.
template <class Map>
inline constexpr std::size_t kPlainMap = 0;
template <std::contiguous_iterator Iterator, class T>
  requires std::is_arithmetic_v<std::iter_value_t<Iterator>>
inline constexpr std::size_t kPlainMap<MappedElement<Iterator, T, std::identity>> =
    sizeof(std::iter_value_t<Iterator>);

/// The inner loop of a reduction, with the user's callables as Held holds them.
template <class Index, class T, class Map, class Op>
class Fold {
 public:
  Fold(const IndexRange<Index>& range, Map& map, Op& op)
      : range_(range), contribution_(map), combine_(op) {}

  /// Adds what the indices [lo, hi) of the range contribute, in their order. `at` is where it
  /// stands at the end, or when something throws.
  void add(T& accumulator, std::uint64_t lo, std::uint64_t hi, std::uint64_t& at) const {
    const Index stop = range_.at(hi);
    Index i = range_.at(lo);
    try {
      // The casts make values: op may return a reference to one of its arguments. likely: else g++
      // 14 -O2 keeps one of two pointers on the stack.
      for (; i != stop; ++i) [[likely]] {
        if constexpr (kMaps)
          accumulator = static_cast<T>(
              detail::invoke(combine_, std::move(accumulator),
                             static_cast<T>(detail::invoke(contribution_, Index(i)))));
        else
          detail::invoke(contribution_, accumulator, Index(i));
      }
    } catch (...) {
      at = range_.step(i);
      throw;
    }
    at = hi;
  }

  /// The contribution of a step, of a map.
  T contribution(std::uint64_t step) const
    requires(MapsTo<Map, Index, T>)
  {
    return static_cast<T>(detail::invoke(contribution_, range_.at(step)));
  }

  /// Rounding is all that the order of such operations decides.
  static constexpr bool kInLanes = MapsTo<Map, Index, T> && std::is_floating_point_v<T> &&
                                   kTakesNanoseconds<std::remove_const_t<Op>, T>;

  /// What each of the indices [at, end) comes to, into slots that lie side by side. `at` is where
  /// it stands at the end, or when something throws. opaque: a loop of vectors, and what is left
  /// for the loop behind it, might round a map of the user's in two ways, and where the one ends
  /// depends on where a thread began.
  void one_each(const T& identity, T* slots, std::uint64_t end, std::uint64_t& at) const
    requires kInLanes
  {
    const Index stop = range_.at(end);
    Index i = range_.at(at);
    try {
      for (const T first = identity; i != stop; ++i) {
        if constexpr (kPlainMap<std::remove_const_t<Map>> == 0) i = detail::opaque(i);
        *slots++ = next(first, i);
      }
      at = end;
    } catch (...) {
      at = range_.step(i);
      throw;
    }
  }

  /// What the indices [lo, hi) of the range come to: from 16 on, the k-th of every eight in lane k,
  /// then the lanes along a tree, and what is left one after the other. An addition waits for the
  /// one before it in its lane alone, and compilers make vectors of lanes. The map is called in
  /// order.
  /// Source: NumPy's sums of 128 elements and fewer.
  T in_lanes(const T& identity, std::uint64_t lo, std::uint64_t hi, std::uint64_t& at) const
    requires kInLanes
  {
    constexpr std::size_t kLanes = 8;
    const Index stop = range_.at(hi);
    Index i = range_.at(lo);
    try {
      T sum = identity;
      if (hi - lo >= 2 * kLanes) {
        std::array<T, kLanes> lanes;
        lanes.fill(identity);
        for (std::uint64_t eights = (hi - lo) / kLanes; eights > 0; --eights) {
          [&]<std::size_t... k>(std::index_sequence<k...>) {
            ((lanes[k] = next(lanes[k], i), ++i), ...);
          }(std::make_index_sequence<kLanes>());
        }
        sum = detail::combined_eight(combine_, lanes.data());
      }
#if defined(__GNUC__)
#pragma GCC unroll 1  // a few rounds: to choose where to enter them unrolled would take longer
#endif
      for (; i != stop; ++i) sum = next(sum, i);
      at = hi;
      return sum;
    } catch (...) {
      at = range_.step(i);
      throw;
    }
  }

 private:
  T next(T sum, const Index& i) const {
    return static_cast<T>(detail::invoke(combine_, std::move(sum),
                                         static_cast<T>(detail::invoke(contribution_, Index(i)))));
  }

  static constexpr bool kMaps = MapsTo<Map, Index, T>;
  using Contribution = std::conditional_t<kMaps, Held<Map, Index>, Held<Map, T&, Index>>;

  IndexRange<Index> range_;
  Contribution contribution_;
  Held<Op, T, T> combine_;
};

}  // namespace furca::detail
