// Set operations on sorted ranges: the path that serial execution takes through two of them, cut
// into blocks.
//
// Serial execution has a place in each range. Where one element goes before the other it takes a
// step in that range; where neither does, the two are a pair, and it takes a step in both. So m and
// n equal elements are min(m, n) pairs, and then what is left of them in one range. Blocks begin
// and end at places that the path passes: so no pair is parted, each block is what serial execution
// does between these places, and none has more than its share, however many elements are equal.
// Where the path passes is found by binary search: Merge::split, and then a shift within the
// elements that are equal to the next one.
// Source: Sean Baxter: Modern GPU, Multisets, 2013, which calls this the balanced path; its
// diagonals are those of Merge Path (merging.hpp).
// Rejected: cuts in front of all equal elements, since two ranges of equal elements would be one
// block; marks for what was compared, as pack has them (marks.hpp), which spare the second pass its
// comparisons: a byte for each element, and most comparisons take less than that.
// Checked by: tests/algorithms/sets_test.cpp
#pragma once

#include <furca/detail/sorting/merging.hpp>

namespace furca::detail {

/// The number of positions from 0 on, below n, that a test holds for. It holds for none behind the
/// first one that it does not hold for.
template <class Test>
std::size_t leading(std::size_t n, Test holds) {
  std::size_t low = 0;
  std::size_t step = 1;  // doubled: most often there are none, or few
  for (; step <= n - low && holds(low + step - 1); step *= 2) low += step;
  return detail::first_without(low, std::min(n, low + step - 1), holds);
}

/// So many elements of each range are behind the path.
struct SetPlace {
  std::size_t a = 0;
  std::size_t b = 0;
};

/// The rest of a stretch of the path.
template <class A, class B>
struct SetStretch {
  A a;
  A a_end;
  B b;
  B b_end;

  bool both_left() const { return a != a_end && b != b_end; }
  std::size_t a_size() const { return detail::between(a, a_end); }
  std::size_t b_size() const { return detail::between(b, b_end); }
  /// So many steps need not look for an end.
  std::size_t safe_steps() const { return std::min(a_size(), b_size()); }

  /// Behind a comparison. At most one of the two went first.
  void step(std::size_t a_first, std::size_t b_first) {
    a = detail::plus(a, 1 - b_first);
    b = detail::plus(b, 1 - a_first);
  }
};

/// The path through two ranges. Whatever the comparison says, it stays within them.
template <class A, class B, class Comp, class Proj1, class Proj2>
class SetPath {
  using X = std::invoke_result_t<Proj1&, std::iter_reference_t<A>>;
  using Y = std::invoke_result_t<Proj2&, std::iter_reference_t<B>>;
  static constexpr bool kCopied = HeldByValue<Comp, X, Y> && HeldByValue<Comp, Y, X> &&
                                  HeldByValue<Comp, X, X> && HeldByValue<Comp, Y, Y>;

 public:
  using Stretch = SetStretch<A, B>;
  /// Elements that may be compared, and copied, without a branch.
  static constexpr bool kWithoutBranch = kWithoutBranches<A, B>;

  SetPath(A a, std::size_t a_size, B b, std::size_t b_size, Comp& comp, Proj1& proj1, Proj2& proj2)
      : a_(a), a_size_(a_size), b_(b), b_size_(b_size), comp_(comp), proj1_(proj1), proj2_(proj2) {}

  /// Steps, if a pair is two. Positions are counted so.
  std::size_t length() const { return a_size_ + b_size_; }
  SetPlace end() const { return {a_size_, b_size_}; }

  /// Where it passes a position, or, if this is amid a pair, one in front of it.
  SetPlace at(std::size_t position) const {
    if (position == 0) return {};
    if (position == length()) return end();
    const auto before = [this](const B& b, const A& a) { return b_first(b, a); };
    const auto merge = detail::runs_of(a_, a_size_, b_, b_size_, std::ptrdiff_t{0}, length());
    const std::size_t a = detail::between(a_, merge.split(position, before).first.a_end);
    const std::size_t b = position - a;
    if (b < b_size_ && (a == a_size_ || b_first(detail::plus(b_, b), detail::plus(a_, a))))
      return paired({a, b}, detail::plus(b_, b), proj2_);
    return paired({a, b}, detail::plus(a_, a), proj1_);
  }

