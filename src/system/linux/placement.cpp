#include "../placement.hpp"

#include <bit>
#include <numeric>

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

// The system calls themselves: the library's functions want a cpu_set_t, whose macros do not do
// without casts and warnings.

template <class Mask>
bool read(Mask& mask, pid_t thread = 0) noexcept {
  mask = {};
  return syscall(SYS_sched_getaffinity, thread, sizeof mask, mask.data()) > 0;
}
template <class Mask>
bool write(const Mask& mask) noexcept {
  return syscall(SYS_sched_setaffinity, 0, sizeof mask, mask.data()) == 0;
}

template <class Mask>
bool has(const Mask& mask, Processor processor) noexcept {
  return (mask[static_cast<std::size_t>(processor) / 64] >>
              (static_cast<unsigned>(processor) % 64) &
          1U) != 0;
}

/// The process's first thread, which is not the calling one, has this mask. furca never changes
/// that one, and whoever restricts a whole process gives it to all threads: a witness of who wrote
/// a mask, which the system does not keep.
template <class Mask>
bool is_first_threads(const Mask& mask) noexcept {
  const pid_t first = getpid();
  Mask its;
  return first != syscall(SYS_gettid) && read(its, first) && its == mask;
}

template <class Mask>
Mask all_but(Mask mask, Processor processor) noexcept {
  mask[static_cast<std::size_t>(processor) / 64] &=
      ~(std::uint64_t{1} << (static_cast<unsigned>(processor) % 64));
  return mask;
}

template <class Mask>
Mask every_processor() noexcept {
  Mask mask;
  mask.fill(UINT64_MAX);
  return mask;
}

constinit thread_local Binding binding_here{};  // among nothing: not bound

}  // namespace

Processor current_processor() noexcept { return sched_getcpu(); }

ProcessorMask processor_mask() noexcept {
  ProcessorMask mask;
  return read(mask) ? mask : ProcessorMask{};
}

bool restrict_to(std::span<const Processor> processors) noexcept {
  ProcessorMask mask{};
  for (const Processor processor : processors) {
    if (processor < 0 || static_cast<std::size_t>(processor) >= 64 * mask.size()) return false;
    mask[static_cast<std::size_t>(processor) / 64] |= std::uint64_t{1}
                                                      << (static_cast<unsigned>(processor) % 64);
  }
  return !processors.empty() && write(mask);
}

ProcessorMask other_processors() noexcept {
  const Processor here = current_processor();
  ProcessorMask mask;
  ProcessorMask firsts;
  if (here == kNoProcessor || !read(mask) || !read(firsts, getpid()) || mask != firsts ||
      !has(mask, here))
    return {};
  return all_but(mask, here);
}

/// Those of the first thread, also if it is given others meanwhile: whoever restricts the process
/// has the last word. All are also those that the process is given later.
void take_back() noexcept {
  ProcessorMask firsts;
  ProcessorMask now;
  for (bool known = read(firsts, getpid()); known; firsts = now) {
    now.fill(UINT64_MAX);
    if (!write(now) || !read(now) || now != firsts) write(firsts);
    known = read(now, getpid()) && now != firsts;
  }
}

bool bind(const Binding& binding) noexcept {
  if (!restrict_to({&binding.to, 1})) return false;
  binding_here = binding;
  return true;
}

std::optional<Binding> find_binding() noexcept {
  if (binding_here.among == nullptr) return std::nullopt;
  ProcessorMask now;
  if (!read(now) || !has(now, binding_here.to)) return std::nullopt;
  if (binding_here.among->size() > 1 && is_first_threads(now)) return std::nullopt;
  const auto processors =
      std::accumulate(now.begin(), now.end(), 0,
                      [](int count, std::uint64_t word) { return count + std::popcount(word); });
  return processors == 1 ? std::optional(binding_here) : std::nullopt;
}

void unbind() noexcept {
  if (const auto binding = find_binding()) restrict_to(*binding->among);
  binding_here = {};
}

/// Asked for all processors it gets those that it has now.
bool Affinity::is_unrestricted(const Mask& now) noexcept {
  if (write(every_processor<Mask>()) && read(all_) && all_ == now) return true;
  write(now);
  left_alone_ = true;
  return false;
}

bool Affinity::keep_off(Processor processor) noexcept {
  if (left_alone_ || processor < 0 || static_cast<std::size_t>(processor) >= 64 * all_.size())
    return false;
  Mask now;
  if (!read(now)) {
    left_alone_ = true;
    return false;
  }
  if (now != all_ && !is_unrestricted(now)) return false;
  if (!has(all_, processor) || all_but(all_, processor) == Mask{}) return false;
  if (!write(all_but(every_processor<Mask>(), processor))) return false;
  if (!read(without_)) without_ = {};
  witnessed_ = !is_first_threads(without_);
  processor_ = processor;
  return true;
}

/// A mask that has changed meanwhile is what is left of other processors that the process has now,
/// or somebody's own. So is one that has not, if the first thread has come to have it, too.
void Affinity::let_back() noexcept {
  Mask now;
  const bool known = read(now);
  write(every_processor<Mask>());
  const bool restricted = known && witnessed_ && is_first_threads(now);
  if (!known || (now == without_ && !restricted)) return;
  if (!restricted && read(all_) && all_but(all_, processor_) == now) return;
  write(now);
  left_alone_ = true;
}

}  // namespace furca::detail
