// The least and the greatest element: where they are.
//
// Every part of the loop begins with the first element of the range, and keeps another only if it
// is better. So what is not comparable, as a NaN, is found where the serial loop finds it: in
// front, or not at all.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/loop/few_steps.hpp>
#include <furca/stop_token.hpp>

#include <array>
#include <cassert>

namespace furca::detail {

/// Less or greater, of keys as they are.
template <class Comp, class K>
inline constexpr bool kRises =
    std::is_same_v<Comp, std::ranges::less> || std::is_same_v<Comp, std::less<>> ||
    std::is_same_v<Comp, std::less<K>>;
template <class Comp, class K>
inline constexpr bool kFalls =
    std::is_same_v<Comp, std::ranges::greater> || std::is_same_v<Comp, std::greater<>> ||
    std::is_same_v<Comp, std::greater<K>>;

/// Comparisons that vectors make.
template <class Comp, class T>
inline constexpr bool kPlainOrder = std::is_arithmetic_v<T> && (kRises<Comp, T> || kFalls<Comp, T>);

/// A projected element, for as long as it is the best so far: its value if that is what the
/// projection gives and copying it is nothing; else projected again each time, since a comparison
/// of the user's own gets what the serial algorithm gives it, and that is no copy of an element.
template <LoopRange R, class Comp, class Proj>
class Best {
 public:
  using Result = ProjectedOf<R, Proj>;
  using Value = std::remove_cvref_t<Result>;
  static constexpr bool kByValue =
      kPlainOrder<std::remove_const_t<Comp>, Value> ||
      (!std::is_reference_v<Result> && std::is_trivially_copyable_v<Value> &&
       std::semiregular<Value> && sizeof(Value) <= 32);

  Best(const ProjectedElements<R, Proj>& elements, std::size_t at) : at_(at) {
    if constexpr (kByValue) value_ = detail::invoke(elements.proj, elements.elements[at]);
  }

  std::size_t at() const noexcept { return at_; }

  const Value& value() const noexcept
    requires kByValue
  {
    return value_;
  }

  template <class T>
  void become(std::size_t at, const T& value) {
    at_ = at;
    if constexpr (kByValue) value_ = value;
  }

 private:
  struct Nothing {};
  std::size_t at_;
  FURCA_NO_UNIQUE_ADDRESS std::conditional_t<kByValue, Value, Nothing> value_{};
};

/// Which extreme, and which of several equal ones.
enum class Extreme : std::uint8_t { first_least, first_greatest, last_greatest };

/// Does an element take the place of the best so far, which stands before it?
template <Extreme kWhich, bool kPlain, class Comp, class X, class B>
bool beats(Comp& comp, X&& x, B&& best) {
  if constexpr (kWhich == Extreme::first_least) {
    return static_cast<bool>(detail::invoke(comp, std::forward<X>(x), std::forward<B>(best)));
  } else if constexpr (kWhich == Extreme::first_greatest) {
    return static_cast<bool>(detail::invoke(comp, std::forward<B>(best), std::forward<X>(x)));
  } else if constexpr (kPlain) {
    // mostly the first comparison tells; no NaN does
    return !comp(x, best) && (comp(best, x) || x == best);
  } else if constexpr (std::is_floating_point_v<std::remove_cvref_t<X>>) {
    // A NaN is no more than a number that comp cannot tell it from: else it would depend on where
    // parts begin which of the two is found.
    const bool alike = (x == x) == (best == best);
    return static_cast<bool>(detail::invoke(comp, std::forward<B>(best), std::forward<X>(x))) ||
           (alike &&
            !static_cast<bool>(detail::invoke(comp, std::forward<X>(x), std::forward<B>(best))));
  } else {
    return !static_cast<bool>(detail::invoke(comp, std::forward<X>(x), std::forward<B>(best)));
  }
}

template <LoopRange R, class Comp, class Proj, Extreme... kWhich>
class ExtremesPart {
 public:
  using Elements = ProjectedElements<R, Proj>;
  using First = Best<R, Comp, Proj>;

  /// `first`: the first element. It is projected in one place, since compilers may round what is
  /// computed in another place in another way (combine.hpp).
  ExtremesPart(const Elements& elements, const First& first, Comp& comp)
      : elements_(&elements), first_(&first), comp_(&comp), best_{((void)kWhich, first)...} {}

