// What combines two accumulators gives an accumulator.
#include <furca/parallel_reduce.hpp>

int main() {
#ifdef MISTAKE
  (void)furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, [](int, int) {});
#else
  (void)furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, [](int a, int b) { return a > b ? a : b; });
#endif
}
