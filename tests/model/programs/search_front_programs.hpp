// Programs that run the shipped search front: each position in front of the hit is claimed by one
// thread, whoever lays blocks where.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"

#include "algorithms/search_front.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace furca::model {

/// A few positions in blocks of two, whose rests lie in so many places.
template <std::size_t kPlaces>
class SearchedPositions {
 public:
  static constexpr std::uint64_t kCount = 5;

  SearchedPositions() { front_.use(&blocks_); }

  /// So many pieces of one position, or until there seems to be none.
  void claim(std::size_t thread, std::uint64_t end, std::uint64_t pieces = kCount) {
    furca::detail::Claimant claimant{thread};
    for (; pieces > 0; --pieces) {
      const furca::detail::Claim piece = front_.claim(claimant, 1, end);
      if (piece.empty()) return;
      check(piece.to <= end, "a claim behind the end");
      for (std::uint64_t i = piece.from; i < piece.to; ++i) {
        check(claimed_[i].get() == 0, "a position was claimed twice");
        claimed_[i].set(1);
      }
    }
  }

  /// All threads have ended. What they have left is found now.
  void finish(std::uint64_t end) {
    const std::uint64_t left = front_.left(end);
    std::uint64_t claimed = 0;
    for (std::uint64_t i = 0; i < end; ++i)
      claimed += static_cast<std::uint64_t>(claimed_[i].get());
    check(claimed + left == end, "what is left was counted wrong");
    claim(0, end);
    for (std::uint64_t i = 0; i < end; ++i)
      check(claimed_[i].get() == 1, "a position was not claimed");
  }

 private:
  struct Machine : ModelAtomics<true> {
    static constexpr std::uint64_t kLeastBlock = 2;
    static constexpr std::size_t kRests = kPlaces;
  };

  using Front = furca::detail::BasicSearchFront<Machine>;

  Front front_;
  typename Front::Blocks blocks_{1'000};
  std::array<Plain<int>, kCount> claimed_;
};

inline std::vector<Program> search_front_programs() {
  return {
      {"search front: two threads, a place each",
       [] {
         SearchedPositions<2> positions;
         together([&] { positions.claim(0, 4); }, [&] { positions.claim(1, 4); });
         positions.finish(4);
       }},
      {"search front: two threads, one place",
       [] {
         SearchedPositions<1> positions;
         together([&] { positions.claim(0, 4, 2); }, [&] { positions.claim(1, 4, 2); });
         positions.finish(4);
       }},
      {"search front: one thread has no more steps",
       [] {
         SearchedPositions<2> positions;
         together([&] { positions.claim(0, 5, 1); }, [&] { positions.claim(1, 5, 4); });
         positions.finish(5);
       }},
      {"search front: one knows of a hit",
       [] {
         SearchedPositions<2> positions;
         together([&] { positions.claim(0, 5); }, [&] { positions.claim(1, 3); });
         positions.finish(3);
       }},
      {"search front: three threads, two places",
       [] {
         SearchedPositions<2> positions;
         together([&] { positions.claim(0, 4, 2); }, [&] { positions.claim(1, 4, 1); },
                  [&] { positions.claim(2, 4, 2); });
         positions.finish(4);
       },
       with_preemptions(1)},
  };
}

}  // namespace furca::model
