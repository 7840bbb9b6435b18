// The sort of integers that are keys.
#include <furca/detail/grouping/text_order.hpp>
#include <furca/stable_sort.hpp>

#include <cstdint>
#include <functional>
#include <span>

namespace furca::detail {

void sort_integers(std::span<NumberedKey<std::uint64_t>> all, const SourceLocation& where) {
  furca::stable_sort(all, std::less<>(), &NumberedKey<std::uint64_t>::key, where);
}

}  // namespace furca::detail
