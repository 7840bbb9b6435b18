// Packing: the elements that satisfy a predicate, side by side in their order. By strips
// (strips.hpp), or in place.
#pragma once

#include <furca/detail/algorithms/marks.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/threads.hpp>

#include <cstring>
#include <optional>

namespace furca::detail {

/// The argument that a predicate gets of an element.
template <class R, class Proj>
using MarkedBy = std::remove_cvref_t<ProjectedOf<R, Proj>>;

/// Elements of a stretch whose answers are kept.
inline std::size_t marked_stretch(std::size_t n, std::size_t element_bytes) {
  constexpr std::size_t kStretchBytes = 512 * 1024;
  if (n <= Marks::kFew || num_threads() == 1) return Marks::kFew;
  return std::min(n, std::max(Marks::kFew,
                              detail::stretch_length(Marks::kBlock, element_bytes, kStretchBytes)));
}

/// Elements that may be copied when nobody wants them: compaction without a branch is worth it.
template <class T>
inline constexpr bool kCheapToCopy =
    std::is_trivially_copyable_v<T> && std::is_copy_constructible_v<T> &&
    std::is_copy_assignable_v<T> && sizeof(T) <= 16;

/// Copies the elements of a block that `answers` keep, of x[0, length), to[0, count): so many are
/// kept, or wanted. Nothing behind them is written.
template <class T>
void copy_kept(const T* x, const unsigned char* answers, std::size_t length, T* to,
               std::size_t count) {
  std::size_t done = 0;
  std::size_t i = 0;
  for (; length - i >= 8 && count - done >= 8; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, answers + i, 8);
    if (word == 0) continue;
    for (std::size_t j = i; j < i + 8; j += 4) {
      to[done] = x[j];
      done += answers[j];
      to[done] = x[j + 1];
      done += answers[j + 1];
      to[done] = x[j + 2];
      done += answers[j + 2];
      to[done] = x[j + 3];
      done += answers[j + 3];
    }
  }
  // The last eight, which may be far apart.
  while (done < count) {
    std::uint64_t word = 1;
    if (length - i >= 8) std::memcpy(&word, answers + i, 8);
    const std::size_t stop = i + 8;
    if (word == 0) i = stop;
    for (; i < stop && done < count; ++i) {
      to[done] = x[i];
      done += answers[i];
    }
  }
}

/// The same in ranges of any kind: element `from` + i is what answers[i] is about.
template <class In, class Out>
void copy_kept(const Elements<In>& in, std::size_t from, const unsigned char* answers,
               std::size_t length, const Elements<Out>& out, std::size_t to, std::size_t count) {
  using T = std::ranges::range_value_t<In>;
  if constexpr (std::ranges::contiguous_range<In> && std::ranges::contiguous_range<Out> &&
                std::is_convertible_v<std::ranges::range_reference_t<In>, const T&> &&
                std::is_same_v<std::ranges::range_reference_t<Out>, T&> && kCheapToCopy<T>) {
    detail::copy_kept<T>(std::addressof(in[from]), answers, length, std::addressof(out[to]), count);
  } else {
    Positions positions;
    (void)positions.find(answers, 0, length, 0);
    for (std::size_t i = 0; i < count; ++i) detail::assign(out[to + i], in[from + positions[i]]);
  }
}

/// Where a packed sequence goes: at most `room` elements.
struct PackEnd {
  std::size_t in;   // the first element that was not looked at, or that had no place
  std::size_t out;  // elements packed
};

/// Packs the elements of a range that test(i) holds for, at most `room`. grow(count, done) is
/// called for each stretch: so many more, of `done` elements in all. Then put(to, count, answers,
/// from, length) for its blocks, in parallel if kPutAtOnce, else in order: the `count` elements
/// that `answers` keep of [from, from + length) come to `to`.
template <Literal name, class Proj, bool kPutAtOnce, class R, class Test, class Grow, class Put,
          class Called = ThrowingCalls>
PackEnd pack(R& range, std::size_t room, Test& test, Grow grow, Put put,
             const SourceLocation& where, Called called = {}) {
  using T = std::ranges::range_value_t<R>;
  constexpr std::size_t kBlock = Marks::kBlock;
  const std::size_t n = detail::size_of(range);
  const std::size_t stretch = detail::marked_stretch(n, sizeof(T));
  Marks marks(stretch);
  PackEnd end{0, 0};
  std::size_t start = 0;   // of the stretch
  std::size_t packed = 0;  // before it
  const auto put_block = [&](std::size_t from, std::size_t to) {
    const std::size_t place = packed + marks.before((from - start) / kBlock);
    const std::size_t count = to == end.in ? end.out - place : marks.count((from - start) / kBlock);
    if (count > 0) put(place, count, marks.answers(from - start), from, to - from);
  };
  const auto ask = [&](std::size_t lo, std::size_t hi, LoopEnd& thrown) {
    start = lo;
    packed = end.out;
    marks.ask<name, MarkedBy<R, Proj>>(lo, hi, test, thrown, where);
  };
  const auto between = [&](std::size_t lo, std::size_t hi) {
    std::size_t count = marks.add_up(hi - lo);
    const std::size_t last = lo < hi ? (hi - lo - 1) / kBlock : 0;
    if (hi % kBlock != 0 && hi < n) {
      // Something has thrown: the last block may have answers behind it, and its own may not have
      // been counted.
      count = marks.before(last) + static_cast<std::size_t>(std::count(marks.answers(last * kBlock),
                                                                       marks.answers(hi - lo), 1));
    }
    if (count > room - packed) {
      // No place for all: the end is in front of the first that has none.
      count = room - packed;
      std::size_t block = 0;
      while (block < last && marks.before(block + 1) <= count) ++block;
      const unsigned char* answer = marks.answers(block * kBlock);
      for (std::size_t left = count - marks.before(block); *answer == 0 || left > 0; ++answer)
        left -= *answer;
      hi = lo + static_cast<std::size_t>(answer - marks.answers(0));
    }
    end = {hi, packed + count};
    grow(count, hi);
    if constexpr (!kPutAtOnce) {
      for (std::size_t from = lo; from < hi; from += kBlock)
        put_block(from, std::min(hi, from + kBlock));
    }
    return hi;
  };
  const auto second = [&]([[maybe_unused]] std::size_t from, [[maybe_unused]] std::size_t to) {
    if constexpr (kPutAtOnce) put_block(from, to);
  };
  called([&] { detail::in_strips<name>(n, kBlock, stretch, ask, between, second, where); });
  return end;
}

