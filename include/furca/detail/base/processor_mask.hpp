// The processors that a thread may use, as bits that can be sent to another process.
#pragma once

#include <furca/detail/base/config.hpp>

#include <array>
#include <cstdint>

namespace furca::detail {

/// A bit for each of 8,192 processors, as many as Linux can have.
using ProcessorMask = std::array<std::uint64_t, 128>;

/// Those of the calling thread; none where the system does not tell.
FURCA_API ProcessorMask processor_mask() noexcept;  // placement.cpp

}  // namespace furca::detail
