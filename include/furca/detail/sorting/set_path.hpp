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
// All operations follow from the pairs: a union has every element, and a pair once; an intersection
// has the pairs, a difference those of the first range that are in none, a symmetric difference
// those of both.
// Source: Sean Baxter: Modern GPU, Multisets, 2013, which calls this the balanced path; its
// diagonals are those of Merge Path (merging.hpp).
// Rejected: cuts in front of all equal elements, since two ranges of equal elements would be one
// block; marks for what was compared, as pack has them (marks.hpp), which spare the second pass its
// comparisons: a byte for each element, and most comparisons take less than that.
// Checked by: tests/algorithms/sets_test.cpp
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/opaque.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/loop/splitter.hpp>
#include <furca/detail/sorting/merging.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>
#include <utility>

namespace furca::detail {

enum class SetOperation { unite, intersect, subtract, differ };

/// Whether a step writes an element, 1 or 0: one in front of which no other range's goes, or the
/// first of a pair. At most one of the two went first.
template <SetOperation operation>
constexpr std::size_t wanted(std::size_t a_first, std::size_t b_first) {
  if constexpr (operation == SetOperation::unite) return 1;
  if constexpr (operation == SetOperation::intersect) return 1 - a_first - b_first;
  if constexpr (operation == SetOperation::subtract) return a_first;
  if constexpr (operation == SetOperation::differ) return a_first + b_first;
}

/// Whether what is left of the second range when the first is at its end is written.
constexpr bool wants_second(SetOperation operation) {
  return operation == SetOperation::unite || operation == SetOperation::differ;
}

/// The number of positions from 0 on, below n, that a test holds for. It holds for none behind the
/// first one that it does not hold for.
template <class Test>
std::size_t leading(std::size_t n, Test holds) {
  std::size_t low = 0;
  std::size_t step = 1;  // doubled: most often there are none, or few
  for (; step <= n - low && holds(low + step - 1); step *= 2) low += step;
  for (std::size_t high = std::min(n, low + step - 1); low < high;) {
    const std::size_t middle = low + (high - low) / 2;
    if (holds(middle)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
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

/// So few positions are gone through once, with branches.
inline constexpr std::size_t kFewSetSteps = 256;

/// A block of the path, in parts that are gone through side by side: a step without branches waits
/// some ten cycles for the step before it in its part alone.
template <std::size_t kParts>
struct SetBlock {
  std::array<SetPlace, kParts + 1> at;    // where the parts begin, and the last one ends
  std::array<std::size_t, kParts> count;  // elements that each gives
  std::size_t to;                         // where these are in the output
};

/// The path through two ranges. Whatever the comparison says, it stays within them.
template <class A, class B, class Comp, class Proj1, class Proj2>
class SetPath {
  using X = std::invoke_result_t<Proj1&, std::iter_reference_t<A>>;
  using Y = std::invoke_result_t<Proj2&, std::iter_reference_t<B>>;
  static constexpr bool kCopied = held_by_value<Comp, X, Y>() && held_by_value<Comp, Y, X>() &&
                                  held_by_value<Comp, X, X>() && held_by_value<Comp, Y, Y>();

  static constexpr std::size_t kParts = kWithoutBranches<A, B> ? 4 : 1;

 public:
  using Stretch = SetStretch<A, B>;
  using Block = SetBlock<kParts>;

  SetPath(A a, std::size_t a_size, B b, std::size_t b_size, Comp& comp, Proj1& proj1, Proj2& proj2)
      : a_(a), a_size_(a_size), b_(b), b_size_(b_size), comp_(comp), proj1_(proj1), proj2_(proj2) {}

  /// Steps, if a pair is two. Positions are counted so.
  std::size_t length() const { return a_size_ + b_size_; }
  SetPlace end() const { return {a_size_, b_size_}; }

  /// Where it passes a position, or, if this is amid a pair, one in front of it.
  SetPlace at(std::size_t position) const {
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

  /// The block of positions [from, to), which may begin or end in front of a pair. It has no counts
  /// yet. Few positions are one part.
  Block block(std::size_t from, std::size_t to) const {
    Block block{};
    block.at.fill(at(to));
    block.at.front() = at(from);
    if (to - from <= kFewSetSteps) return block;
    const Stretch all = stretch(block.at.front(), block.at.back());
    SetPath path = *this;
    path.a_ = all.a;
    path.a_size_ = all.a_size();
    path.b_ = all.b;
    path.b_size_ = all.b_size();
    for (std::size_t k = 1; k < kParts; ++k) {
      const SetPlace place = path.at(path.length() / kParts * k);
      block.at[k] = {block.at[0].a + place.a, block.at[0].b + place.b};
    }
    return block;
  }

  /// The pairs in each part of a block: what it passes, less the steps, of which one passes a pair
  /// or an element.
  std::array<std::size_t, kParts> pairs(const Block& block) const {
    std::array<Stretch, kParts> left = parts(block);
    std::array<std::size_t, kParts> found{};
    each_part([&](auto k) { found[k] = left[k].a_size() + left[k].b_size(); });
    if constexpr (kWithoutBranches<A, B>) {
      const SetPath path = *this;
      std::size_t safe;
      while ((safe = safe_steps(left)) > 0) {
        each_part([&](auto k) { found[k] -= safe; });
        for (; safe > 0; --safe) each_part([&](auto k) { path.step(left[k]); });
      }
    }
    each_part([&](auto k) {
      for (; left[k].both_left(); --found[k]) {
        const bool a_first = this->a_first(left[k].a, left[k].b);
        const bool b_first = !a_first && this->b_first(left[k].b, left[k].a);
        left[k].step(a_first ? 1 : 0, b_first ? 1 : 0);
      }
      found[k] -= left[k].a_size() + left[k].b_size();
    });
    return found;
  }

  /// Counts the elements that each part of a block gives.
  template <SetOperation operation>
  void count(Block& block) const {
    const auto whole = parts(block);
    block.count = pairs(block);
    each_part([&](auto k) {
      std::size_t& n = block.count[k];
      if constexpr (operation == SetOperation::unite) n = whole[k].a_size() + whole[k].b_size() - n;
      if constexpr (operation == SetOperation::subtract) n = whole[k].a_size() - n;
      if constexpr (operation == SetOperation::differ)
        n = whole[k].a_size() + whole[k].b_size() - 2 * n;
    });
  }

  /// Writes what a block gives, which has been counted, from `out` on.
  template <SetOperation operation, class Out>
  void write(const Block& block, const Out& out) const {
    std::array<Stretch, kParts> left = parts(block);
    std::array<Out, kParts + 1> to;
    to[0] = out;
    each_part([&](auto k) { to[k + 1] = detail::plus(to[k], block.count[k]); });
    const std::array<Out, kParts + 1> ends = to;
    if constexpr (kWritesWithoutBranches<Out>) {
      const SetPath path = *this;
      std::size_t safe;
      while ((safe = safe_steps(left, to, ends)) > 0) {
        for (; safe > 0; --safe)
          each_part([&](auto k) { path.template write_step<operation>(left[k], to[k]); });
      }
    }
    each_part([&](auto k) { write<operation>(left[k], to[k], ends[k + 1]); });
  }

  /// Writes what a stretch gives, as far as there is room. Ends at the end of the stretch, or in
  /// front of the first element that has no place; `left` and `out` are there then.
  template <SetOperation operation, class Out>
  void write(Stretch& left, Out& out, const Out& out_end) const {
    constexpr CopyPut put;
    while (left.both_left()) {
      const bool a_first = this->a_first(left.a, left.b);
      const bool b_first = !a_first && this->b_first(left.b, left.a);
      if (detail::wanted<operation>(a_first ? 1 : 0, b_first ? 1 : 0) != 0) {
        if (out == out_end) return;
        if (b_first) {
          put(out, left.b);
        } else {
          put(out, left.a);
        }
        ++out;
      }
      left.step(a_first ? 1 : 0, b_first ? 1 : 0);
    }
    if constexpr (operation != SetOperation::intersect) {
      if (!write_all(left.a, left.a_end, out, out_end)) return;
    }
    if constexpr (detail::wants_second(operation)) {
      if (!write_all(left.b, left.b_end, out, out_end)) return;
    }
    left.a = left.a_end;
    left.b = left.b_end;
  }

 private:
  bool a_first(const A& a, const B& b) const {
    return static_cast<bool>(
        detail::invoke(comp_, detail::invoke(proj1_, *a), detail::invoke(proj2_, *b)));
  }
  bool b_first(const B& b, const A& a) const {
    return static_cast<bool>(
        detail::invoke(comp_, detail::invoke(proj2_, *b), detail::invoke(proj1_, *a)));
  }

  template <class Out>
  static constexpr bool kWritesWithoutBranches = [] {
    if constexpr (kWithoutBranches<A, B> && std::is_pointer_v<Out>)
      return std::is_same_v<std::iter_value_t<Out>, std::iter_value_t<A>>;
    return false;
  }();

  template <class F>
  static void each_part(F f) {
    [&f]<std::size_t... k>(std::index_sequence<k...>) {
      (f(std::integral_constant<std::size_t, k>()), ...);
    }(std::make_index_sequence<kParts>());
  }

  std::array<Stretch, kParts> parts(const Block& block) const {
    std::array<Stretch, kParts> all;
    each_part([&](auto k) { all[k] = stretch(block.at[k], block.at[k + 1]); });
    return all;
  }

  static std::size_t safe_steps(const std::array<Stretch, kParts>& left) {
    std::size_t steps = left[0].safe_steps();
    each_part([&](auto k) { steps = std::min(steps, left[k].safe_steps()); });
    return steps;
  }
  template <class Outs>
  static std::size_t safe_steps(const std::array<Stretch, kParts>& left, const Outs& to,
                                const Outs& ends) {
    std::size_t steps = safe_steps(left);
    each_part([&](auto k) { steps = std::min(steps, detail::between(to[k], ends[k + 1])); });
    return steps;
  }

  /// The order of the next elements. The compiler must not know that those of the second comparison
  /// are those of the first: it would make a branch of what that says.
  struct Order {
    std::size_t a_first;
    std::size_t b_first;
  };
  Order order(const Stretch& left) const {
    const std::size_t a_first = detail::unpredictable(this->a_first(left.a, left.b));
    const std::size_t b_first =
        detail::unpredictable(this->b_first(left.b, detail::opaque(left.a)));
    return {a_first, b_first & (1 - a_first)};
  }

  void step(Stretch& left) const {
    const Order next = order(left);
    left.step(next.a_first, next.b_first);
  }

  /// Writes also what is not wanted, where the next that is wanted will be.
  template <SetOperation operation, class Out>
  void write_step(Stretch& left, Out& out) const {
    const Order next = order(left);
    if constexpr (detail::wants_second(operation)) {
      *out = *detail::pick(left.a, left.b, next.b_first);
    } else {
      *out = *left.a;
    }
    out = detail::plus(out, detail::wanted<operation>(next.a_first, next.b_first));
    left.step(next.a_first, next.b_first);
  }

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

  /// Whether there was room for all.
  template <class I, class Out>
  static bool write_all(I& first, const I& last, Out& out, const Out& out_end) {
    const I end =
        detail::plus(first, std::min(detail::between(first, last), detail::between(out, out_end)));
    out = CopyPut().all(first, end, out);
    first = end;
    return first == last;
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
  const auto a = detail::merge_begin(range1);
  const auto b = detail::merge_begin(range2);
  using A = std::remove_const_t<decltype(a)>;
  using B = std::remove_const_t<decltype(b)>;
  return SetPath<A, B, Comp, Proj1, Proj2>(a, size1, b, size2, comp, proj1, proj2);
}

}  // namespace furca::detail
