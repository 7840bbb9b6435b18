// c-blosc2 on furca's threads.
#include "everywhere.hpp"

#include <furca/plugs/callbacks.hpp>

#include <blosc2.h>
#include <cstdint>
#include <vector>

namespace {

std::atomic<int> calls = 0;

void counted(void* pool, void (*job)(void*), int count, std::size_t size, void* jobs) {
  ++calls;
  furca::plugs::blosc2(pool, job, count, size, jobs);
}

std::vector<std::int32_t> numbers() {
  std::vector<std::int32_t> all(300'000);
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i * i % 1000);
  return all;
}
const std::vector<std::int32_t> original = numbers();

/// Compressed and decompressed by contexts of its own. The delta filter's jobs wait for the first
/// block.
bool there_and_back(std::uint8_t filter) {
  const auto bytes = static_cast<std::int32_t>(original.size() * sizeof(original[0]));
  std::vector<std::uint8_t> small(static_cast<std::size_t>(bytes) + BLOSC2_MAX_OVERHEAD);
  blosc2_cparams in = BLOSC2_CPARAMS_DEFAULTS;
  in.typesize = sizeof(original[0]);
  in.nthreads = 4;
  in.filters[BLOSC2_MAX_FILTERS - 2] = filter;
  in.blocksize = 32 * 1024;
  blosc2_context* const compressing = blosc2_create_cctx(in);
  const int size = blosc2_compress_ctx(compressing, original.data(), bytes, small.data(),
                                       static_cast<std::int32_t>(small.size()));
  blosc2_free_ctx(compressing);
  if (size <= 0 || size >= bytes) return false;
  blosc2_dparams out = BLOSC2_DPARAMS_DEFAULTS;
  out.nthreads = 4;
  blosc2_context* const decompressing = blosc2_create_dctx(out);
  std::vector<std::int32_t> back(original.size());
  const int got = blosc2_decompress_ctx(decompressing, small.data(), size, back.data(), bytes);
  blosc2_free_ctx(decompressing);
  return got == bytes && back == original;
}

/// By the global context: blosc2 holds a mutex while its jobs run.
bool by_the_global_one() {
  const auto bytes = static_cast<std::int32_t>(original.size() * sizeof(original[0]));
  std::vector<std::uint8_t> small(static_cast<std::size_t>(bytes) + BLOSC2_MAX_OVERHEAD);
  const int size = blosc2_compress(5, 1, sizeof(original[0]), original.data(), bytes, small.data(),
                                   static_cast<std::int32_t>(small.size()));
  std::vector<std::int32_t> back(original.size());
  return size > 0 && blosc2_decompress(small.data(), size, back.data(), bytes) == bytes &&
         back == original;
}

struct Blosc {
  Blosc() {
    blosc2_set_threads_callback(counted, nullptr);
    blosc2_init();
    blosc2_set_nthreads(4);
  }
  ~Blosc() { blosc2_destroy(); }
} blosc;

void everywhere_with(const std::function<bool()>& work) {
  calls = 0;
  everywhere::call_everywhere_inside(work);
  CHECK(calls.load() > 0);
}

TEST_CASE("blosc2's contexts everywhere") {
  everywhere_with([] { return there_and_back(BLOSC_NOFILTER); });
}

TEST_CASE("the delta filter, whose jobs wait for the first") {
  everywhere_with([] { return there_and_back(BLOSC_DELTA); });
}

TEST_CASE("blosc2's global context, which holds a mutex") { everywhere_with(by_the_global_one); }

TEST_CASE("furca's loops in jobs") {
  std::vector<std::atomic<int>> steps(20);
  const auto job = [](void* count) {
    furca::parallel_for(0, 30, [=](int) { ++*static_cast<std::atomic<int>*>(count); });
  };
  furca::plugs::blosc2(nullptr, job, 20, sizeof(steps[0]), steps.data());
  for (const auto& count : steps) CHECK(count == 30);
}

TEST_CASE("what a job throws ends the program") {
  CHECK(everywhere::ends_program([](furca::ThreadPool& pool) {
    furca::plugs::blosc2(&pool, [](void*) { throw 1; }, 8, 0, nullptr);
  }));
}

const everywhere::AtExit after_main([] { return by_the_global_one(); });

}  // namespace
