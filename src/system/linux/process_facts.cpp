#include "../process.hpp"

#include <cstdlib>

#include <sys/syscall.h>
#include <unistd.h>

namespace furca::detail {

bool is_first_thread() noexcept { return syscall(SYS_gettid) == getpid(); }

const char* trusted_variable(const char* name) noexcept { return secure_getenv(name); }

}  // namespace furca::detail
