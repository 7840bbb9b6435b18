// The partition of quicksort. Where each element gets to depends on the range alone.
//
// Small elements are all moved, and no branch depends on a comparison: one is taken out, and in
// each step what comes before the pivot goes to the end of those that do, and what was there into
// the gap (Lomuto's partition; Bergdoll and Peters let a gap go along). Others are swapped, as
// Hoare does, after lists have been made of what is on the wrong side, without a branch (Edelkamp,
// Weiss: BlockQuicksort, ESA 2016).
// Two stretches may count as one, of which the second goes on where the first ends. So a large
// range is cut into pieces, each a stretch of its left half and one of its right half, which are
// partitioned in parallel. Where the pivot is near the median nearly all elements are on the right
// side of it then, unlike with pieces that are one stretch each. The rest changes places,
// stretch by stretch. The number of pieces depends on the range alone too.
// Rejected: blocks claimed from both ends by whoever is free (Tsigas and Zhang: A Simple, Fast
// Parallel Implementation of Quicksort, PDP 2003), since the order of equal elements depends on who
// was free. Rejected: distribution to many buckets at once (Axtmann et al.: In-place Parallel Super
// Scalar Samplesort, ESA 2017), which reads memory less often but needs buffers for each thread,
// and equal elements come out by schedule.
#pragma once

#include <furca/detail/algorithms/partition_passes.hpp>
#include <furca/detail/sorting/ordering.hpp>
#include <furca/detail/sorting/small_sort.hpp>

#include <array>
#include <cstring>

namespace furca::detail {

/// [first, first + n).
template <class I>
struct Stretch {
  I first;
  std::size_t n;
};

/// Elements that go to the front: those that come before the pivot, or those that do not come
/// behind it.
enum class Front { before, not_behind };

/// Elements that are stored whole, from memory. A load waits for stores that it is wider than, and
/// each step loads what the one before may have stored. clang loads a pair of numbers by one
/// instruction, and stores by two what it has compared in registers: 2.2 times the time of a sort.
/// g++, which uses two for both, takes 1.1 times as long with whole ones.
template <class I>
inline constexpr bool kCopiedWhole =
#if defined(__clang__)
    std::is_pointer_v<I> && kPlain<std::iter_value_t<I>> &&
    sizeof(std::iter_value_t<I>) > sizeof(std::size_t);
#else
    false;
#endif

/// Brings what belongs to the front of two stretches there, of which the second goes on where the
/// first ends. Returns how many they are. The pivot is in neither. For small elements.
template <Front kFront, class I, class Less>
std::size_t partition_by_gap(I pivot_at, Stretch<I> one, Stretch<I> other, const Less& all_less) {
  if (one.n == 0) std::swap(one, other);
  if (one.n == 0) return 0;
  using T = std::iter_value_t<I>;
  const Less less = all_less;
  T pivot = std::ranges::iter_move(pivot_at);
  const auto in_front = [&](auto& x) {
    return kFront == Front::before ? less(x, pivot) : !less(pivot, x);
  };
  Gap<I> gap(one.first);
  I to = one.first;  // where the next goes that belongs to the front
  const auto move_all = [&](I from, I stop) {
    for (; from != stop; ++from) {
      T value = std::ranges::iter_move(from);
      const bool here = in_front(value);
      if constexpr (kCopiedWhole<I>) {
        std::memmove(static_cast<void*>(gap.at), to, sizeof(T));
        std::memmove(static_cast<void*>(to), from, sizeof(T));
      } else {
        T moved = std::ranges::iter_move(to);  // `to` may be the gap: none is assigned to itself
        *gap.at = std::move(moved);
        *to = std::move(value);
      }
      gap.at = from;
      to += here ? 1 : 0;
    }
  };
  const I end_of_one = detail::plus(one.first, one.n);
  move_all(detail::plus(one.first, 1), end_of_one);
  std::size_t before = 0;  // the stretch that `to` is in
  I from = other.first;
  for (std::size_t left = other.n; left > 0;) {
    if (before == 0 && to == end_of_one) {
      to = other.first;
      before = one.n;
    }
    // In as many steps as there are places in the first stretch none goes beyond it.
    const std::size_t steps =
        before > 0 ? left : std::min(left, static_cast<std::size_t>(end_of_one - to));
    move_all(from, detail::plus(from, steps));
    from += static_cast<std::iter_difference_t<I>>(steps);
    left -= steps;
  }
  if (before == 0 && to == end_of_one && other.n > 0) {
    to = other.first;
    before = one.n;
  }
  const std::size_t count =
      before + static_cast<std::size_t>(to - (before > 0 ? other.first : one.first));
  const bool last = in_front(gap.value);
  if (gap.at != to) gap.fill_from(to);
  gap.close();
  return count + (last ? 1 : 0);
}

/// Of a block of elements, which are on the wrong side.
class WrongSide {
 public:
  static constexpr std::size_t kMost = 64;

