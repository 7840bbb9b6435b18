// On which processor a thread runs, and on which it does not wake up.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// A processor as the system numbers it.
using Processor = int;
inline constexpr Processor kNoProcessor = -1;

/// The one that the calling thread runs on at this moment; kNoProcessor where the system does not tell.
Processor current_processor() noexcept;

/// The calling thread does not run on `processor`, from here to the end of the block: its affinity mask is without it. No other processor, no permission or
/// kNoProcessor: nothing changes. If somebody else changes the mask meanwhile, it stays as it then is.
class KeptOff {
 public:
  explicit KeptOff(Processor processor) noexcept;
  ~KeptOff();
  KeptOff(const KeptOff&) = delete;
  KeptOff& operator=(const KeptOff&) = delete;

 private:
  using Mask = std::array<std::uint64_t, 128>;  // 8,192 processors, as many as Linux can be built for

  Mask without_{};  // the mask for this block
  const Processor processor_;
  bool changed_ = false;
};

}  // namespace furca::detail
