// The steps of a scan: an element is read, combined with what stands before it, and written.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>

#include <optional>

namespace furca::detail {

enum class ScanKind : bool { exclusive, inclusive };

template <ScanKind kKind, class T, LoopRange R, LoopRange Out, class Op, class Proj>
class ScanSteps {
 public:
  using Sum = std::optional<T>;
  static constexpr bool kInclusive = kKind == ScanKind::inclusive;
  /// The output holds what the scan computes with.
  static constexpr bool kInOutput = std::is_same_v<std::ranges::range_reference_t<Out>, T&>;

  ScanSteps(R& in, Out& out, Op& op, Proj& proj) : in_{Elements<R>(in), proj}, out_(out), op_(op) {}

  T element(std::size_t i) const {
    return static_cast<T>(detail::invoke(in_.proj, in_.elements[i]));
  }

  template <class A>
  T combine(A&& left, std::size_t i) const {
    if constexpr (std::is_same_v<std::remove_cvref_t<ProjectedOf<R, Proj>>, T> &&
                  !std::is_trivially_copyable_v<T> && std::is_invocable_v<Op&, T, const T&>) {
      // the input is not op's to move from
      const T& right = detail::invoke(in_.proj, in_.elements[i]);
      return static_cast<T>(detail::invoke(op_, std::forward<A>(left), right));
    } else {
      return static_cast<T>(detail::invoke(op_, std::forward<A>(left), element(i)));
    }
  }

  void write(std::size_t i, const T& value) const { detail::assign(out_[i], value); }

  /// Element i, behind `sum`.
  T step(T sum, std::size_t i) const {
    if constexpr (kInclusive) {
      sum = combine(std::move(sum), i);
      write(i, sum);
      return sum;
    } else {
      T x = element(i);  // before the output, which may be the input
      write(i, sum);
      return static_cast<T>(detail::invoke(op_, std::move(sum), std::move(x)));
    }
  }

  /// The first element of a block. The value of an exclusive scan there is known in the second pass
  /// only.
  T begin_block(std::size_t i) const {
    T sum = element(i);
    if constexpr (kInclusive && kInOutput) write(i, sum);
    return sum;
  }

  /// The serial scan of [lo, hi), from what stands before it to what stands behind it; without
  /// output only the latter.
  void chain(std::size_t lo, std::size_t hi, Sum& sum, bool writes) const {
    std::size_t i = lo;
    if (!sum) {
      sum.emplace(element(i));
      if (writes) write(i, *sum);
      ++i;
    }
    T all = std::move(*sum);
    if (writes) {
      for (; i < hi; ++i) all = step(std::move(all), i);
    } else {
      for (; i < hi; ++i) all = combine(std::move(all), i);
    }
    sum = std::move(all);
  }

  void put_before(const T& sum, std::size_t i) const {
    out_[i] = static_cast<T>(detail::invoke(op_, T(sum), std::move(out_[i])));
  }

  const ProjectedElements<R, Proj> in_;
  const Elements<Out> out_;
  Held<Op, T, T> op_;
};

}  // namespace furca::detail
