#include "placement.hpp"

#if defined(__linux__) && !defined(FURCA_PORTABLE)

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

/// The system calls themselves: the library's functions want a cpu_set_t, whose macros do not do without casts and warnings.
template <class Mask>
bool read(Mask& mask) noexcept {
  return syscall(SYS_sched_getaffinity, 0, sizeof mask, mask.data()) > 0;
}
template <class Mask>
bool write(const Mask& mask) noexcept {
  return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask.data()) == 0;
}

template <class Mask>
std::uint64_t& word_of(Mask& mask, Processor processor) noexcept {
  return mask[static_cast<std::size_t>(processor) / 64];
}

std::uint64_t bit_of(Processor processor) noexcept { return std::uint64_t{1} << (static_cast<unsigned>(processor) % 64); }

template <class Mask>
bool is_empty(const Mask& mask) noexcept {
  return mask == Mask{};
}

}  // namespace

Processor current_processor() noexcept { return sched_getcpu(); }

KeptOff::KeptOff(Processor processor) noexcept : processor_(processor) {
  if (processor < 0 || static_cast<std::size_t>(processor) >= 64 * without_.size() || !read(without_)) return;
  if ((word_of(without_, processor) & bit_of(processor)) == 0) return;
  word_of(without_, processor) &= ~bit_of(processor);
  changed_ = !is_empty(without_) && write(without_);
}

KeptOff::~KeptOff() {
  Mask now{};
  if (!changed_ || !read(now) || now != without_) return;
  word_of(now, processor_) |= bit_of(processor_);
  write(now);
}

}  // namespace furca::detail

#else

namespace furca::detail {

Processor current_processor() noexcept { return kNoProcessor; }
KeptOff::KeptOff(Processor) noexcept : processor_(kNoProcessor) {}
KeptOff::~KeptOff() = default;

}  // namespace furca::detail

#endif
