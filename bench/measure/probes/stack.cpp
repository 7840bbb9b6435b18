// What a recursion of forks needs of the stack for each level.
#include "../busy_work.hpp"
#include "probe.hpp"

#include <atomic>

#include <pthread.h>

namespace bench {
namespace {

const char* top_of_this_stack() {
  pthread_attr_t attributes;
  void* lowest = nullptr;
  std::size_t size = 0;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return nullptr;
  pthread_attr_getstack(&attributes, &lowest, &size);
  pthread_attr_destroy(&attributes);
  return static_cast<const char*>(lowest) + size;
}

std::atomic<std::ptrdiff_t> deepest{0};

/// Called in every leaf.
void note_depth() {
  thread_local const char* const top = top_of_this_stack();
  const char here = 0;
  const std::ptrdiff_t depth = top - &here;
  std::ptrdiff_t known = deepest.load(std::memory_order_relaxed);
  while (depth > known && !deepest.compare_exchange_weak(known, depth, std::memory_order_relaxed)) {
  }
}

std::uint64_t leaf(std::uint64_t seed) {
  note_depth();
  return busy_work(seed, 300);
}

/// Forks below forks, on the path that the forker runs itself.
template <class C>
std::uint64_t descend(std::uint64_t levels) {
  if (levels == 0) return leaf(0);
  const auto [below, beside] =
      C::join([levels] { return descend<C>(levels - 1); }, [levels] { return levels; });
  return below + beside;
}

/// Bytes, the frame of the recursion itself among them. One thread: nothing is run but what the
/// program nests.
template <class C>
double stack_of_a_join(unsigned) {
  constexpr std::uint64_t kFew = 100;
  constexpr std::uint64_t kMore = 1'000;
  double bytes = 0;
  C::kContender.enter(1, [&bytes] {
    std::uint64_t sum = descend<C>(kFew);
    const std::ptrdiff_t shallow = deepest;
    sum += descend<C>(kFew + kMore);
    if (sum != 0)
      bytes = static_cast<double>(deepest - shallow) /
              kMore;  // always: without the sum there would be no calls
  });
  return bytes;
}

constexpr auto kStackFamilies = kForkFamilies
#ifdef FURCA_BENCH_OPENMP
                                + ContenderList<OpenMpTasks>{}
#endif
;

const ProbeRegistration kStack(kStackFamilies, []<class C>() {
  return Probe{Group::behaviour,
               "stack of a nested join",
               C::kContender.family,
               "",
               "bytes",
               "what each level of nested forks adds to the stack, on one thread",
               &stack_of_a_join<C>};
});

}  // namespace
}  // namespace bench
