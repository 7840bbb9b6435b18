// Searches for the first hit: the loop whose threads claim positions.
#include <furca/detail/algorithms/searcher.hpp>

#include "shared_search.hpp"

#include <exception>
#include <new>

namespace furca::detail {

void Searcher::found(std::size_t i) noexcept { hit_->lower_to(i); }

void Searcher::threw(std::size_t i) noexcept {
  auto& self = static_cast<SearchPart&>(*this);
  self.threw_at_ = i;
  self.error_ = std::current_exception();
  found(i);
}

void Searcher::run(void* part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
  static_cast<SearchPart*>(part)->run(lo, hi, end);
}

void* Searcher::fresh(const void* sibling, PartRoom& room) {
  static_assert(!kLargePart<SearchPart>);
  return ::new (room.bytes) SearchPart(static_cast<const SearchPart*>(sibling)->fresh());
}

void Searcher::absorb(void* part, void* right) {
  static_cast<SearchPart*>(part)->absorb(std::move(*static_cast<SearchPart*>(right)));
  drop(right);
}

void Searcher::drop(void* part) noexcept { static_cast<SearchPart*>(part)->~SearchPart(); }

std::uint64_t search(std::uint64_t n, const SearchFunctions& functions, const void* test,
                     const void* where) {
  if (n == 0) return 0;
  SharedSearch shared(n);
  SearchPart part(shared, functions.look, test);
  const StopToken none;
  shared.run(n, [&](std::uint64_t steps) {
    Loop(functions.loop, steps, automatic_grain, none, where).run(&part);
  });
  part.check();
  return shared.hit.get();
}

}  // namespace furca::detail