  Stretch stretch(const SetPlace& begin, const SetPlace& end) const {
    return {detail::plus(a_, begin.a), detail::plus(a_, std::max(begin.a, end.a)),
            detail::plus(b_, begin.b), detail::plus(b_, std::max(begin.b, end.b))};
  }

  SetPlace place(const Stretch& left) const {
    return {detail::between(a_, left.a), detail::between(b_, left.b)};
  }

  /// The path within a stretch.
  SetPath along(const Stretch& stretch) const {
    SetPath path = *this;
    path.a_ = stretch.a;
    path.a_size_ = stretch.a_size();
    path.b_ = stretch.b;
    path.b_size_ = stretch.b_size();
    return path;
  }

  /// Whether the element of the first range goes before that of the second one.
  bool a_first(const A& a, const B& b) const {
    return static_cast<bool>(
        detail::invoke(comp_, detail::invoke(proj1_, *a), detail::invoke(proj2_, *b)));
  }
  /// Whether that of the second range does.
  bool b_first(const B& b, const A& a) const {
    return static_cast<bool>(
        detail::invoke(comp_, detail::invoke(proj2_, *b), detail::invoke(proj1_, *a)));
  }

 private:
  /// Of the merge's place, in front of `next`: the same position on the path.
  template <class Next, class Proj>
  SetPlace paired(const SetPlace& merged, const Next& next, Proj& proj) const {
    const auto goes_before = [&](const auto& x, auto& proj_x, const auto& y, auto& proj_y) {
      return static_cast<bool>(
          detail::invoke(comp_, detail::invoke(proj_x, *x), detail::invoke(proj_y, *y)));
    };
    const auto equal_in_front = [&](const auto& first, std::size_t n, auto& proj_x) {
      return detail::leading(n, [&](std::size_t k) {
        return !goes_before(detail::plus(first, n - 1 - k), proj_x, next, proj);
      });
    };
    const auto equal_behind = [&](const auto& first, std::size_t n, auto& proj_x) {
      return detail::leading(n, [&](std::size_t k) {
        return !goes_before(next, proj, detail::plus(first, k), proj_x);
      });
    };
    const std::size_t a_done = equal_in_front(a_, merged.a, proj1_);
    const std::size_t b_done = equal_in_front(b_, merged.b, proj2_);
    const std::size_t a_all =
        a_done + equal_behind(detail::plus(a_, merged.a), a_size_ - merged.a, proj1_);
    const std::size_t b_all =
        b_done + equal_behind(detail::plus(b_, merged.b), b_size_ - merged.b, proj2_);
    const std::size_t done = a_done + b_done;
    const std::size_t pairs = std::min({done / 2, a_all, b_all});
    // in the range that has more of them; one if amid a pair
    const std::size_t others = done - 2 * pairs;
    SetPlace place{merged.a - a_done + pairs, merged.b - b_done + pairs};
    if (pairs == b_all) {
      place.a += others;
    } else if (pairs == a_all) {
      place.b += others;
    }
    return place;
  }

  A a_;
  std::size_t a_size_;
  B b_;
  std::size_t b_size_;
  std::conditional_t<kCopied, std::add_const_t<Comp>, Comp&> comp_;  // as Held has them
  Held<Proj1, std::iter_reference_t<A>> proj1_;
  Held<Proj2, std::iter_reference_t<B>> proj2_;
};

/// Through whole ranges.
template <class R1, class R2, class Comp, class Proj1, class Proj2>
auto set_path(R1& range1, std::size_t size1, R2& range2, std::size_t size2, Comp& comp,
              Proj1& proj1, Proj2& proj2) {
  const auto a = detail::first_of(range1);
  const auto b = detail::first_of(range2);
  using A = std::remove_const_t<decltype(a)>;
  using B = std::remove_const_t<decltype(b)>;
  return SetPath<A, B, Comp, Proj1, Proj2>(a, size1, b, size2, comp, proj1, proj2);
}

}  // namespace furca::detail
