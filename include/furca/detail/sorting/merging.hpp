// Merging of two sorted runs: on one thread from both ends at once, and in parallel by splitting
// where the halves of the output begin.
//
// A step of a merge waits for the comparison of the step before it, some ten cycles, and its result
// cannot be predicted. So steps have no branches, and four merges that know nothing of each other
// go on at the same time: the front and the back of each half of the output. As many steps as half
// of the shorter run has elements can be made at either end without looking where a run ends, and
// whatever the comparison says: the ends cannot meet.
// Splitting: Odeh, Green, Mwassi, Shmueli, Birk: Merge Path - Parallel Merging Made Simple, IPDPSW
// 2012. From both ends: Orson Peters and Lukas Bergdoll:
// driftsort, 2024; Igor van den Hoven: quadsort, 2020.
// Checked by: tests/algorithms/merge_test.cpp, tests/algorithms/stable_sort_test.cpp
#pragma once

#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/sorting/ordering.hpp>

#include <exception>

namespace furca::detail {

/// `yes` if take is 1, `no` if it is 0.
template <class T>
T* pick(T* no, T* yes, std::size_t take) {
  const auto a = reinterpret_cast<std::uintptr_t>(no);
  const auto b = reinterpret_cast<std::uintptr_t>(yes);
  return reinterpret_cast<T*>(a ^ ((a ^ b) & (std::uintptr_t{0} - take)));
}

/// Whether an element of the second run goes before one of the first: comp(proj2(*b), proj1(*a)).
template <class Comp, class Proj1, class Proj2>
struct GoesBefore {
  Comp comp;  // as Held has them
  Proj1 proj1;
  Proj2 proj2;

  template <class B, class A>
  bool operator()(const B& b, const A& a) const {
    return static_cast<bool>(
        detail::invoke(comp, detail::invoke(proj2, *b), detail::invoke(proj1, *a)));
  }
};

/// As inner loops hold them.
template <class R1, class R2, class Comp, class Proj1, class Proj2>
auto goes_before(Comp& comp, Proj1& proj1, Proj2& proj2) {
  using X1 = std::invoke_result_t<Proj1&, std::ranges::range_reference_t<R1>>;
  using X2 = std::invoke_result_t<Proj2&, std::ranges::range_reference_t<R2>>;
  return GoesBefore<Held<Comp, X2, X1>, Held<Proj1, std::ranges::range_reference_t<R1>>,
                    Held<Proj2, std::ranges::range_reference_t<R2>>>{comp, proj1, proj2};
}

/// Ways of elements to the output.
struct MovePut {
  static constexpr bool kOwns = true;  // elements must get there whatever throws
  template <class Out, class I>
  void operator()(const Out& out, const I& i) const {
    *out = std::ranges::iter_move(i);
  }
  template <class I, class Out>
  Out all(I first, I last, Out out) const {
    return std::ranges::move(first, last, out).out;
  }
};
struct CopyPut {
  static constexpr bool kOwns = false;
  template <class Out, class I>
  void operator()(const Out& out, const I& i) const {
    detail::assign(*out, *i);
  }
  template <class I, class Out>
  Out all(I first, I last, Out out) const {
    return std::ranges::copy(first, last, out).out;
  }
};

/// Steps without branches pay where comparisons take a few cycles. Where these are calls, or wait
/// for memory, it is better to guess, and to be at the next one already.
template <class A, class B>
inline constexpr bool kWithoutBranches =
    std::is_pointer_v<A> && std::is_same_v<A, B> && kPlain<std::iter_value_t<A>>;

/// Two runs, [a, a_end) and [b, b_end), and the output, [out, out_end), which has room for both:
/// what is left of a merge. Ties are the first run's.
template <class A, class B, class Out>
struct Merge {
  A a;
  A a_end;
  B b;
  B b_end;
  Out out;
  Out out_end;

  std::size_t size() const { return detail::between(a, a_end) + detail::between(b, b_end); }

  /// So many steps can be made at either end.
  std::size_t safe_steps() const {
    return std::min(detail::between(a, a_end), detail::between(b, b_end)) / 2;
  }

  /// The least of all. Neither run is empty.
  template <class Before, class Put>
  void front(Before& before, Put put) {
    const std::size_t take_b = detail::unpredictable(before(b, a));
    put(out, detail::pick(a, b, take_b));
    ++out;
    a = detail::plus(a, 1 - take_b);
    b = detail::plus(b, take_b);
  }

  /// The same at either end, in this order.
  template <class Before, class Put>
  void both(Before& before, Put put) {
    front(before, put);
    const A a_last = a_end - 1;
    const B b_last = b_end - 1;
    const std::size_t take_a = detail::unpredictable(before(b_last, a_last));
    put(out_end - 1, detail::pick(b_last, a_last, take_a));
    --out_end;
    a_end = detail::plus(a_last, 1 - take_a);
    b_end = detail::plus(b_last, take_a);
  }

