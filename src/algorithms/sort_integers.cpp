// The sort of integers that are keys.
#include <furca/detail/grouping/text_order.hpp>
#include <furca/stable_sort.hpp>

#include <functional>

namespace furca::detail {

void sort_integers(std::span<NumberedKey<std::uint64_t>> all, const void* where, bool is_std) {
  // another compiler's SourceLocation cannot be read, so traces have this place then
  furca::stable_sort(all, std::less<>(), &NumberedKey<std::uint64_t>::key,
                     is_std == kHasStdLocation ? *static_cast<const SourceLocation*>(where)
                                               : SourceLocation::current());
}

}  // namespace furca::detail
