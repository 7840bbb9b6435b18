// A join of two arms whose types the library does not know.
#include <furca/detail/fork/fork_both.hpp>

#include <furca/detail/fork/observed_join.hpp>
#include <furca/detail/fork/worker.hpp>

namespace furca::detail {

namespace {

FURCA_COLD void fork_observed(const ArmToFork& first, const ArmToFork& second,
                              const SourceSite& site) {
  Worker& self = Worker::attach();
  const Observed observed(StolenAs::strands, site);
  ObservedArm<void> one{observed.call(), first.call, first.arm};
  ObservedArm<void> other{observed.call(), second.call, second.arm};
  detail::join_on<ObservedArm<void>, ObservedArm<void>>(self, one, other);
}

}  // namespace

void fork_both(ArmToFork first, ArmToFork second, SourceSite (*site)(const void* where) noexcept,
               const void* where) {
  Worker* here = current_worker;
  if (here == nullptr) [[unlikely]] {
    if (observing) return fork_observed(first, second, site(where));
    here = &Worker::attach();
  }
  detail::join_on<ArmToFork, ArmToFork>(*here, first, second);
}

}  // namespace furca::detail
