// The operation combines two accumulators.
#include <furca/parallel_reduce.hpp>

int main() {
#ifdef MISTAKE
  (void)furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, [](int a) { return a; });
#else
  (void)furca::parallel_reduce(0, 10, 0, [](int i) { return i; }, [](int a, int b) { return a + b; });
#endif
}
