// Scans of the standard library's parallel algorithms, and what it makes of them: packing, and
// sets. In strips, as strips.hpp has it: the second pass finds what the first one has read and
// written in the caches.
#pragma once

#include <furca/detail/algorithms/scan_passes.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/execution/pstl_loops.hpp>
#include <furca/detail/loop/chunks.hpp>
#include <furca/detail/loop/combine.hpp>
#include <furca/detail/loop/reduction.hpp>

#include <memory>
#include <optional>

namespace furca::detail {

/// first(lo, hi) gives what the block [lo, hi) comes to, and second(lo, hi, before) writes it,
/// given what stands before it, and returns what stands behind it if kDirect: then it may take the
/// place of both where that is known already. Returns what all come to. Blocks depend on n alone;
/// combine is called in their order. Each block of `first` is one of `second`. None of these
/// throws, and a copy of a T that throws ends the program.
/// Throws std::bad_alloc before anything is written.
/// The stretches overlap what libstdc++ has apart: there no block of `second` comes before the last
/// one of `first`. None of its algorithms needs that.
template <bool kDirect, class T, class First, class Combine, class Second>
FURCA_NOINLINE T scan_blocks(std::size_t n, T before, First& first, Combine& combine,
                             Second& second, const SourceLocation& where) {
  constexpr std::size_t kStretchBytes = 1024 * 1024;  // as in scan_passes.hpp
  const auto block = static_cast<std::size_t>(chunk_block_size(n, n, automatic_grain));
  if constexpr (kDirect) {
    if (num_threads() == 1) return second(0, n, std::move(before));
  }
  const std::size_t stretch = detail::stretch_length(block, 8, kStretchBytes);
  const auto sums =
      std::make_unique<std::optional<T>[]>((std::min(n, stretch) + block - 1) / block);
  const auto op = [&combine](T left, T right) {
    return static_cast<T>(combine(left, std::move(right)));
  };
  const auto scan = [&] {
    for (std::size_t lo = 0; lo < n; lo += stretch) {
      const std::size_t hi = stretch < n - lo ? lo + stretch : n;
      const auto one = [&](std::size_t from, std::size_t to) {
        std::optional<T>& sum = sums[(from - lo) / block];
        if constexpr (kDirect) {
          sum = from == lo ? second(from, to, T(before)) : first(from, to);
        } else {
          sum = first(from, to);
        }
      };
      detail::for_blocks<"std::execution scan">(lo, hi, block, one, where);
      std::size_t k = 0;
      if constexpr (kDirect) before = std::move(*sums[k++]);
      for (; k < (hi - lo + block - 1) / block; ++k) {
        T behind = detail::combined<T>(op, before, std::move(*sums[k]));
        sums[k].emplace(std::exchange(before, std::move(behind)));
      }
      const auto other = [&](std::size_t from, std::size_t to) {
        (void)second(from, to, std::move(*sums[(from - lo) / block]));
      };
      detail::for_blocks<"std::execution scan">(kDirect ? std::min(hi, lo + block) : lo, hi, block,
                                                other, where);
    }
  };
  EndingCalls()(scan);
  return before;
}

/// A whole number to which fractions are added: each step cuts one off. So only one step after the
/// other comes to what the serial algorithm gives, and there is nothing to share.
template <class T, class X>
concept CutsOff = std::is_integral_v<T> && std::is_floating_point_v<std::remove_cvref_t<X>>;

/// The total of the elements of [i, end), one at least. The copies of map and op are this call's.
template <class T, class I, class Map, class Op>
FURCA_COMPILED_ONCE T total_of(I i, I end, Map map, Op op) noexcept {
  T total = static_cast<T>(detail::invoke(map, *i));
  while (++i != end) {
    total = static_cast<T>(detail::invoke(op, total, detail::invoke(map, *i)));
  }
  return total;
}

/// Writes the scan of [i, end) behind `before`, and returns what stands behind it. An element is
/// read before its place in the output is written, which may be the same, and the output is never
/// read: it may be narrower than T.
template <ScanKind kKind, class I, class Out, class Map, class T, class Op>
FURCA_COMPILED_ONCE T write_scan(I i, I end, Out& out, Map map, T before, Op op) noexcept {
  for (; i != end; ++i, ++out) {
    T behind = static_cast<T>(detail::invoke(op, before, detail::invoke(map, *i)));
    if constexpr (kKind == ScanKind::inclusive) {
      detail::assign(*out, behind);
    } else {
      detail::assign(*out, std::move(before));
    }
    before = std::move(behind);
  }
  return before;
}

/// Scans of anything, behind `init`. Each thread has copies of map and op, which may have a state.
/// Numbers have the same bits for any number of threads. Throws std::bad_alloc before anything is
/// written.
template <ScanKind kKind, class I, class Out, class Map, class T, class Op>
Out scan_by_copies(I first, I last, Out out, const Map& map, T init, const Op& op,
                   const SourceLocation& where) {
  using X = std::invoke_result_t<Map&, std::iter_reference_t<I>>;
  if constexpr (!kDivisible<I, Out> || CutsOff<T, X>) {
    detail::write_scan<kKind>(first, last, out, map, std::move(init), op);
    return out;
  } else {
    const auto total = [&](std::size_t lo, std::size_t hi) {
      return detail::total_of<T>(detail::behind(first, lo), detail::behind(first, hi), map, op);
    };
    const auto write = [&](std::size_t lo, std::size_t hi, T before) {
      Out to = detail::behind(out, lo);
      return detail::write_scan<kKind>(detail::behind(first, lo), detail::behind(first, hi), to,
                                       map, std::move(before), op);
    };
    NoThrow<Op> combine{op};
    const auto n = static_cast<std::size_t>(last - first);
    detail::scan_blocks<kExact<T>>(n, std::move(init), total, combine, write, where);
    return detail::behind(out, n);
  }
}

}  // namespace furca::detail
