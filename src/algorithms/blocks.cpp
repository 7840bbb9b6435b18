// Loops over blocks, which algorithms give a function of a block.
#include <furca/detail/algorithms/strips.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

void run_blocks(void* part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
  const auto& [call, f, first, last, block] = *static_cast<const BlocksPart*>(part);
  try {
    for (; lo < hi; ++lo) {
      const std::size_t from = first + static_cast<std::size_t>(lo) * block;
      call(f, from, from + std::min(block, last - from));
    }
  } catch (...) {
    end.lower_to(lo);
    throw;
  }
}

void loop_over_blocks(BlocksPart part, const PartFunctions& functions, const void* where) {
  const std::size_t blocks = (part.hi - part.lo + part.block - 1) / part.block;
  Loop(functions, blocks, automatic_grain, StopToken(), where).run(&part);
}

}  // namespace furca::detail
