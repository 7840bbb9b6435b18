// A join of two arms whose types the library does not know.
#include <furca/detail/fork/fork_both.hpp>

#include <furca/detail/fork/join_frame.hpp>

namespace furca::detail {

void fork_both(ArmToFork first, ArmToFork second, SourceSite (*site)(const void* where) noexcept,
               const void* where) {
  Forks* here = current_forks;
  if (here == nullptr) [[unlikely]] {
    if (observing) {
      detail::observed_join<void, void>(site(where), {nullptr, first.call, first.arm},
                                        {nullptr, second.call, second.arm});
      return;
    }
    here = &Forks::attach();
  }
  detail::join_on<ArmToFork, ArmToFork>(*here, first, second);
}

}  // namespace furca::detail
