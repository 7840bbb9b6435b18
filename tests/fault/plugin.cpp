// A plugin that has a furca of its own inside.
#include <furca/furca.hpp>

#include <tbb/enumerable_thread_specific.h>
#include <tbb/parallel_for.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#define FURCA_TEST_EXPORT extern "C" [[gnu::visibility("default")]]

namespace {

/// A few hundred nanoseconds of work.
long slowly(long value) {
  for (int i = 0; i < 300; ++i) {
    volatile int sink = i;
    (void)sink;
  }
  return value;
}

}  // namespace

/// A loop, a reduction and joins on the plugin's global pool.
FURCA_TEST_EXPORT bool plugin_computes() {
  std::atomic<long> looped{0};
  furca::parallel_for(0L, 256L, [&looped](long i) { looped += slowly(i); });
  const long reduced =
      furca::parallel_reduce(0L, 256L, 0L, [](long i) { return slowly(i); }, std::plus<>{});
  const auto [left, right] = furca::join([] { return slowly(1); }, [] { return slowly(2); });
  return looped == 255L * 128 && reduced == 255L * 128 && left + right == 3;
}

/// The same by the look-alike of oneTBB, with a value for each thread.
FURCA_TEST_EXPORT bool plugin_computes_by_tbb() {
  tbb::enumerable_thread_specific<long> sums(0L);
  tbb::parallel_for(0L, 256L, [&sums](long i) { sums.local() += slowly(i); });
  return sums.combine(std::plus<>{}) == 255L * 128;
}

/// Returns at the moment when a started thread has done its part. The caller is asleep until then.
FURCA_TEST_EXPORT void plugin_waits_for_started_thread() {
  std::atomic<bool> stolen{false};
  furca::join(
      [&stolen] {
        while (!stolen) std::this_thread::yield();
      },
      [&stolen] {
        stolen = true;
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      });
}
