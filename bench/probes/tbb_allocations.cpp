// oneTBB allocates its tasks past operator new, from pools of its own, and would look free. Its headers get them from a function
// of its shared library; the one that is defined here comes before it, counts, and goes on to the library's. While nothing is
// counted that costs one relaxed load, as operator new does (allocations.cpp). Where oneTBB is linked statically its own function
// comes first, and the probes find that nothing was counted.
#ifdef FURCA_BENCH_TBB

#include "allocations.hpp"

#include <limits>

#include <dlfcn.h>

namespace tbb::detail::r1 {

using d1::execution_data;
using d1::small_object_pool;

namespace {

/// The library's function of the same name as `ours`.
template <class Function>
Function* next_definition(Function* ours) {
  Dl_info found{};
  dladdr(reinterpret_cast<void*>(ours), &found);
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, found.dli_sname != nullptr ? found.dli_sname : ""));
}

using Allocate = void*(small_object_pool*&, std::size_t);
using AllocateInTask = void*(small_object_pool*&, std::size_t, const execution_data&);
Allocate* const library_allocate = next_definition<Allocate>(&allocate);
AllocateInTask* const library_allocate_in_task = next_definition<AllocateInTask>(&allocate);

}  // namespace

[[gnu::weak]] void* __TBB_EXPORTED_FUNC allocate(small_object_pool*& pool, std::size_t bytes) {
  bench::note_allocation(bytes);
  return library_allocate(pool, bytes);
}

[[gnu::weak]] void* __TBB_EXPORTED_FUNC allocate(small_object_pool*& pool, std::size_t bytes, const execution_data& data) {
  bench::note_allocation(bytes);
  return library_allocate_in_task(pool, bytes, data);
}

}  // namespace tbb::detail::r1

namespace bench {
namespace {

/// A task_group's tasks come from the pool always.
bool pool_is_counted() {
  const std::uint64_t before = allocations_counted();
  count_allocations(true);
  TbbTaskGroup::spawn(2, [](std::size_t) {});
  count_allocations(false);
  return allocations_counted() > before;
}

template <double (*measure)(unsigned)>
double if_counted(unsigned threads) {
  return pool_is_counted() ? measure(threads) : std::numeric_limits<double>::quiet_NaN();
}

const ProbeRegistration kRegistration(allocation_probes("oneTBB", &if_counted<allocations_per_join<TbbInvoke>>,
                                                        &if_counted<allocations_per_loop<TbbAuto>>,
                                                        &if_counted<allocations_per_reduce<TbbAuto>>));

}  // namespace
}  // namespace bench

#endif
