// Accumulators are handed over as rvalues.
#include <furca/parallel_reduce.hpp>

#include <string>

int main() {
#ifdef MISTAKE
  const auto result = furca::parallel_reduce(0, 10, std::string(), [](int i) { return std::to_string(i); }, [](std::string& a, std::string& b) { return a + b; });
  (void)result;
#else
  const auto result = furca::parallel_reduce(0, 10, std::string(), [](int i) { return std::to_string(i); }, [](std::string a, const std::string& b) { return std::move(a) + b; });
  (void)result;
#endif
}
