// Sorts and merges of the standard library's parallel algorithms. Only allocations throw here: see
// NoThrow and EndingCalls.
#pragma once

#include <furca/detail/algorithms/partition_passes.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/execution/pstl_algorithms.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/fork/fork_both.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/stable_sort.hpp>

#include <exception>

namespace furca::detail {

/// Whether *b goes before *a, of comparisons that may have a state: each thread that calls one is
/// to have its own.
template <class Comp>
struct OwnOrder {
  mutable Comp comp;
  template <class B, class A>
  bool operator()(const B& b, const A& a) const {
    return static_cast<bool>(comp(*b, *a));
  }
};

/// As MovePut, into memory without objects.
struct ConstructPut {
  static constexpr bool kOwns = true;
  template <class T, class I>
  void operator()(T* out, const I& i) const {
    std::construct_at(out, std::move(*i));
  }
  template <class I, class T>
  T* all(I first, I last, T* out) const {
    return std::uninitialized_move(first, last, out);
  }
};

/// Elements of several threads may be in one word: they cannot write at once.
template <class I>
inline constexpr bool kSharesWords = std::is_same_v<I, std::vector<bool>::iterator>;

/// Merges by leaf(first1, last1, first2, last2, out), for parts that make up the whole. Nobody else
/// calls `unused`.
template <class Runs, class Before, class Leaf>
FURCA_NOINLINE void merge_by_leaves(const Runs& runs, const Before& unused, Leaf& leaf,
                                    const SourceLocation& where) {
  constexpr std::size_t kAlone = std::size_t{1} << 13U;
  if (runs.size() <= kAlone || kSharesWords<decltype(runs.out)>) {
    return (void)detail::call_brick(leaf, runs.a, runs.a_end, runs.b, runs.b_end, runs.out);
  }
  const Before before = unused;
  const auto halves = runs.split(runs.size() / 2, before);
  detail::fork_both([&] { detail::merge_by_leaves(halves.first, unused, leaf, where); },
                    [&] { detail::merge_by_leaves(halves.second, unused, leaf, where); }, where);
}

/// Sorts where the first `wanted` elements are, by sorting leaves with leaf(i, j), which may make
/// the elements as well: once for each. The elements behind are in any order.
template <class I, class Before, class Leaf>
class LeafSort {
  using T = typename std::iterator_traits<I>::value_type;

 public:
  LeafSort(I first, T* buffer, std::size_t wanted, const Before& before, Leaf& leaf,
           const SourceLocation& where)
      : first_(first),
        buffer_(buffer),
        wanted_(wanted),
        before_(before),
        leaf_(leaf),
        where_(where) {}

  /// [lo, lo + n).
  void sort(std::size_t lo, std::size_t n) const {
    if (n <= kLeaf) return detail::call_brick(leaf_, at(lo), at(lo + n));
    const std::size_t left = n / 2;
    detail::fork_both([=, this] { sort(lo, left); }, [=, this] { sort(lo + left, n - left); },
                      where_);
    merge(lo, left, n - left);
  }

 private:
  static constexpr std::size_t kLeaf = 1'024;

  I at(std::size_t i) const { return detail::behind(first_, i); }

