// Callbacks of libraries in C: FFTW, c-blosc2, libjxl and Halide. It needs none of them: these
// functions have the types that they ask for.
//
// `pool` is a furca::ThreadPool*, or null for the pool that the caller is in (see run_on). A pool
// must outlive the calls of the library, and so must what has set the callback, as a plugin. No
// exception passes through C; a job that throws ends the program.
#pragma once

#include <furca/plugs/jobs.hpp>

#include <algorithm>
#include <atomic>

namespace furca::plugs {

/// For FFTW 3.3.9 and later: fftw_threads_set_callback(furca::plugs::fftw, pool), and the same of
/// fftwf and fftwl. Before it fftw_init_threads(), after it
/// fftw_plan_with_nthreads(furca::num_threads()).
/// Thread-safety: executing plans, as FFTW says.
inline void fftw(void* (*work)(char*), char* jobs, std::size_t size, int count,
                 void* pool) noexcept {
  jobs_from_c(static_cast<ThreadPool*>(pool), count,
              [=](int i) { work(jobs + static_cast<std::size_t>(i) * size); });
}

/// For c-blosc2: blosc2_set_threads_callback(furca::plugs::blosc2, pool), before all of its other
/// functions, and blosc2_set_nthreads(furca::num_threads()).
/// The delta filter's jobs wait for the one that has the first block: the caller begins with that.
inline void blosc2(void* pool, void (*job)(void*), int count, std::size_t size,
                   void* jobs) noexcept {
  jobs_from_c(static_cast<ThreadPool*>(pool), count,
              [=](int i) { job(static_cast<char*>(jobs) + static_cast<std::size_t>(i) * size); });
}

/// For libjxl: JxlDecoderSetParallelRunner(decoder, furca::plugs::jxl, pool), and the same of
/// JxlEncoder.
/// Thread numbers are those of lanes (see for_lanes), below what `init` is told.
inline int jxl(void* pool, void* jxl_data, int (*init)(void*, std::size_t),
               void (*run)(void*, std::uint32_t, std::size_t), std::uint32_t first,
               std::uint32_t last) noexcept {
  if (first >= last) return first == last ? 0 : -1;
  auto* const on = static_cast<ThreadPool*>(pool);
  const std::uint32_t jobs = last - first;
  const std::uint32_t lanes = std::min(static_cast<std::uint32_t>(threads_of(on)), jobs);
  if (const int failed = init(jxl_data, lanes); failed != 0) return failed;
  const auto job = [&](std::int64_t i, int lane) {
    run(jxl_data, first + static_cast<std::uint32_t>(i), static_cast<std::size_t>(lane));
  };
  call_from_c(
      on, [&] { for_lanes(jobs, static_cast<int>(lanes), job); },
      [&] {
        for (std::uint32_t i = 0; i < jobs; ++i) job(i, 0);
      });
  return 0;
}

/// For Halide: halide_set_custom_do_par_for(furca::plugs::halide), of a pipeline compiled ahead of
/// time; pipeline.jit_handlers().custom_do_par_for = furca::plugs::halide, of one that is compiled
/// as it runs. Halide has no place for a pool: pool.install([&] { pipeline(...); }).
/// After a job that fails no other begins, and its code is returned; of several it is any.
/// Pipelines with async() keep Halide's own threads.
template <class User>
int halide(User* user, int (*task)(User*, int, std::uint8_t*), int min, int size,
           std::uint8_t* closure) noexcept {
  std::atomic<int> result = 0;
  jobs_from_c(nullptr, size, [&](int i) {
    if (result.load(std::memory_order_relaxed) != 0) return;
    if (const int failed = task(user, min + i, closure); failed != 0)
      result.store(failed, std::memory_order_relaxed);
  });
  return result.load(std::memory_order_relaxed);
}

}  // namespace furca::plugs