  /// Step i is the element behind the i-th: the first needs no comparison.
  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    run_aligned(lo, hi,
                [&](std::uint64_t from, std::uint64_t to) { run_stretch(from + 1, to + 1, end); });
  }

  ExtremesPart fresh() const { return ExtremesPart(*elements_, *first_, *comp_); }

  void absorb(ExtremesPart&& right) {
    std::size_t k = 0;
    ((absorb_one<kWhich>(best_[k], right.best_[k]), ++k), ...);
  }

  std::size_t at(std::size_t which) const noexcept { return best_[which].at(); }

  using Value = typename Best<R, Comp, Proj>::Value;
  static constexpr bool kPlain = kPlainOrder<std::remove_const_t<Comp>, Value>;
  /// Numbers in memory, with a comparison that is none of the user's.
  static constexpr bool kInLanes =
      kPlain && std::is_same_v<std::remove_const_t<Proj>, std::identity> &&
      std::is_reference_v<ProjectedOf<R, Proj>> &&
      !std::is_volatile_v<std::remove_reference_t<ProjectedOf<R, Proj>>> &&
      std::ranges::contiguous_range<R>;

 private:
  static constexpr bool kByValue = Best<R, Comp, Proj>::kByValue;
  static constexpr std::uint64_t kLanes = 64 / sizeof(Value);

  FURCA_UNROLLED_LOOP void run_stretch(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    if constexpr (kInLanes) {
      std::size_t k = 0;
      ((run_numbers<kWhich>(best_[k], lo, hi), ++k), ...);
    } else {
      std::uint64_t i = lo;
      try {
        Held<Comp, ProjectedOf<R, Proj>, ProjectedOf<R, Proj>> comp = *comp_;
        const Elements elements = *elements_;
        auto best = best_;
        for (; i < hi; ++i) {
          const auto at = static_cast<std::size_t>(i);
          std::size_t k = 0;
          if constexpr (kByValue) {
            const Value x = detail::invoke(elements.proj, elements.elements[at]);
            ((better<kWhich>(comp, x, best[k].value()) ? best[k].become(at, x) : void(), ++k), ...);
          } else {
            ((better_at<kWhich>(comp, elements, at, best[k].at()) ? best[k].become(at, at) : void(),
              ++k),
             ...);
          }
        }
        best_ = best;
      } catch (...) {
        end.lower_to(i - 1);
        throw;
      }
    }
  }

  /// Numbers in memory: many in lanes, and few one after the other. Two extremes are faster one
  /// after the other: what is compared is in a cache then.
  template <Extreme kOne>
  void run_numbers(Best<R, Comp, Proj>& result, std::uint64_t lo, std::uint64_t hi) {
    constexpr std::uint64_t kMany = 8 * kLanes;
    Held<Comp, const Value&, const Value&> comp = *comp_;
    const Value* const x = std::addressof(elements_->elements[0]);
    std::uint64_t i = hi - lo >= kMany ? run_lanes<kOne>(result, lo, hi) : lo;
    Value best = result.value();
    std::uint64_t at = hi;
    for (; i < hi; ++i) {
      if (better<kOne>(comp, x[i], best)) {
        best = x[i];
        at = i;
      }
    }
    if (at < hi) result.become(static_cast<std::size_t>(at), best);
  }

  /// The best of each lane of a vector, and then where it stands. Returns how far it came.
  template <Extreme kOne>
  std::uint64_t run_lanes(Best<R, Comp, Proj>& result, std::uint64_t lo, std::uint64_t hi) {
    constexpr bool kLast = kOne == Extreme::last_greatest;
    constexpr Extreme kFirst = kLast ? Extreme::first_greatest : kOne;
    constexpr std::uint64_t kBlock = 64 * kLanes;
    Held<Comp, const Value&, const Value&> comp = *comp_;
    const Value* const x = std::addressof(elements_->elements[0]);
    const Value before = result.value();
    Value best = before;
    std::uint64_t block = lo;  // that has the best
    std::uint64_t i = lo;
    while (hi - i >= kLanes) {
      const std::uint64_t stop = i + std::min(kBlock, (hi - i) / kLanes * kLanes);
      std::array<Value, kLanes> lanes;
      lanes.fill(best);
      for (std::uint64_t j = i; j < stop; j += kLanes) {
        for (std::size_t k = 0; k < kLanes; ++k)
          lanes[k] = better<kFirst>(comp, x[j + k], lanes[k]) ? x[j + k] : lanes[k];
      }
      Value here = lanes[0];
      for (std::size_t k = 1; k < kLanes; ++k)
        here = better<kFirst>(comp, lanes[k], here) ? lanes[k] : here;
      if (better<kFirst>(comp, here, best)) {
        best = here;
        block = i;
      }
      i = stop;
    }
    if constexpr (kLast) {
      std::uint64_t at = i;
      while (at > lo && !(x[at - 1] == best)) --at;
      if (at > lo) result.become(static_cast<std::size_t>(at - 1), x[at - 1]);
    } else if (better<kFirst>(comp, best, before)) {
      while (!(x[block] == best)) ++block;
      result.become(static_cast<std::size_t>(block), x[block]);
    }
    return i;
  }

