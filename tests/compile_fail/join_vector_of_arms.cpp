// How many arms there are is known when the program is compiled.
#include <furca/join.hpp>
#include <furca/parallel_for.hpp>

#include <functional>
#include <vector>

int main() {
  std::vector<std::function<void()>> arms(3, [] {});
#ifdef MISTAKE
  furca::join(arms);
#else
  furca::parallel_for(arms, [](auto& arm) { arm(); });
#endif
}
