// The making of new containers.
#pragma once

#include <furca/detail/algorithms/lazy_iterator.hpp>
#include <furca/detail/algorithms/rope.hpp>
#include <furca/detail/algorithms/unwritten.hpp>
#include <furca/detail/loop/chunks.hpp>

namespace furca::detail {

/// The element of a container for a Result that was made of an Argument. It is a value
/// also where the Result stands for one elsewhere and would outlive it, as far as that can be told:
/// a reference to a bit, and an element of a view that is handed on, as std::identity does: of
/// that the Value, which the view says that its elements are.
template <class Result, class Argument, class Value>
struct Stored {
  using type = Result;
};
template <class Element, class Value>
struct Stored<Element, Element, Value> : ValueOf<Value> {};  // no reference: the view has made it
template <class Argument, class Value>
struct Stored<std::vector<bool>::reference, Argument, Value> {
  using type = bool;
};
template <class Value>
struct Stored<std::vector<bool>::reference, std::vector<bool>::reference, Value> {
  using type = bool;
};

template <class In, class F>
struct MapElement {
  In in;
  Held<F, std::iter_reference_t<In>> f;

  ElementResult<std::invoke_result_t<F&, std::iter_reference_t<In>>> operator()(
      std::size_t i) const {
    return detail::invoke(f, detail::at(in, i));
  }
};

template <class F>
struct TabulateElement {
  Held<F, std::size_t> f;

  ElementResult<std::invoke_result_t<F&, std::size_t>> operator()(std::size_t i) const {
    return detail::invoke(f, std::size_t(i));
  }
};

template <class In, class T, class F>
struct CollectElement {
  In in;
  Held<F, std::iter_reference_t<In>, std::vector<T>&> f;

  void operator()(std::vector<T>& out, std::size_t i) const {
    detail::invoke(f, detail::at(in, i), out);
  }
};

/// Row i ends where `out` ends after it.
template <class In, class T, class F>
struct CollectRow {
  In in;
  Held<F, std::iter_reference_t<In>, std::vector<T>&> f;
  std::size_t* offsets;

  void operator()(std::vector<T>& out, std::size_t i) const {
    detail::invoke(f, detail::at(in, i), out);
    offsets[i + 1] = out.size();
  }
};

template <class T>
struct RowElement {
  const std::size_t* offsets;
  T* values;

  std::span<T> operator()(std::size_t i) const noexcept {
    return {values + offsets[i], offsets[i + 1] - offsets[i]};
  }
};

/// A container of n elements can be made first, and filled then: making one of its elements cannot
/// fail, and does nothing that would be seen.
template <class T>
inline constexpr bool kMadeEmpty =
    std::is_nothrow_default_constructible_v<T> && std::is_nothrow_destructible_v<T> &&
    std::is_move_assignable_v<T> && !kStandsForBit<T>;
/// A std::pair does not say that it makes both without an exception.
template <class A, class B>
inline constexpr bool kMadeEmpty<std::pair<A, B>> = kMadeEmpty<A> && kMadeEmpty<B>;

/// The container of element(0), ... element(n - 1).
template <Literal name, class Container, class Element>
Container make(std::size_t n, const Element& element, const SourceLocation& where) {
  using T = std::ranges::range_value_t<Container>;
  if constexpr (kSharesBytes<std::ranges::iterator_t<Container>>) {
    constexpr std::size_t kWord = 64;  // bits that threads must not share, at least
    Container out(n);
    const auto chunk = [to = out.begin(), element](std::size_t lo, std::size_t hi) {
      for (std::size_t i = lo; i < hi; ++i) detail::at(to, i) = static_cast<bool>(element(i));
    };
    detail::run_chunks<name>(n, kWord, chunk, where);
    return out;
  } else if constexpr (kMadeEmpty<T>) {
    Container out = unwritten<Container>(n);
    const auto each = [to = detail::first_of(out), element](std::size_t i) {
      detail::at(to, i) = element(i);
    };
    detail::for_positions<name>(n, each, where);
    return out;
  } else {
    const auto append = [element](Container& to, std::size_t i) { to.emplace_back(element(i)); };
    return detail::collect_rope<name, Container>(n, append, where).joined();
  }
}

/// A container: its elements end with it, and are constant where it is. No view, and nothing like
/// one.
template <class Range>
inline constexpr bool kOwnsElements = false;
template <std::ranges::range Range>
  requires std::ranges::range<const Range>
inline constexpr bool kOwnsElements<Range> =
    !std::ranges::view<Range> && !std::ranges::borrowed_range<Range> &&
    std::is_lvalue_reference_v<std::ranges::range_reference_t<Range>> &&
    std::is_const_v<std::remove_reference_t<std::ranges::range_reference_t<const Range>>>;

/// A container that its caller gives away: its elements may be moved.
template <class Ranges>
inline constexpr bool kOwnedTemporary =
    !std::is_lvalue_reference_v<Ranges> && !std::is_const_v<Ranges> && kOwnsElements<Ranges>;

template <bool kMoved, class Iterator>
auto moved_or_copied(Iterator i) {
  if constexpr (kMoved) {
    return std::make_move_iterator(std::move(i));
  } else {
    return i;
  }
}

template <bool kMoved, class Ranges>
auto flatten(Ranges& ranges, const SourceLocation& where) {
  using Inner = std::ranges::range_reference_t<Ranges>;
  using T = std::ranges::range_value_t<Inner>;
  constexpr bool kMoves = kMoved && kOwnsElements<std::remove_cvref_t<Inner>>;
  // else each is made when it is asked for: once
  constexpr bool kLasts = std::is_lvalue_reference_v<Inner> || std::ranges::borrowed_range<Inner>;
  const auto begin = std::ranges::begin(ranges);
  const std::size_t n = detail::size_of(ranges);
  if constexpr (kLasts && std::ranges::random_access_range<Inner> &&
                std::ranges::sized_range<Inner> && kMadeEmpty<T> && !std::same_as<T, bool>) {
    std::vector<std::size_t> offsets(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
      auto&& inner = detail::at(begin, i);
      offsets[i + 1] = offsets[i] + detail::size_of(inner);
    }
    auto out = unwritten<std::vector<T>, std::ranges::range_reference_t<Inner>>(offsets[n]);
    const auto copy_inner = [begin, places = offsets.data(), to = out.data(),
                             &where](std::size_t i) {
      auto&& inner = detail::at(begin, i);
      const auto from = detail::moved_or_copied<kMoves>(std::ranges::begin(inner));
      const auto copy_chunk = [from, to = to + places[i]](std::size_t lo, std::size_t hi) {
        using Difference = std::ranges::range_difference_t<Inner>;
        std::copy(from + static_cast<Difference>(lo), from + static_cast<Difference>(hi), to + lo);
      };
      const std::size_t size = places[i + 1] - places[i];
      constexpr bool kAsMemory = kCopiedAsMemory<std::remove_cvref_t<Inner>, std::vector<T>>;
      detail::for_stretches<"flatten", kAsMemory ? sizeof(T) : 0>(size, copy_chunk, where);
    };
    detail::for_positions<"flatten">(n, copy_inner, where);
    return out;
  } else {
    const auto append = [begin](std::vector<T>& out, std::size_t i) {
      auto&& inner = detail::at(begin, i);
      const auto end = std::ranges::end(inner);
      for (auto it = std::ranges::begin(inner); it != end; ++it)
        out.emplace_back(*detail::moved_or_copied<kMoves>(it));
    };
    return detail::collect_rope<"flatten", std::vector<T>>(n, append, where).joined();
  }
}

}  // namespace furca::detail
