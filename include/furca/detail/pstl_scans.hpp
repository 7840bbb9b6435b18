// Scans of the standard library's parallel algorithms, and what it makes of them: packing, and sets. In strips, as strips.hpp has it: the second pass finds
// what the first one has read and written in the caches.
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/chunks.hpp>
#include <furca/detail/combine.hpp>
#include <furca/detail/reduction.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/strips.hpp>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <utility>

namespace furca::detail {

/// first(lo, hi) gives what the block [lo, hi) comes to, and second(lo, hi, before) writes it, given what stands before it, and returns what stands behind it
/// if kDirect: then it may take the place of both where that is known already. Returns what all come to. Blocks depend on n alone; combine is called in their
/// order. Each block of `first` is one of `second`. None of these throws, and a copy of a T that throws ends the program.
/// Throws std::bad_alloc before anything is written.
/// The stretches overlap what libstdc++ has apart: there no block of `second` comes before the last one of `first`. None of its algorithms needs that.
template <bool kDirect, class T, class First, class Combine, class Second>
[[gnu::noinline]] T scan_blocks(std::size_t n, T before, First& first, Combine& combine, Second& second, const SourceLocation& where) {
  constexpr std::size_t kStretchBytes = 1024 * 1024;  // as in scan_passes.hpp
  const auto block = static_cast<std::size_t>(chunk_block_size(n, n, automatic_grain));
  if constexpr (kDirect) {
    if (num_threads() == 1) return second(0, n, std::move(before));
  }
  const std::size_t stretch = detail::stretch_length(block, 8, kStretchBytes);
  const auto sums = std::make_unique<std::optional<T>[]>((std::min(n, stretch) + block - 1) / block);
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
      const auto other = [&](std::size_t from, std::size_t to) { (void)second(from, to, std::move(*sums[(from - lo) / block])); };
      detail::for_blocks<"std::execution scan">(kDirect ? std::min(hi, lo + block) : lo, hi, block, other, where);
    }
  };
  EndingCalls()(scan);
  return before;
}

}  // namespace furca::detail
