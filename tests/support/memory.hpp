// How much memory this process has, for tests of what must not grow.
#pragma once

#include <cstddef>
#include <fstream>

#include <malloc.h>
#include <unistd.h>

namespace furca::test {

/// Bytes that were allocated and not freed, all threads together; 0 where malloc does not tell (a
/// sanitizer's, an old glibc's).
inline std::size_t heap_in_use() {
#if defined(__GLIBC__)
#if __GLIBC_PREREQ(2, 33)
  return mallinfo2().uordblks;
#endif
#endif
  return 0;
}

struct Pages {
  std::size_t mapped = 0;    ///< bytes of address space
  std::size_t resident = 0;  ///< bytes of it that are in memory
};

inline Pages pages() {
  std::ifstream file("/proc/self/statm");
  Pages counted;
  file >> counted.mapped >> counted.resident;
  const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return {counted.mapped * size, counted.resident * size};
}

/// What is more now than it was; 0 if it is less.
inline std::size_t growth(std::size_t before, std::size_t now) {
  return now > before ? now - before : 0;
}

}  // namespace furca::test
