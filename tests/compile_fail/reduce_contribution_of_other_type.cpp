// What an index contributes has to be something that the accumulator can hold.
#include <furca/parallel_reduce.hpp>

#include <functional>
#include <string>

int main() {
#ifdef MISTAKE
  (void)furca::parallel_reduce(0, 10, std::string(), [](int i) { return i; }, std::plus<>{});
#else
  (void)furca::parallel_reduce(0, 10, std::string(), [](int i) { return std::to_string(i); }, std::plus<>{});
#endif
}
