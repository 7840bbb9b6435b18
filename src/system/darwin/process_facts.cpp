// Which thread main runs on, and whether the program has more rights than its user. Not run yet.
#include "../process.hpp"

#include <cstdlib>

#include <pthread.h>
#include <unistd.h>

namespace furca::detail {

bool is_first_thread() noexcept { return pthread_main_np() != 0; }

const char* trusted_variable(const char* name) noexcept {
  return issetugid() != 0 ? nullptr : std::getenv(name);
}

}  // namespace furca::detail
