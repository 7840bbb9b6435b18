// Set operations in parallel: by strips (strips.hpp) of blocks of a path through two ranges
// (set_path.hpp). First what each block gives is counted, then it is written.
#pragma once

#include <furca/detail/base/config.hpp>

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/splitter.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/detail/sorting/set_path.hpp>
#include <furca/threads.hpp>

#include <algorithm>
#include <cstddef>

namespace furca::detail {

/// Positions of a path; a block has one element more at most.
inline constexpr std::size_t kSetBlock = 2'048;

/// Of a stretch.
struct SetBlock {
  SetPlace begin;
  SetPlace end;
  std::size_t count;  // elements that it gives
  std::size_t to;     // where these are in the output
};

struct SetEnd {
  SetPlace in;
  std::size_t out;
};

/// Positions of a stretch of which both passes go over one before the next begins. On one thread a
/// block; no memory is needed then.
inline std::size_t set_stretch(std::size_t n, std::size_t element_bytes) {
  constexpr std::size_t kStretchBytes = 256 * 1024;
  if (n <= kSetBlock || num_threads() == 1) return kSetBlock;
  const std::size_t blocks = (n + kSetBlock - 1) / kSetBlock;
  return std::min(blocks * kSetBlock,
                  detail::stretch_length(kSetBlock, element_bytes, kStretchBytes));
}

/// The end in both ranges and in the output, which begins at `out` and has `room`.
template <CallName name, SetOperation operation, class Path, class Out>
SetEnd write_set(const Path& path, std::size_t element_bytes, const Out& out, std::size_t room,
                 const SourceLocation& where) {
  const std::size_t stretch = detail::set_stretch(path.length(), element_bytes);
  SetBlock one{};
  Owner<SetBlock[]> many;
  if (stretch > kSetBlock) many = Owner<SetBlock[]>(new SetBlock[stretch / kSetBlock]);
  SetBlock* const blocks = many.get() != nullptr ? many.get() : &one;
  SetEnd end{};
  const auto block_at = [blocks, stretch](std::size_t from) -> SetBlock& {
    return blocks[from % stretch / kSetBlock];
  };
  detail::in_strips<name>(
      path.length(), kSetBlock, stretch,
      [&](std::size_t lo, std::size_t hi, LoopEnd& thrown) {
        const auto count = [&path, &block_at, &thrown](std::size_t from, std::size_t to) {
          try {
            const SetPlace begin = path.at(from);
            const SetPlace last = path.at(to);
            block_at(from) = {begin, last,
                              path.template count<operation>(path.stretch(begin, last)), 0};
          } catch (...) {
            thrown.lower_to(from);
            throw;
          }
        };
        detail::for_blocks<name>(lo, hi, kSetBlock, count, where);
      },
      [&](std::size_t lo, std::size_t hi) {
        for (std::size_t from = lo; from < hi; from += kSetBlock) {
          SetBlock& block = block_at(from);
          if (block.count > room - end.out) {
            auto left = path.stretch(block.begin, block.end);
            Out to = detail::plus(out, end.out);
            path.template write<operation>(left, to, detail::plus(out, room));
            end = {path.place(left), detail::between(out, to)};
            return from;
          }
          block.to = end.out;
          end = {block.end, end.out + block.count};
        }
        return hi;
      },
      [&path, &block_at, &out](std::size_t from, std::size_t) {
        const SetBlock& block = block_at(from);
        if (block.count == 0) return;
        auto left = path.stretch(block.begin, block.end);
        Out to = detail::plus(out, block.to);
        path.template write<operation>(left, to, detail::plus(out, block.to + block.count));
      },
      where);
  return end;
}

/// Whether each element of the second range is in a pair.
template <class Path>
bool pairs_all(const Path& path, const SourceLocation& where) {
  const std::size_t n = path.length();
  LoopEnd missing(n);  // in a block that begins here, or before
  LoopEnd thrown(n);
  const auto look = [&path, &missing, &thrown](std::size_t from, std::size_t to) {
    if (from >= missing.get()) return;
    try {
      const auto block = path.stretch(path.at(from), path.at(to));
      if (path.pairs(block) < block.b_size()) missing.lower_to(from);
    } catch (...) {
      thrown.lower_to(from);
      throw;
    }
  };
  try {
    detail::for_blocks<"includes">(0, n, kSetBlock, look, where);
  } catch (...) {
    if (missing.get() < thrown.get()) return false;  // serial execution would not have come to it
    throw;
  }
  return missing.get() == n;
}

}  // namespace furca::detail
