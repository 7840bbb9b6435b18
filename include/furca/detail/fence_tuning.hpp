// How an adaptive fence behaves on a machine; see fence.hpp.
#pragma once

#include <cstdint>

namespace furca::detail {

struct FenceTuning {
  std::uint32_t patience;  // fenced pops
  std::uint64_t soon;      // nanoseconds
};

}  // namespace furca::detail
