// Names of threads, and the bounds of their stacks.
#include "../thread_facts.hpp"

#include "../thread.hpp"

#include <algorithm>

#include <pthread.h>
#include <sys/mman.h>
#include <unistd.h>

namespace furca::detail {

void introduce_thread(const std::string& name) noexcept {
  pthread_setname_np(pthread_self(), name.c_str());
}

/// As glibc has it by default. musl's is 128 KiB: a large frame steps over the page behind it.
std::size_t least_stack_size() noexcept { return std::size_t{8} << 20U; }

std::pair<const void*, std::size_t> Thread::stack() noexcept {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return {nullptr, 0};
  void* lowest = nullptr;
  std::size_t size = 0;
  const int error = pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  if (error == 0) return {lowest, size};
  return {nullptr, 0};
}

/// A stack's pages come into memory when they are first touched, and stay there: no paint, no cost
/// to the thread. (Where huge pages are given to all programs, in steps of those.)
std::size_t Thread::stack_used(const char* lowest, std::size_t size) noexcept {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const char* const end = lowest + size;
  const char* at = lowest + (page - reinterpret_cast<std::uintptr_t>(lowest) % page) % page;
  unsigned char present[1024];
  while (at < end) {
    const std::size_t pages =
        std::min((static_cast<std::size_t>(end - at) + page - 1) / page, sizeof present);
    if (mincore(const_cast<char*>(at), pages * page, present) != 0) return 0;
    for (std::size_t i = 0; i < pages; ++i)
      if ((present[i] & 1U) != 0) return static_cast<std::size_t>(end - at) - i * page;
    at += pages * page;
  }
  return 0;
}

}  // namespace furca::detail
