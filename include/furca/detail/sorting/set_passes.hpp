// Set operations in parallel: by strips (strips.hpp) of blocks of a path through two ranges
// (set_blocks.hpp). First what each block gives is counted, then it is written.
#pragma once

#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/detail/sorting/set_blocks.hpp>
#include <furca/detail/sorting/set_path.hpp>
#include <furca/threads.hpp>

#include <numeric>

namespace furca::detail {

/// Positions of a path; a block has one element more at most.
inline constexpr std::size_t kSetBlock = 2'048;

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
template <Literal name, SetOperation operation, class Path, class Out>
SetEnd write_set(const Path& path, std::size_t element_bytes, const Out& out, std::size_t room,
                 const SourceLocation& where) {
  using Block = typename SetBlocks<Path>::Block;
  const SetBlocks<Path> whole(path);
  const auto write_some = [&](const SetPlace& begin, const SetPlace& last, std::size_t done) {
    auto left = path.stretch(begin, last);
    Out to = detail::plus(out, done);
    whole.template write<operation>(left, to, detail::plus(out, room));
    return SetEnd{path.place(left), detail::between(out, to)};
  };
  if (path.length() <= kFewSetSteps) return write_some(SetPlace(), path.end(), 0);
  const std::size_t stretch = detail::set_stretch(path.length(), element_bytes);
  Block one;
  Owner<Block[]> many;
  if (stretch > kSetBlock) many = Owner<Block[]>(new Block[stretch / kSetBlock]);
  Block* const blocks = many.get() != nullptr ? many.get() : &one;
  SetEnd end{};
  const auto block_at = [blocks, stretch](std::size_t from) -> Block& {
    return blocks[from % stretch / kSetBlock];
  };
  detail::in_strips<name>(
      path.length(), kSetBlock, stretch,
      [&](std::size_t lo, std::size_t hi, LoopEnd& thrown) {
        const auto count = [&whole, &block_at, &thrown](std::size_t from, std::size_t to) {
          try {
            block_at(from) = whole.block(from, to);
            whole.template count<operation>(block_at(from));
          } catch (...) {
            thrown.lower_to(from);
            throw;
          }
        };
        detail::for_blocks<name>(lo, hi, kSetBlock, count, where);
      },
      [&](std::size_t lo, std::size_t hi) {
        for (std::size_t from = lo; from < hi; from += kSetBlock) {
          Block& block = block_at(from);
          const std::size_t count =
              std::accumulate(block.count.begin(), block.count.end(), std::size_t{0});
          if (count > room - end.out) {
            end = write_some(block.at.front(), block.at.back(), end.out);
            return from;
          }
          block.to = end.out;
          end = {block.at.back(), end.out + count};
        }
        return hi;
      },
      [&whole, &block_at, &out](std::size_t from, std::size_t) {
        const Block& block = block_at(from);
        whole.template write<operation>(block, detail::plus(out, block.to));
      },
      where);
  return end;
}

/// Whether each element of the second range is in a pair.
template <class Path>
bool pairs_all(const Path& path, const SourceLocation& where) {
  const SetBlocks<Path> whole(path);
  const std::size_t n = path.length();
  if (n <= kFewSetSteps) {
    auto left = path.stretch(SetPlace(), path.end());
    while (left.both_left()) {
      if (path.b_first(left.b, left.a)) return false;
      left.step(path.a_first(left.a, left.b) ? 1 : 0, 0);
    }
    return left.b == left.b_end;
  }
  LoopEnd missing(n);  // in a block that begins here, or before
  LoopEnd thrown(n);
  const auto look = [&whole, &missing, &thrown](std::size_t from, std::size_t to) {
    if (from >= missing.get()) return;
    try {
      const auto block = whole.block(from, to);
      const auto pairs = whole.pairs(block);
      if (std::accumulate(pairs.begin(), pairs.end(), block.at.front().b) < block.at.back().b)
        missing.lower_to(from);
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
