// The system does not tell which processors there are.
#include "../processors.hpp"

#include <algorithm>

namespace furca::detail {

std::optional<double> quota_of_process() noexcept { return std::nullopt; }
std::size_t count_affinity_mask() noexcept { return 0; }
std::vector<Processor> affinity_mask() { return {}; }

std::vector<Processor> near_each_other(std::vector<Processor> processors) {
  std::sort(processors.begin(), processors.end());
  return processors;
}

}  // namespace furca::detail
