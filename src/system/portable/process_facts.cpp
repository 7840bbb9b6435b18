#include "../process.hpp"

#include <cstdlib>

namespace furca::detail {

bool is_first_thread() noexcept { return false; }

const char* trusted_variable(const char* name) noexcept { return std::getenv(name); }

}  // namespace furca::detail