/// Packs the elements of a range that satisfy a predicate into another range: at most `room`.
template <Literal name, class R, class Out, class Pred, class Proj, class Called = ThrowingCalls>
PackEnd pack_into(R& range, Out& out, std::size_t room, Pred& pred, Proj& proj,
                  const SourceLocation& where, Called called = {}) {
  const Satisfies<R, Pred, Proj> test(range, pred, proj);
  const auto put = [elements = Elements<R>(range), output = Elements<Out>(out)](
                       std::size_t to, std::size_t count, const unsigned char* answers,
                       std::size_t from, std::size_t length) {
    detail::copy_kept(elements, from, answers, length, output, to, count);
  };
  const auto grow = [](std::size_t, std::size_t) {};
  return detail::pack<name, Proj, true>(range, room, test, grow, put, where, called);
}

/// Moves [from, from + count) down to `to`, one by one from the front.
template <class I>
void move_down(I begin, std::size_t from, std::size_t count, std::size_t to) {
  using T = std::iter_value_t<I>;
  if (from == to || count == 0) return;
  if constexpr (std::contiguous_iterator<I> && std::is_trivially_copyable_v<T> &&
                std::is_same_v<std::iter_reference_t<I>, T&>) {
    std::memmove(static_cast<void*>(std::to_address(begin) + to),
                 static_cast<const void*>(std::to_address(begin) + from), count * sizeof(T));
  } else {
    for (std::size_t i = 0; i < count; ++i)
      *detail::plus(begin, to + i) = std::ranges::iter_move(detail::plus(begin, from + i));
  }
}

/// Moves the `count` elements of a block that `answers` keep to its front.
template <class I>
void pack_block(I begin, std::size_t length, const unsigned char* answers, std::size_t count) {
  if constexpr (std::contiguous_iterator<I> && kCheapToCopy<std::iter_value_t<I>>) {
    auto* const x = std::to_address(begin);
    detail::copy_kept(x, answers, length, x, count);
  } else {
    Positions positions;
    (void)positions.find(answers, 0, length, 0);
    for (std::size_t i = 0; i < count; ++i) {
      if (positions[i] != i)
        *detail::plus(begin, i) = std::ranges::iter_move(detail::plus(begin, positions[i]));
    }
  }
}

/// Keeps the elements of a range that test(i) holds for, in place. Each stretch is asked about,
/// then its blocks are packed, then these are moved down: as far as they overlap with what is to be
/// moved, on one thread. `kBehind`: element i + 1 is what test(i) decides about, and looks at
/// element i too. kBytes: as of run_part.
template <Literal name, class X, bool kBehind, std::size_t kBytes, class R, class Test>
std::size_t pack_in_place(R& range, Test& test, const SourceLocation& where) {
  const auto begin = std::ranges::begin(range);
  const std::size_t size = detail::size_of(range);
  constexpr std::size_t kShift = kBehind ? 1 : 0;
  if (size <= kShift) return size;
  const std::size_t n = size - kShift;
  const std::size_t stretch = detail::marked_stretch(n, sizeof(std::ranges::range_value_t<R>));
  Marks marks(stretch);
  // Whether the first of the next stretch stays is to be asked before the element in front of it
  // moves.
  bool first_stays = kBehind && test(0);
  std::size_t packed = kShift;
  for (std::size_t lo = 0; lo < n; lo += stretch) {
    const std::size_t hi = stretch < n - lo ? lo + stretch : n;
    LoopEnd thrown(hi);
    marks.ask<name, X, kBytes>(lo, hi, test, thrown, where,
                               kBehind ? std::optional(first_stays) : std::nullopt);
    if (kBehind && hi < n) first_stays = test(hi);
    const std::size_t stays = marks.add_up(hi - lo);
    if (stays == hi - lo && packed == lo + kShift) {
      packed += stays;
      continue;
    }
    auto pack_one = [&](std::size_t from, std::size_t to) {
      detail::pack_block(detail::plus(begin, from + kShift), to - from, marks.answers(from - lo),
                         marks.count((from - lo) / Marks::kBlock));
    };
    detail::for_blocks<name>(lo, hi, Marks::kBlock, pack_one, where);
    auto move_one = [&](std::size_t from, std::size_t) {
      const std::size_t block = (from - lo) / Marks::kBlock;
      detail::move_down(begin, from + kShift, marks.count(block), packed + marks.before(block));
    };
    if (packed + stays <= lo + kShift) {
      detail::for_blocks<name>(lo, hi, Marks::kBlock, move_one, where);
    } else {
      for (std::size_t from = lo; from < hi; from += Marks::kBlock) move_one(from, 0);
    }
    packed += stays;
  }
  return packed;
}

}  // namespace furca::detail
