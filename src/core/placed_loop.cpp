// A loop with a part for each thread of its pool: see places.hpp.
#include "loop_half.hpp"
#include "pool.hpp"

#include <algorithm>
#include <bit>

namespace furca::detail {

/// So many parts of one loop, from step `lo` on, of which all but the first are laid, the last one first.
class Parts {
 public:
  Parts(Pool& pool, std::uint64_t lo, std::uint64_t hi, std::uint64_t count) noexcept : number(count - 1), pool_(pool), lo_(lo), hi_(hi), count_(count) {}

  /// Where a part begins: at a multiple of a power of two of about a 128th of a part, as halves do.
  std::uint64_t begin(std::uint64_t part) const noexcept {
    const std::uint64_t length = hi_ - lo_;
    const std::uint64_t unit = std::bit_floor(length / count_ / 128 + 1);
    return lo_ + ((length / count_ * part + length % count_ * part / count_) & ~(unit - 1));
  }

  std::uint64_t count() const noexcept { return count_; }

  /// Of all but the first, which is the caller's.
  Place& place(std::uint64_t part) const noexcept { return pool_.started_thread(static_cast<std::size_t>(part - 1)).place; }

  std::uint64_t number;  // of the one to be laid next; 0: all are

  /// One that is laid, and the one that was laid before it.
  struct Laid {
    ForkedJob& part;
    Place& place;
    const Laid* next;
  };
  const Laid* first_laid = nullptr;

 private:
  Pool& pool_;
  const std::uint64_t lo_;
  const std::uint64_t hi_;
  const std::uint64_t count_;
};

namespace {

/// Taken back if what comes before it throws, and its outcome dropped if another thread has it: as Withdrawal does.
template <class Part>
class TakenBack {
 public:
  TakenBack(Worker& self, Place& place, Part& part) noexcept : self_(self), level_(self.level()), place_(place), part_(part) {}
  ~TakenBack() {
    if (self_.level() > level_) [[unlikely]] self_.take_back(level_);  // what the steps have spawned
    if (needed_ && !place_.take_back(part_)) drop(self_, part_);
  }
  TakenBack(const TakenBack&) = delete;
  TakenBack& operator=(const TakenBack&) = delete;

  void not_needed() noexcept { needed_ = false; }

 private:
  static void drop(Worker& self, Part& part) noexcept {
    self.wait(part.latch);
    part.outcome.discard();
  }

  Worker& self_;
  const Worker::Index level_;
  Place& place_;
  Part& part_;
  bool needed_ = true;
};

/// Instead of waiting for a part that another thread has: runs what still lies there of those behind it. It is of the same loop, and its outcome waits in its frame.
void run_laid(Participant& self, const Parts::Laid* laid, const Latch& awaited) noexcept {
  for (; laid != nullptr && !awaited.is_set() && self.nothing_to_steal(); laid = laid->next)
    if (laid->place.take_back(laid->part)) self.run(laid->part);
}

}  // namespace

/// An outermost one, so long that it is worth some threads' while, and worth waking them if they sleep.
bool Loop::deserves_places(Worker& self, const Pace& pace, std::uint64_t steps) const noexcept {
  constexpr std::uint64_t kLeastWorth = 8;  // parts
  if (!self.pool().places.used() || depth_ != 0 || pace.parts_worth_sharing(steps) < kLeastWorth) return false;
  return self.nothing_to_steal() && Participant::of(self).jobs() == 0 && pace.worth_sharing(steps, self.would_wake());
}

/// Their number is the threads', or a power of two, which changes seldom: parts should be the same from call to call.
void Loop::run_in_places(Worker& self, void* part, Pace& pace, std::uint64_t lo) {
  Pool& pool = self.pool();
  const std::uint64_t most = std::min(pool.computing_threads(), functions_.with_room == nullptr ? Places::kMostParts : Places::kMostPartsWithResults);
  const std::uint64_t count = std::min<std::uint64_t>(most, std::bit_floor(pace.parts_worth_sharing(steps_ - lo)));
  if (count < 2 || !pool.places.begin_laying(Participant::of(self).number())) return advance(self, part, pace, lo, steps_);
  pace.shares();
  pace.begin_part((steps_ - lo) / count);
  const Places::InUse in_use(pool.places);
  Parts parts(pool, lo, steps_, count);
  run_parts(self, part, pace, parts, steps_);
}

/// Lays the parts that are not yet, and runs all steps below `hi`. Recursion for each part.
void Loop::run_parts(Worker& self, void* part, Pace& pace, Parts& parts, std::uint64_t hi) {
  if (parts.number == 0) {
    self.pool().places.end_laying();
    // Up to three calls that wake, here and in the next line: little beside a loop for so many threads, so worth_sharing() counts one.
    Participant::of(self).look_at_bell();
    if (self.pool().lookers.expect(parts.count())) self.pool().wake_more(self);
    advance(self, part, pace, parts.begin(0), hi);
  } else if (functions_.with_room == nullptr) {
    lay_and_run(self, part, pace, parts, hi, nullptr);
  } else {
    Split split(*this, self, part, &pace, 0, hi);
    split.parts_ = &parts;
    functions_.with_room(split);
  }
}

/// Lays the last part; runs those before it; then this one too, unless another thread has it. If there is no room in that place it belongs to the part before it.
void Loop::lay_and_run(Worker& self, void* part, Pace& pace, Parts& parts, std::uint64_t hi, void* room) {
  const std::uint64_t number = parts.number--;
  Place& place = parts.place(number);
  Half laid(*this, part, room, pace.step_cost(), parts.begin(number), hi);
  if (!place.lay(laid)) return run_parts(self, part, pace, parts, hi);
  const Parts::Laid here{laid, place, parts.first_laid};
  parts.first_laid = &here;
  {
    TakenBack withdrawal(self, place, laid);
    run_parts(self, part, pace, parts, parts.begin(number));
    withdrawal.not_needed();
  }
  if (place.take_back(laid)) return advance(self, part, pace, parts.begin(number), hi);
  run_laid(Participant::of(self), here.next, laid.latch);
  if (!laid.latch.is_set()) self.wait(laid.latch);
  {
    const Strand combining(observed_, Strand::AfterAll{});
    laid.outcome.absorb_into(part);
  }
  pace.resume();
}

}  // namespace furca::detail
