// A plugin that computes with furca.
#include <furca/parallel_reduce.hpp>

#include <functional>

extern "C" [[gnu::visibility("default")]] long plugin_sum(long n);

long plugin_sum(long n) {
  return furca::parallel_reduce(0L, n, 0L, [](long i) { return i; }, std::plus<>{});
}
