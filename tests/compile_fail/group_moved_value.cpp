// Values are copied out of elements that stay.
#include <furca/group.hpp>

#include <memory>
#include <vector>

int main() {
  const std::vector<std::unique_ptr<int>> v(10);
  const auto key = [](const std::unique_ptr<int>& p) { return p == nullptr; };
#ifdef MISTAKE
  (void)(furca::group_by(v, key));
#else
  (void)(furca::group_by(v, key, [](const std::unique_ptr<int>& p) { return p.get(); }));
#endif
}
