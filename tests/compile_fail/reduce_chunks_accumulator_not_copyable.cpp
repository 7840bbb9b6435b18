// Every accumulator begins as a copy of the identity.
#include <furca/chunks.hpp>

#include <memory>

#ifdef MISTAKE
using Total = std::unique_ptr<int>;
#else
using Total = std::shared_ptr<int>;
#endif

int main() {
  const Total total = furca::parallel_reduce_chunks(0, 10, Total(), [](Total&, int, int) {}, [](Total a, const Total&) { return a; });
  (void)total;
}