  bool empty() const noexcept { return from_ == to_; }
  std::size_t size() const noexcept { return to_ - from_; }
  std::size_t first() noexcept { return at_[from_++]; }
  std::size_t last() noexcept { return at_[--to_]; }

  /// Those of `length` that is_wrong(k) holds for.
  template <class IsWrong>
  void find(std::size_t length, IsWrong is_wrong) {
    from_ = to_ = 0;
    std::size_t count = 0;
    for (std::size_t k = 0; k < length; ++k) {
      at_[count] = static_cast<unsigned char>(k);
      count += detail::unpredictable(is_wrong(k));
    }
    to_ = count;
  }

 private:
  std::array<unsigned char, kMost> at_;
  std::size_t from_ = 0;
  std::size_t to_ = 0;
};

/// The same by swaps, for others. Of [0, i) all belong to the front, of what is behind j none does;
/// in between is a block at either end, of which the lists tell what is wrong, and then what has
/// not been looked at.
template <Front kFront, class I, class Less>
std::size_t partition_by_swaps(I pivot, Stretch<I> one, Stretch<I> other, const Less& less) {
  const auto at = [&](std::size_t i) {
    return i < one.n ? detail::plus(one.first, i) : detail::plus(other.first, i - one.n);
  };
  const auto in_front = [&](std::size_t i) {
    return kFront == Front::before ? less(*at(i), *pivot) : !less(*pivot, *at(i));
  };
  const auto swap = [&](std::size_t a, std::size_t b) {
    if (a != b) std::ranges::iter_swap(at(a), at(b));
  };
  std::size_t i = 0;
  std::size_t j = one.n + other.n;
  std::size_t left_length = 0;
  std::size_t right_length = 0;
  WrongSide left;   // counted from i
  WrongSide right;  // from j - 1 down
  while (true) {
    if (left.empty()) i += std::exchange(left_length, 0);
    if (right.empty()) j -= std::exchange(right_length, 0);
    std::size_t unknown = j - i - left_length - right_length;
    if (unknown == 0) break;
    if (left_length == 0) {
      left_length = std::min(WrongSide::kMost, right_length == 0 ? unknown - unknown / 2 : unknown);
      unknown -= left_length;
      left.find(left_length, [&](std::size_t k) { return !in_front(i + k); });
    }
    if (right_length == 0) {
      right_length = std::min(WrongSide::kMost, unknown);
      right.find(right_length, [&](std::size_t k) { return in_front(j - 1 - k); });
    }
    for (std::size_t pairs = std::min(left.size(), right.size()); pairs > 0; --pairs) {
      const std::size_t k = i + left.first();
      swap(k, j - 1 - right.first());
    }
  }
  // One block is left at most: what is wrong goes to its other end.
  while (!left.empty()) swap(i + left.last(), --j);
  const std::size_t last = j;
  while (!right.empty()) swap(i++, last - 1 - right.last());
  return left_length > 0 ? j : i;
}

template <Front kFront, class I, class Less>
FURCA_NOINLINE std::size_t partition_stretches(I pivot, Stretch<I> one, Stretch<I> other,
                                               const Less& less) {
  if constexpr (kSmall<std::iter_value_t<I>>) {
    return detail::partition_by_gap<kFront>(pivot, one, other, less);
  } else {
    return detail::partition_by_swaps<kFront>(pivot, one, other, less);
  }
}

/// A range cut into pieces, each a stretch of either half. Piece k's are the stretches k and pieces
/// + k.
class Pieces {
 public:
  static constexpr std::size_t kLeast = 65'536;  // elements that are worth it
  static constexpr std::size_t kMost = 128;