  /// Merges what is wanted into the buffer. That leaves gaps in front of both parts; those that are
  /// to be filled are, and then the merged ones come back.
  void merge(std::size_t lo, std::size_t left, std::size_t right) const {
    const std::size_t k = std::min(wanted_, left + right);
    const auto both = detail::runs_of(at(lo), std::min(left, k), at(lo + left), std::min(right, k),
                                      buffer_ + lo, std::min(left, k) + std::min(right, k));
    const Before before = before_;
    const auto merged = both.split(k, before).first;
    const std::size_t from_left = detail::between(merged.a, merged.a_end);
    const std::size_t from_right = k - from_left;
    const auto few = [&before](I a, I a_end, I b, I b_end, T* out) {
      const auto n = detail::between(a, a_end) + detail::between(b, b_end);
      if (detail::merge_few(detail::Merge<I, I, T*>{a, a_end, b, b_end, out, out + n}, before,
                            ConstructPut()) != nullptr)
        std::terminate();
    };
    detail::merge_by_leaves(merged, before, few, where_);
    if (from_right > 0) {
      const std::size_t moved = std::min(from_right, left - from_left);
      for (std::size_t i = 0; i < moved; ++i)
        *at(lo + std::max(left, k) + i) = std::move(*at(lo + from_left + i));
    }
    const auto back = [this](std::size_t i, std::size_t end) {
      for (; i < end; ++i) {
        *at(i) = std::move(buffer_[i]);
        std::destroy_at(buffer_ + i);
      }
    };
    detail::for_blocks<"std::execution sort">(lo, lo + k, 2'048, back, where_);
  }

  const I first_;
  T* const buffer_;
  const std::size_t wanted_;
  const Before before_;
  Leaf& leaf_;
  const SourceLocation& where_;
};

/// Iterators that furca's sort can move by: no proxies.
template <class I>
concept PlainlySorted = std::random_access_iterator<I> && std::permutable<I> &&
                        std::is_lvalue_reference_v<std::iter_reference_t<I>>;

/// Sorts as leaf(i, j, comp) does, stably if that does. wanted: 0 if it sorts and does nothing
/// else; else it may make the elements too, and so many are to be sorted. Throws std::bad_alloc
/// before anything has moved.
template <class I, class Comp, class Leaf>
FURCA_NOINLINE void sort_by_leaves(I first, I last, Comp comp, Leaf& leaf, std::size_t wanted,
                                   const SourceLocation& where) {
  using T = typename std::iterator_traits<I>::value_type;
  using X = typename std::iterator_traits<I>::reference;
  const auto n = static_cast<std::size_t>(last - first);
  if constexpr (PlainlySorted<I> && CopiedToThreads<Comp, X, X>) {
    if (wanted == 0) {
      EndingOrder<Comp, T> order{std::move(comp)};
      IteratorRange<I> range(first, last);
      std::identity all;
      return detail::sort_stably(range, order, all, where, EndingCalls());
    }
  }
  const NoThrow<Comp> order{std::move(comp)};
  const NoThrow<Comp>& unused = order;  // leaves copy it
  auto sort_leaf = [&leaf, &unused](I i, I j) { leaf(i, j, unused.f); };
  if (kSharesWords<I>) return detail::call_brick(sort_leaf, first, last);
  const RawMemory<T> buffer(n);
  EndingCalls()([&] {
    const OwnOrder<NoThrow<Comp>> before{order};
    LeafSort(first, buffer.data(), wanted == 0 ? n : wanted, before, sort_leaf, where).sort(0, n);
  });
}

/// An iterator as inner loops see it: a pointer, if the elements lie side by side.
template <class I>
auto plain_iterator(I i, std::size_t n) {
  if constexpr (std::contiguous_iterator<I>) {
    return n > 0 ? std::to_address(i) : nullptr;
  } else {
    return i;
  }
}

/// The same; kCopies: the leaf does no more than std::merge.
template <bool kCopies, class A, class B, class Out, class Comp, class Leaf>
FURCA_NOINLINE void merge_iterators(A first1, A last1, B first2, B last2, Out out, Comp comp,
                                    Leaf& leaf, const SourceLocation& where) {
  using X = typename std::iterator_traits<A>::reference;
  using Y = typename std::iterator_traits<B>::reference;
  const auto n1 = static_cast<std::size_t>(last1 - first1);
  const auto n2 = static_cast<std::size_t>(last2 - first2);
  if (n1 + n2 == 0) return;
  NoThrow<Comp> order{std::move(comp)};
  if constexpr (kCopies && std::random_access_iterator<A> && std::random_access_iterator<B> &&
                std::random_access_iterator<Out> && std::indirectly_copyable<A, Out> &&
                std::indirectly_copyable<B, Out> && CopiedToThreads<Comp, Y, X>) {
    if (n1 > 0 && n2 > 0) {
      const auto to = detail::plain_iterator(out, n1 + n2);
      const auto runs = detail::runs_of(detail::plain_iterator(first1, n1), n1,
                                        detail::plain_iterator(first2, n2), n2, to, n1 + n2);
      const GoesBefore<Held<NoThrow<Comp>, Y, X>, std::identity, std::identity> before{
          order, {}, {}};
      if (detail::merge_runs(runs, before, CopyPut(), where) != nullptr) std::terminate();
      return;
    }
  }
  const OwnOrder<NoThrow<Comp>> before{order};
  const NoThrow<Comp>& unused = order;  // leaves copy it
  auto merge_leaf = [&leaf, &unused](A i, A i_end, B j, B j_end, Out to) {
    return leaf(i, i_end, j, j_end, to, unused.f);
  };
  detail::merge_by_leaves(detail::runs_of(first1, n1, first2, n2, out, n1 + n2), before, merge_leaf,
                          where);
}

}  // namespace furca::detail
