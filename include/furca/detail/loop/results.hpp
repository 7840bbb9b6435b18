// Loops whose parts have results: a thief makes a part of its own, and who waits for it absorbs
// that.
#pragma once

#include <furca/detail/base/config.hpp>
#include <furca/detail/loop/loop.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <new>
#include <utility>

namespace furca::detail {

/// A part that has results.
template <class P>
concept PartWithResults = LoopPart<P> && requires(P part, const P& sibling) {
  { sibling.fresh() } -> std::same_as<P>;  // for a thief: a part with nothing in it yet
  part.absorb(std::move(part));            // what was run by the part to the right of this one
};

/// Room for a thief's part, in the frame that publishes a half of a loop with results. A stack
/// holds log2(steps) such frames.
struct alignas(64) PartRoom {
  std::byte bytes[2'048];
};

/// Large parts lie on the heap: the thief makes one when it has stolen a half.
template <class Part>
inline constexpr bool kLargePart = sizeof(Part) > sizeof(PartRoom) ||
                                   alignof(Part) > alignof(PartRoom);

template <PartWithResults Part>
struct FunctionsOf<Part> {
  static void* fresh(const void* sibling, PartRoom& room) {
    const Part& from = *static_cast<const Part*>(sibling);
    if constexpr (kLargePart<Part>) {
      return new Part(from.fresh());
    } else {
      return ::new (room.bytes) Part(from.fresh());
    }
  }

  static void drop(void* part) noexcept {
    if constexpr (kLargePart<Part>) {
      delete static_cast<Part*>(part);
    } else {
      static_cast<Part*>(part)->~Part();
    }
  }

  static void absorb(void* part, void* right) {
    const struct Drop {
      void* part;
      ~Drop() { drop(part); }
    } then{right};
    static_cast<Part*>(part)->absorb(std::move(*static_cast<Part*>(right)));
  }

  template <Literal name, class Location>
  static constexpr PartFunctions of() {
    return {&run_steps<Part>, &fresh, &absorb, &drop, &site_of<name, Location>};
  }
};

}  // namespace furca::detail