  template <Extreme kOne>
  void absorb_one(Best<R, Comp, Proj>& left, const Best<R, Comp, Proj>& right) {
    if (right.at() == 0) return;  // no better than the first of the range
    if constexpr (kByValue) {
      if (better<kOne>(*comp_, right.value(), left.value())) left = right;
    } else {
      if (better_at<kOne>(*comp_, *elements_, right.at(), left.at())) left = right;
    }
  }

  /// Does element i take the place of element j?
  template <Extreme kOne, class C>
  static bool better_at(C& comp, const Elements& all, std::size_t i, std::size_t j) {
    return beats<kOne, false>(comp, detail::invoke(all.proj, all.elements[i]),
                              detail::invoke(all.proj, all.elements[j]));
  }

  /// Does value a take the place of value b? A comparison of the user's own gets rvalues, as from
  /// the projection.
  template <Extreme kOne, class C>
  static bool better(C& comp, const Value& a, const Value& b) {
    if constexpr (kPlain) {
      return beats<kOne, true>(comp, a, b);
    } else {
      return beats<kOne, false>(comp, Value(a), Value(b));
    }
  }

  const Elements* elements_;
  const First* first_;
  Comp* comp_;
  std::array<Best<R, Comp, Proj>, sizeof...(kWhich)> best_;
};

/// Where the extremes of a range that is not empty are.
template <Literal name, Extreme... kWhich, LoopRange R, class Comp, class Proj>
std::array<std::size_t, sizeof...(kWhich)> extremes(R& range, Comp& comp, Proj& proj,
                                                    const SourceLocation& where) {
  using Part = ExtremesPart<R, Comp, Proj, kWhich...>;
  const ProjectedElements<R, Proj> elements{Elements<R>(range), proj};
  const typename Part::First first(elements, 0);
  Part part(elements, first, comp);
  const std::size_t steps = detail::size_of(range) - 1;
  detail::run_part<name, Part::kInLanes ? sizeof(typename Part::Value) : 0>(steps, part, where);
  std::array<std::size_t, sizeof...(kWhich)> found{};
  for (std::size_t k = 0; k < found.size(); ++k) found[k] = part.at(k);
  return found;
}

/// Iterators to them; the end of an empty range.
template <Literal name, class R, Extreme... kWhich, class Comp, class Proj>
std::array<Borrowed<R>, sizeof...(kWhich)> extreme_places(std::remove_reference_t<R>& range,
                                                          Comp& comp, Proj& proj,
                                                          const SourceLocation& where) {
  std::array<std::size_t, sizeof...(kWhich)> found{};
  if (detail::size_of(range) > 0)
    found = detail::extremes<name, kWhich...>(range, comp, proj, where);
  std::size_t k = 0;
  return {((void)kWhich, detail::after(range, found[k++]))...};
}

/// Copies of them. The range is not empty.
template <Literal name, Extreme... kWhich, LoopRange R, class Comp, class Proj>
std::array<std::ranges::range_value_t<R>, sizeof...(kWhich)> extreme_values(
    R& range, Comp& comp, Proj& proj, const SourceLocation& where) {
  assert(detail::size_of(range) > 0);
  const auto found = detail::extremes<name, kWhich...>(range, comp, proj, where);
  std::size_t k = 0;
  return {((void)kWhich,
           static_cast<std::ranges::range_value_t<R>>(*detail::after(range, found[k++])))...};
}

}  // namespace furca::detail
