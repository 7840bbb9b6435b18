// Calls while furca observes itself (FURCA_TRACE, FURCA_STATS=span): they measure their work and
// span, and leave events. The fast paths know nothing of it: src/observing/README.md.
#pragma once

#include <furca/detail/base/source_location.hpp>

namespace furca::detail {

/// Set before the first call of any thread, and in a forked child.
FURCA_API extern bool observing;

/// What a thief has of a call: of a join or scope a strand, of a loop many, which are StolenSteps.
enum class StolenAs : std::uint8_t { strands, steps };

struct Path;
class ObservedCall;
class RunningStrand;

/// A call that is observed, in the frame of its caller, until all that it started has ended; made
/// without arguments, one that is not. Its knowledge lies on the heap, so that frames stay small;
/// without memory it is not observed either.
class FURCA_API Observed {
 public:
  Observed() noexcept = default;
  Observed(StolenAs stolen_as, const SourceSite& site) noexcept : call_(begin(stolen_as, site)) {}
  ~Observed() {
    if (call_ != nullptr) [[unlikely]]
      end(*call_);
  }
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

  /// For the strands that it consists of, on any thread; null: it is not observed.
  ObservedCall* call() const noexcept { return call_; }

 private:
  static ObservedCall* begin(StolenAs stolen_as, const SourceSite& site) noexcept;
  static void end(ObservedCall& call) noexcept;

  ObservedCall* const call_ = nullptr;
};

/// A strand of `call` on this thread, from here to the end of the block; nothing at all if `call`
/// is null.
class FURCA_API Strand {
 public:
  /// `from`: where it goes on; null: where the call began.
  explicit Strand(ObservedCall* call, const Path* from = nullptr) noexcept {
    if (call != nullptr) [[unlikely]]
      strand_ = begin(*call, from);
  }
  ~Strand() {
    if (strand_ != nullptr) [[unlikely]]
      end(*strand_);
  }
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

 private:
  static RunningStrand* begin(ObservedCall& call, const Path* from) noexcept;
  static void end(RunningStrand& strand) noexcept;

  RunningStrand* strand_ = nullptr;
};

}  // namespace furca::detail
