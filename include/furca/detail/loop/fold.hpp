// The inner loop of a reduction over indices or elements.
#pragma once

#include <furca/detail/base/contribution.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/splitter.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace furca::detail {

/// Accumulators that a loop keeps in registers if they are variables of its own: then none of its
/// loads and stores can be theirs.
template <class T>
inline constexpr bool kSmallAccumulator = std::is_trivially_copyable_v<T> && sizeof(T) <= 64;

/// A map that is nothing but a look at a number in memory: nobody sees in which order.
template <class Map>
inline constexpr bool kLooksAtNumber = false;

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
template <std::contiguous_iterator Iterator, class T>
inline constexpr bool kLooksAtNumber<MappedElement<Iterator, T, std::identity>> =
    std::is_arithmetic_v<std::iter_value_t<Iterator>> &&
    !std::is_volatile_v<std::remove_reference_t<std::iter_reference_t<Iterator>>>;

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

  /// Several blocks may go through at once: nobody sees it, and nothing throws.
  static constexpr bool kSideBySide = std::is_arithmetic_v<T> &&
                                      kTakesNanoseconds<std::remove_const_t<Op>, T> &&
                                      kLooksAtNumber<std::remove_const_t<Map>>;

  /// Adds up kBlocks neighbouring blocks of `length` indices, from `lo` on: an addition waits for
  /// the one before it in its block alone. Each block's additions keep their order, so the bits are
  /// those of one block after the other. Accumulators of numbers need not be made.
  template <std::size_t kBlocks>
  void add_side_by_side(T* accumulators, const T& identity, std::uint64_t lo,
                        std::uint64_t length) const
    requires kSideBySide
  {
    [&]<std::size_t... k>(std::index_sequence<k...>) {
      std::array<T, kBlocks> sums{(static_cast<void>(k), identity)...};
      for (std::uint64_t i = lo; i < lo + length; ++i)
        ((sums[k] = next(sums[k], i + k * length)), ...);
      ((accumulators[k] = sums[k]), ...);
    }(std::make_index_sequence<kBlocks>());
  }

 private:
  T next(T sum, std::uint64_t i) const {
    return static_cast<T>(detail::invoke(
        combine_, std::move(sum), static_cast<T>(detail::invoke(contribution_, range_.at(i)))));
  }

  static constexpr bool kMaps = MapsTo<Map, Index, T>;
  using Contribution = std::conditional_t<kMaps, Held<Map, Index>, Held<Map, T&, Index>>;

  IndexRange<Index> range_;
  Contribution contribution_;
  Held<Op, T, T> combine_;
};

}  // namespace furca::detail
