// A join while furca observes itself: each arm is a strand.
#pragma once

#include <furca/detail/base/source_location.hpp>
#include <furca/detail/fork/join_arms.hpp>
#include <furca/detail/observing/observe.hpp>

namespace furca::detail {

/// An arm as a strand of an observed join: without its type, so that of each join no more than
/// call_arm() is compiled for this.
template <class R>
struct ObservedArm {
  ObservedCall* observed;
  R (*call)(const void* arm);
  const void* arm;

  R operator()() const {
    const Strand strand(observed);
    return call(arm);
  }
};

template <class... Results>
FURCA_COLD auto observed_join(const SourceSite& site, ObservedArm<Results>... arms) {
  Forks& self = Forks::attach();
  const Observed observed(StolenAs::strands, site);
  ((arms.observed = observed.call()), ...);
  return detail::join_on<ObservedArm<Results>...>(self, arms...);
}

/// The same as join_frame() while furca observes itself. Everything by value, here too: the fast
/// path must not keep anything in memory for this.
template <bool kFits, class... Arms>
FURCA_COLD auto observed_frame(const SourceLocation where, Passed<Arms, kFits>... arms) {
  return detail::observed_join<ResultOf<Arms>...>(
      site_of<"join", SourceLocation>(&where),
      ObservedArm<ResultOf<Arms>>{nullptr, &call_arm<Arms>, detail::address_of<Arms>(arms)}...);
}

}  // namespace furca::detail
