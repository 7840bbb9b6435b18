#include "placement.hpp"

#if defined(__linux__) && !defined(FURCA_PORTABLE)

#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

namespace {

/// An affinity mask of as many processors as Linux can be built for.
class Mask {
 public:
  bool read(ThreadId thread) noexcept { return sched_getaffinity(thread, sizeof bits_, &bits_[0]) == 0; }
  bool write(ThreadId thread) const noexcept { return sched_setaffinity(thread, sizeof bits_, &bits_[0]) == 0; }
  bool has(std::uint32_t processor) const noexcept { return CPU_ISSET_S(processor, sizeof bits_, &bits_[0]); }
  void add(std::uint32_t processor) noexcept { CPU_SET_S(processor, sizeof bits_, &bits_[0]); }
  void remove(std::uint32_t processor) noexcept { CPU_CLR_S(processor, sizeof bits_, &bits_[0]); }
  int count() const noexcept { return CPU_COUNT_S(sizeof bits_, &bits_[0]); }

 private:
  cpu_set_t bits_[8] = {};  // of 1,024 each
};

}  // namespace

ThreadId this_thread() noexcept { return static_cast<ThreadId>(syscall(SYS_gettid)); }

std::optional<std::uint32_t> current_processor() noexcept {
  const int processor = sched_getcpu();
  return processor >= 0 ? std::optional(static_cast<std::uint32_t>(processor)) : std::nullopt;
}

bool keep_away(ThreadId thread, std::uint32_t processor) noexcept {
  Mask mask;
  if (!mask.read(thread) || !mask.has(processor) || mask.count() == 1) return false;
  mask.remove(processor);
  return mask.write(thread);
}

void let_back(std::uint32_t processor) noexcept {
  Mask mask;
  if (!mask.read(0)) return;
  mask.add(processor);
  mask.write(0);
}

}  // namespace furca::detail

#else

namespace furca::detail {

ThreadId this_thread() noexcept { return 0; }
std::optional<std::uint32_t> current_processor() noexcept { return std::nullopt; }
bool keep_away(ThreadId, std::uint32_t) noexcept { return false; }
void let_back(std::uint32_t) noexcept {}

}  // namespace furca::detail

#endif
