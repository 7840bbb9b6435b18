// How long a call takes, and the line in which an example compares two of them.
#pragma once

#include <furca/thread_pool.hpp>

#include <chrono>
#include <concepts>
#include <cstdio>

namespace examples {

template <std::invocable F>
double seconds(F&& f) {
  const auto begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

inline void print_comparison(double serial, double parallel, std::FILE* out = stdout) {
  const std::size_t threads = furca::num_threads();
  std::fprintf(out, "serial %.1f ms, furca %.1f ms on %zu thread%s: speed-up %.2f\n", 1e3 * serial,
               1e3 * parallel, threads, threads == 1 ? "" : "s", serial / parallel);
}

/// For main to return when the two did not come to the same result.
inline int disagreement(const char* what) {
  std::fprintf(stderr, "error: the serial and the furca version disagree: %s\n", what);
  return 1;
}

}  // namespace examples
