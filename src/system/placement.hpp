// On which processor a thread runs, and on which it does not wake up.
#pragma once

#include <furca/detail/base/processor_mask.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace furca::detail {

/// A processor as the system numbers it.
using Processor = int;
inline constexpr Processor kNoProcessor = -1;

/// The one that the calling thread runs on at this moment; kNoProcessor where the system does not
/// tell.
Processor current_processor() noexcept;

/// The calling thread runs on these alone from here on. False: the system refuses, or cannot, or
/// there is none.
bool restrict_to(std::span<const Processor> processors) noexcept;

/// The processors of the calling thread but the one that it runs on; none if it has no other, or
/// not the same as the process's first thread, or if the system does not tell.
ProcessorMask other_processors() noexcept;

/// The calling thread, which began on its starter's other_processors(), has all of them.
void take_back() noexcept;

/// A thread runs on one processor of these, which outlive it.
struct Binding {
  Processor to;
  const std::vector<Processor>* among;
};

/// The calling thread runs so from here on. False: as above.
bool bind(const Binding& binding) noexcept;

/// The binding of the calling thread, so that what it starts need not be; nullopt if it was not, or
/// somebody has changed its mask since.
std::optional<Binding> find_binding() noexcept;

/// The calling thread, of a forked child, is no thread of a pool's any more: if it was bound, it
/// runs on all again that it was bound to one of.
void unbind() noexcept;

/// One thread's affinity mask, as far as furca changes it: only while nobody else has. Whoever
/// restricts a thread, before or later, has the last word, and the thread is left alone from then
/// on. All functions are that thread's.
///
/// Not told from furca's own is a mask that one thread alone is given while it is kept off a
/// processor, and that is just all the others. Rejected: to be kept off only where two processors
/// are left. On two a row of loops then takes 1.6 times as long.
///
/// The mask that is written says "all processors", or all but one. So if the process is given other
/// processors later, the thread follows.
class Affinity {
 public:
  /// It does not run on `processor`, until let_back(). False, and nothing has changed: somebody has
  /// restricted it, there is no other processor, kNoProcessor.
  bool keep_off(Processor processor) noexcept;

  /// After keep_off() was true.
  void let_back() noexcept;

 private:
  using Mask = std::array<std::uint64_t, 16>;  // on larger machines threads are left alone

  bool is_unrestricted(const Mask& now) noexcept;

  bool left_alone_ = false;
  bool witnessed_ = false;  // the first thread had another mask when it was last kept off
  Processor processor_ = kNoProcessor;  // that it is kept off
  // what it has without a restriction, when it was last looked at
  Mask all_{};
  Mask without_{};  // the same while it is kept off
};

}  // namespace furca::detail
