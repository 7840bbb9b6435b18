// In the place of src/pool/global.cpp and pool_list.cpp: a process without a global pool, without
// fork(), and without a list of pools, in which those of abandoned runs would remain: the next pool
// would write into what lies there now.
#include "pool/global.hpp"
#include "pool/pool_list.hpp"

#include "model/checker/atomics.hpp"

#include <furca/detail/base/relaxed.hpp>
#include <furca/detail/fork/worker.hpp>

namespace furca::detail {

std::uint64_t process_generation() noexcept { return 0; }
constinit Relaxed<std::uint64_t> known_generation{0};

bool is_global_pool(const Pool&) noexcept { return false; }

std::size_t global_pool_size() noexcept { return 1; }

Listed::Listed(const Pool& pool) noexcept : pool_(pool), next_(nullptr), to_this_(nullptr) {}
Listed::~Listed() = default;

void for_each_pool(void (*)(const Pool&)) noexcept {}
void lock_pool_list() noexcept {}
void unlock_pool_list() noexcept {}

Forks& Forks::attach() { model::fail("a call outside of any pool"); }

}  // namespace furca::detail
