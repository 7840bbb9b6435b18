// The processors that a thread may use, as bits that can be sent to another process.
#pragma once

#include <furca/detail/base/config.hpp>

#include <array>

namespace furca::detail {

/// A bit for each processor.
using ProcessorMask = std::array<unsigned long, 1'024 / sizeof(unsigned long)>;

/// Those of the calling thread; none where the system does not tell.
FURCA_API ProcessorMask processor_mask() noexcept;  // placement.cpp

}  // namespace furca::detail