  explicit Pieces(std::size_t n) noexcept
      : n_(n), half_(n / 2), count_(std::min(kMost, n / kElements)) {}

  std::size_t count() const noexcept { return count_; }
  std::size_t stretches() const noexcept { return 2 * count_; }

  /// Where a stretch begins, and the one before it ends.
  std::size_t begin(std::size_t stretch) const noexcept {
    return stretch < count_ ? part_of(half_, stretch)
                            : half_ + part_of(n_ - half_, stretch - count_);
  }
  std::size_t length(std::size_t stretch) const noexcept {
    return begin(stretch + 1) - begin(stretch);
  }

 private:
  static constexpr std::size_t kElements = 8'192;

  std::size_t part_of(std::size_t length, std::size_t k) const noexcept {
    return length / count_ * k + std::min(k, length % count_);
  }

  std::size_t n_;
  std::size_t half_;
  std::size_t count_;
};

/// Of a large range. If a comparison throws, it is the one in the lowest piece, and all elements
/// are in the range. One function for both fronts, since it takes long to compile.
template <Literal name, class I, class Less>
FURCA_NOINLINE std::size_t partition_in_pieces(I pivot, Stretch<I> all, Front front,
                                               const Less& less, const SourceLocation& where) {
  const Pieces pieces(all.n);
  std::array<std::size_t, 2 * Pieces::kMost> in_front;  // of each stretch
  const auto stretch = [&](std::size_t k) {
    return Stretch<I>{detail::plus(all.first, pieces.begin(k)), pieces.length(k)};
  };
  const auto partition_one = [&](std::size_t k) {
    const Stretch<I> left = stretch(k);
    const Stretch<I> right = stretch(pieces.count() + k);
    const std::size_t count =
        front == Front::before
            ? detail::partition_stretches<Front::before>(pivot, left, right, less)
            : detail::partition_stretches<Front::not_behind>(pivot, left, right, less);
    in_front[k] = std::min(count, left.n);
    in_front[pieces.count() + k] = count - in_front[k];
  };
  detail::for_positions<name>(pieces.count(), partition_one, where);
  std::size_t middle = 0;
  for (std::size_t k = 0; k < pieces.stretches(); ++k) middle += in_front[k];
  std::array<Exchange, 2 * Pieces::kMost + 1> exchanges;
  std::size_t wrong = 0;
  detail::for_exchanges(
      middle, [&pieces](std::size_t k) { return pieces.begin(k); }, in_front.data(),
      [&exchanges, &wrong](const Exchange& both) { exchanges[wrong++] = both; });
  const auto exchange_one = [&](const Exchange& both) { detail::exchange(all.first, both); };
  const std::span<const Exchange> all_wrong(exchanges.data(), wrong);
  detail::run_loop_over<name>(all_wrong, exchange_one, LoopOptions(), where);
  return middle;
}

/// Brings what belongs to the front of a range there. Returns how many they are.
template <Literal name, Front kFront, class I, class Less>
std::size_t partition_by_pivot(I pivot, Stretch<I> all, const Less& less,
                               const SourceLocation& where) {
  if (all.n >= Pieces::kLeast)
    return detail::partition_in_pieces<name>(pivot, all, kFront, less, where);
  return detail::partition_stretches<kFront>(pivot, all, Stretch<I>{all.first, 0}, less);
}

}  // namespace furca::detail
