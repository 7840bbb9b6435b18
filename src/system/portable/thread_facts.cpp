// Threads have no names, and stacks no bounds that are known.
#include "../thread_facts.hpp"

#include "../thread.hpp"

namespace furca::detail {

void introduce_thread(const std::string&) noexcept {}
std::size_t least_stack_size() noexcept { return 0; }
std::pair<const void*, std::size_t> Thread::stack() noexcept { return {nullptr, 0}; }
std::size_t Thread::stack_used(const char*, std::size_t) noexcept { return 0; }

}  // namespace furca::detail
