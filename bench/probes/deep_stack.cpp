// How deep stacks get. A thread that waits may run other work meanwhile, on top of what it waits for: where that can be any work
// at all, the stack grows beyond what the program's own recursion needs. And what that recursion itself needs for each level.
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

/// A list: each node forks the work on its item, and goes on to the next node itself.
struct List {
  template <class C>
  static std::uint64_t walk(std::uint64_t length) {
    if (length == 0) return leaf(0);
    const auto [rest, item] = C::join([length] { return walk<C>(length - 1); }, [length] { return leaf(length); });
    return rest + item;
  }

  static constexpr std::uint64_t kSize = 2'000;
};

/// A tree: of a node's leaves, seven eighths are on one side, left or right by chance.
struct Tree {
  template <class C>
  static std::uint64_t walk(std::uint64_t leaves) {
    if (leaves == 1) return leaf(leaves);
    const std::uint64_t small = (leaves + 7) / 8;
    const std::uint64_t left = mix(leaves) % 2 == 0 ? small : leaves - small;
    const auto [a, b] = C::join([left] { return walk<C>(left); }, [right = leaves - left] { return walk<C>(right); });
    return a + b;
  }

  static constexpr std::uint64_t kSize = 10'000;
};

constexpr int kWalks = 20;

/// KiB, of all threads and walks.
template <class C, class Shape>
double deepest_stack(unsigned threads) {
  std::uint64_t sum = 0;
  C::kContender.enter(threads, [&] {
    for (int i = 0; i < kWalks; ++i) sum += Shape::template walk<C>(Shape::kSize);
  });
  return static_cast<double>(deepest) / 1024;
}

/// Forks below forks, on the path that the forker runs itself.
template <class C>
std::uint64_t descend(std::uint64_t levels) {
  if (levels == 0) return leaf(0);
  const auto [below, beside] = C::join([levels] { return descend<C>(levels - 1); }, [levels] { return levels; });
  return below + beside;
}

/// Bytes, the frame of the recursion itself among them. One thread: nothing is run but what the program nests.
template <class C>
double stack_of_a_join(unsigned) {
  constexpr std::uint64_t kFew = 100;
  constexpr std::uint64_t kMore = 1'000;
  double bytes = 0;
  C::kContender.enter(1, [&bytes] {
    std::uint64_t sum = descend<C>(kFew);
    const std::ptrdiff_t shallow = deepest;
    sum += descend<C>(kFew + kMore);
    if (sum != 0) bytes = static_cast<double>(deepest - shallow) / kMore;  // always: without the sum there would be no calls
  });
  return bytes;
}

constexpr auto kFamilies = kForkFamilies
#ifdef FURCA_BENCH_OPENMP
                           + ContenderList<OpenMpTasks>{}
#endif
    ;

template <class C, class Shape>
Probe make_probe(const char* name, const char* summary) {
  return {Group::behaviour, name, C::kContender.family, "", "KiB", summary, &deepest_stack<C, Shape>};
}

const ProbeRegistration kJoin(kFamilies, []<class C>() {
  return Probe{Group::behaviour, "stack of a nested join", C::kContender.family, "", "bytes",
               "what each level of nested forks adds to the stack, on one thread", &stack_of_a_join<C>};
});

const ProbeRegistration kList(kFamilies, []<class C>() {
  return make_probe<C, List>("deep stack, list",
                             "the deepest stack of any thread, over a list of 2,000 nodes that forks its items");
});

const ProbeRegistration kTree(kFamilies, []<class C>() {
  return make_probe<C, Tree>("deep stack, tree", "the deepest stack of any thread, over a lopsided tree of 10,000 leaves");
});

}  // namespace
}  // namespace bench
