// Elements that are put together as they are read are values.
#include <furca/views.hpp>

#include <tuple>
#include <vector>

int main() {
  std::vector<int> v(10);
  const auto pairs = furca::zip(v, v);
#ifdef MISTAKE
  furca::parallel_for(pairs, [](std::tuple<int&, int&>& pair) { std::get<0>(pair) = 1; });
#else
  furca::parallel_for(pairs, [](std::tuple<int&, int&> pair) { std::get<0>(pair) = 1; });
#endif
}