  /// All that is left, unless it throws: then rescue() is to follow.
  template <class Before, class Put>
  void finish(Before& before, Put put) {
    if constexpr (kWithoutBranches<A, B>) {
      for (std::size_t steps = safe_steps(); steps >= 4; steps = safe_steps()) {
        for (; steps > 0; --steps) both(before, put);
      }
      while (a != a_end && b != b_end) front(before, put);
    } else {
      while (a != a_end && b != b_end) {
        if (before(b, a)) {
          put(out, b);
          ++b;
        } else {
          put(out, a);
          ++a;
        }
        ++out;
      }
    }
    rest(put);
  }

  /// The rest, in no order: the two runs one after the other. Where one is empty, that is their
  /// order.
  template <class Put>
  void rest(Put put) {
    out = put.all(std::exchange(a, a_end), a_end, out);
    out = put.all(std::exchange(b, b_end), b_end, out);
  }

  /// After an exception: elements that are not copies get to the output.
  template <class Put>
  void rescue(Put put) {
    if constexpr (Put::kOwns) rest(put);
  }

  /// The first k of the output, and the others: a binary search for how many of the first run are
  /// among these. Stays within the runs whatever the comparison says.
  template <class Before>
  std::pair<Merge, Merge> split(std::size_t k, Before& before) const {
    const std::size_t b_size = detail::between(b, b_end);
    const std::size_t low = detail::first_without(
        k > b_size ? k - b_size : 0, std::min(k, detail::between(a, a_end)),
        [&](std::size_t i) { return !before(detail::plus(b, k - i - 1), detail::plus(a, i)); });
    const A a_middle = detail::plus(a, low);
    const B b_middle = detail::plus(b, k - low);
    const Out out_middle = detail::plus(out, k);
    return {Merge{a, a_middle, b, b_middle, out, out_middle},
            Merge{a_middle, a_end, b_middle, b_end, out_middle, out_end}};
  }
};

/// Of whole runs.
template <class A, class B, class Out>
Merge<A, B, Out> runs_of(A a, std::size_t a_size, B b, std::size_t b_size, Out out,
                         std::size_t room) {
  return {a, detail::plus(a, a_size), b, detail::plus(b, b_size), out, detail::plus(out, room)};
}

/// Throws what merges return, if it is anything.
inline void rethrow(const std::exception_ptr& thrown) {
  if (thrown) std::rethrow_exception(thrown);
}

/// Two merges, which are the halves of one, at the same time.
template <class Halves, class Before, class Put>
FURCA_NOINLINE std::exception_ptr merge_halves(Halves first, Halves second,
                                               const Before& goes_before, Put put) {
  const Before before = goes_before;
  try {
    for (std::size_t steps = std::min(first.safe_steps(), second.safe_steps()); steps >= 4;
         steps = std::min(first.safe_steps(), second.safe_steps())) {
      for (; steps > 0; --steps) {
        first.both(before, put);
        second.both(before, put);
      }
    }
    first.finish(before, put);
    second.finish(before, put);
    return nullptr;
  } catch (...) {
    first.rescue(put);
    second.rescue(put);
    return std::current_exception();
  }
}

/// One merge on one thread.
template <class Runs, class Before, class Put>
FURCA_NOINLINE std::exception_ptr merge_few(Runs runs, const Before& goes_before, Put put) {
  const Before before = goes_before;
  try {
    if (runs.a != runs.a_end && runs.b != runs.b_end && before(runs.b, runs.a_end - 1)) {
      runs.finish(before, put);
    } else {
      runs.rest(put);
    }
    return nullptr;
  } catch (...) {
    runs.rescue(put);
    return std::current_exception();
  }
}

/// Merges, in parallel. Whatever a comparison, a move or a copy throws is returned: of several the
/// one that comes first if the halves are merged one after the other. Then all elements that were
/// to move are in the output nevertheless, in some order; what another move throws is thrown.
template <class Runs, class Before, class Put>
std::exception_ptr merge_runs(const Runs& runs, const Before& before, Put put,
                              const SourceLocation& where) {
  constexpr std::size_t kFew = 256;  // of so many the middle is not looked for
  // so many are merged while a thread wakes up
  constexpr std::size_t kAlone = std::size_t{1} << 13U;
  const std::size_t n = runs.size();
  constexpr bool kTogether = kWithoutBranches<decltype(runs.a), decltype(runs.b)>;
  if (n <= (kTogether ? kFew : kAlone) || runs.a == runs.a_end || runs.b == runs.b_end)
    return detail::merge_few(runs, before, put);
  Runs front = runs;
  Runs back = runs;
  try {
    if (n <= kAlone && !before(runs.b, runs.a_end - 1)) {
      front.rest(put);
      return nullptr;
    }
    std::tie(front, back) = runs.split(n / 2, before);
  } catch (...) {
    front.rescue(put);
    return std::current_exception();
  }
  if constexpr (kTogether) {
    if (n <= kAlone) return detail::merge_halves(front, back, before, put);
  }
  std::exception_ptr first;
  std::exception_ptr second;
  detail::fork_both([&] { first = detail::merge_runs(front, before, put, where); },
                    [&] { second = detail::merge_runs(back, before, put, where); }, where);
  return first ? first : second;
}

}  // namespace furca::detail
