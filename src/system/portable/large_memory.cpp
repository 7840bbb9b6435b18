// Pages are as the system has them.
#include <furca/detail/base/large_memory.hpp>

namespace furca::detail {

void prepare_large_memory(void*, std::size_t) noexcept {}

}  // namespace furca::detail
