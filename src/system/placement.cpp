#include "placement.hpp"

#if defined(__linux__) && !defined(FURCA_PORTABLE)

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

// The system calls themselves: the library's functions want a cpu_set_t, whose macros do not do without casts and warnings.

template <class Mask>
bool read(Mask& mask) noexcept {
  mask = {};
  return syscall(SYS_sched_getaffinity, 0, sizeof mask, mask.data()) > 0;
}
template <class Mask>
bool write(const Mask& mask) noexcept {
  return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask.data()) == 0;
}

template <class Mask>
bool has(const Mask& mask, Processor processor) noexcept {
  return (mask[static_cast<std::size_t>(processor) / 64] >> (static_cast<unsigned>(processor) % 64) & 1U) != 0;
}

template <class Mask>
Mask all_but(Mask mask, Processor processor) noexcept {
  mask[static_cast<std::size_t>(processor) / 64] &= ~(std::uint64_t{1} << (static_cast<unsigned>(processor) % 64));
  return mask;
}

template <class Mask>
Mask every_processor() noexcept {
  Mask mask;
  mask.fill(UINT64_MAX);
  return mask;
}

using LargeMask = std::array<std::uint64_t, 64 * 16>;  // more than any machine has

bool made_of(std::span<const Processor> processors, LargeMask& mask) noexcept {
  mask = {};
  for (const Processor processor : processors) {
    if (processor < 0 || static_cast<std::size_t>(processor) >= 64 * mask.size()) return false;
    mask[static_cast<std::size_t>(processor) / 64] |= std::uint64_t{1} << (static_cast<unsigned>(processor) % 64);
  }
  return mask != LargeMask{};
}

struct Binding {
  Processor to;
  const std::vector<Processor>* among;  // null: not bound
};
constinit thread_local Binding binding{};

}  // namespace

Processor current_processor() noexcept { return sched_getcpu(); }

bool restrict_to(std::span<const Processor> processors) noexcept {
  LargeMask mask;
  return made_of(processors, mask) && write(mask);
}

bool bind_to(Processor processor, const std::vector<Processor>& among) noexcept {
  if (!restrict_to({&processor, 1})) return false;
  binding = {processor, &among};
  return true;
}

const std::vector<Processor>* bound_among() noexcept {
  if (binding.among == nullptr) return nullptr;
  LargeMask now;
  LargeMask bound;
  return read(now) && made_of({&binding.to, 1}, bound) && now == bound ? binding.among : nullptr;
}

void unbind() noexcept {
  if (const auto* const processors = bound_among()) restrict_to(*processors);
  binding = {};
}

/// Asked for all processors it gets those that it has now.
bool Affinity::is_unrestricted(const Mask& now) noexcept {
  if (write(every_processor<Mask>()) && read(all_) && all_ == now) return true;
  write(now);
  left_alone_ = true;
  return false;
}

bool Affinity::keep_off(Processor processor) noexcept {
  if (left_alone_ || processor < 0 || static_cast<std::size_t>(processor) >= 64 * all_.size()) return false;
  Mask now;
  if (!read(now)) {
    left_alone_ = true;
    return false;
  }
  if (now != all_ && !is_unrestricted(now)) return false;
  if (!has(all_, processor) || all_but(all_, processor) == Mask{}) return false;
  if (!write(all_but(every_processor<Mask>(), processor))) return false;
  if (!read(without_)) without_ = {};
  processor_ = processor;
  return true;
}

/// A mask that has changed meanwhile is what is left of other processors that the process has now, or somebody's own.
void Affinity::let_back() noexcept {
  Mask now;
  const bool known = read(now);
  write(every_processor<Mask>());
  if (!known || now == without_) return;
  if (read(all_) && all_but(all_, processor_) == now) return;
  write(now);
  left_alone_ = true;
}

}  // namespace furca::detail

#else

namespace furca::detail {

Processor current_processor() noexcept { return kNoProcessor; }
bool restrict_to(std::span<const Processor>) noexcept { return false; }
bool bind_to(Processor, const std::vector<Processor>&) noexcept { return false; }
const std::vector<Processor>* bound_among() noexcept { return nullptr; }
void unbind() noexcept {}
bool Affinity::keep_off(Processor) noexcept { return false; }
void Affinity::let_back() noexcept {}

}  // namespace furca::detail

#endif
