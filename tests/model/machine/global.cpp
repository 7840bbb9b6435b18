// In the place of src/core/global.cpp: a process without a global pool, and without fork().
#include "core/global.hpp"

#include "model/atomics.hpp"

#include <furca/detail/worker.hpp>

namespace furca::detail {

std::uint64_t fork_generation() noexcept { return 0; }

bool is_global_pool(const Pool&) noexcept { return false; }

std::size_t global_pool_size() noexcept { return 1; }

Worker& Worker::attach() { model::fail("a call outside of any pool"); }

}  // namespace furca::detail
