// A search for the first hit as the library sees it: so many positions, and a function that looks
// at a stretch of them. The order of positions: src/algorithms/first_hit.cpp.
//
// As with loops (loop.hpp), all but the inner loop is compiled once, in the library. It is
// called for a piece of the positions at a time.
#pragma once

#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/loop.hpp>

namespace furca::detail {

/// A thread that takes part in a search, as what looks at positions sees it.
class FURCA_API Searcher {
 public:
  /// Looks at positions [lo, hi), up to the first hit; throws nothing.
  using Look = void (*)(Searcher& self, std::size_t lo, std::size_t hi);

  Searcher(const void* test, LoopEnd& hit) noexcept : test_(test), hit_(&hit) {}

  /// The test that search() was given.
  template <class Test>
  Test& test_as() const noexcept {
    return *static_cast<Test*>(const_cast<void*>(test_));
  }

  /// The lowest position that is known to be a hit, or to have thrown.
  std::uint64_t hit() const noexcept { return hit_->get(); }

  FURCA_COLD void found(std::size_t i) noexcept;

  /// In a handler: keeps the exception. Positions that this thread claims after that lie in front
  /// of it.
  FURCA_COLD void threw(std::size_t i) noexcept;

  /// Parts of its loop.
  static constexpr PartFunctions functions(
      SourceSite (*site)(const void* where) noexcept) noexcept {
    return {&run, &fresh, &absorb, &drop, site};
  }

 protected:
  const void* test() const noexcept { return test_; }

 private:
  static void run(void* part, std::uint64_t lo, std::uint64_t hi, LoopEnd& end);
  static void* fresh(const void* sibling, PartRoom& room);
  static void absorb(void* part, void* right);
  static void drop(void* part) noexcept;

  const void* test_;
  LoopEnd* hit_;
};

/// Of searches for one thing. `name`: what they are a part of.
struct SearchFunctions {
  PartFunctions loop;
  Searcher::Look look;
};
template <Literal name, Searcher::Look look, class Location = SourceLocation>
inline constexpr SearchFunctions kSearchFunctions{Searcher::functions(&site_of<name, Location>),
                                                  look};

/// The first hit in [0, n), or n. Throws what has been thrown there, if serial execution would have
/// come to it. `where`: a Location.
FURCA_API std::uint64_t search(std::uint64_t n, const SearchFunctions& functions, const void* test,
                               const void* where);

}  // namespace furca::detail
