// A loop with a portion for each thread of its pool: see places.hpp.
#include <furca/detail/fork/forks.hpp>

#include "../fork/run.hpp"
#include "../fork/team.hpp"
#include "../observing/trace.hpp"
#include "loop_half.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace furca::detail {

/// One thread's laying of portions in a row, all of a loop's or those of a group, from the last to
/// the second. Of all of a loop's, whole groups come before single portions.
/// While it exists, until end_laying(), others who look for work wait for theirs.
class Loop::Laying {
 public:
  /// All of a loop's, from step `lo` on.
  Laying(Team& team, std::uint64_t lo, std::uint64_t hi, std::uint64_t count,
         std::uint64_t group) noexcept
      : end(count), team_(team), lo_(lo), length_(hi - lo), count_(count), group_(group) {}

  /// A group of these.
  Laying(const Laying& all, std::uint64_t first_of_group, std::uint64_t end_of_group) noexcept
      : first(first_of_group),
        end(end_of_group),
        team_(all.team_),
        lo_(all.lo_),
        length_(all.length_),
        count_(all.count_),
        group_(all.group_) {}

  ~Laying() { end_laying(); }
  Laying(const Laying&) = delete;
  Laying& operator=(const Laying&) = delete;

  /// All are laid, or none will be.
  void end_laying() noexcept {
    if (!std::exchange(laid_, true)) portions().end_laying();
  }

  /// Where a portion begins: at a multiple of a power of two of about a 128th of a portion, as
  /// halves do.
  std::uint64_t begin(std::uint64_t portion) const noexcept {
    const std::uint64_t unit = std::bit_floor(length_ / count_ / 128 + 1);
    return lo_ + ((length_ / count_ * portion + length_ % count_ * portion / count_) & ~(unit - 1));
  }

  /// How many threads lay portions of a loop with so many: its caller, and whoever gets the first
  /// of a group.
  static std::uint32_t layers(std::uint64_t count, std::uint64_t group) noexcept {
    return static_cast<std::uint32_t>(1 + (count - 1) / group -
                                      (group > 1 && count % group == 1 ? 1 : 0));
  }

  std::uint64_t count() const noexcept { return count_; }
  bool are_all_of_loop() const noexcept { return all_; }

  /// The first of those that are laid next: the last portion, or the last group.
  std::uint64_t next() const noexcept {
    return end - first > group_ ? first + (end - first - 1) / group_ * group_ : end - 1;
  }

  /// Of all but the first, which is the caller's.
  Place& place(std::uint64_t portion) const noexcept {
    return team_.started_thread(static_cast<std::size_t>(portion - 1)).place;
  }

  Portions& portions() const noexcept { return team_.portions; }

  const std::uint64_t first = 0;  // whose steps are this thread's own
  std::uint64_t end;              // those from here on are laid

 private:
  Team& team_;
  const std::uint64_t lo_;
  const std::uint64_t length_;
  const std::uint64_t count_;  // of the loop
  const std::uint64_t group_;
  const bool all_ = end == count_ && first == 0;
  bool laid_ = false;
};

/// What lies in a place: a portion, or a group, whose other portions are laid by whoever gets it.
/// Checked by: tests/model/programs/places_programs.hpp ("a group, and one who takes its second
/// portion"), tests/model/programs/loop_programs.hpp ("portions: two groups of two, and one thread
/// that comes")
class Loop::PlacedPortion : public Half {
 public:
  PlacedPortion(const Walk& walk, PartRoom* room, const Laying& laying, std::uint64_t first,
                std::uint64_t end, std::uint64_t hi) noexcept
      : Half(&run_received, walk, room, laying.begin(first), hi),
        laying_(laying),
        first_(first),
        end_(end),
        place_(laying.place(first)) {}

  bool lay() noexcept { return place_.lay(*this); }
  /// After what its steps have spawned since the deque's end was `end`: that runs.
  bool take(Forks&, Worker::Index end) noexcept {
    if (walk_.self.deque().end() > end) [[unlikely]]
      walk_.self.run_spawned(end);
    return place_.take(*this);
  }

  /// By who laid it, and took it back; or who has received it.
  void run_here(Walk& walk) {
    if (!is_group()) return walk.advance(lo_, hi_);
    Laying group(laying_, first_, end_);
    walk.run_portions(group, hi_);
  }

  /// It was taken back, and nobody will run it; or it was never begun.
  void dropped() noexcept {
    if (is_group()) laying_.portions().end_laying();
  }

 private:
  static JobEnd run_received(Job& job, Worker& runner, bool) noexcept {
    auto& self = static_cast<PlacedPortion&>(job);
    if (observing) [[unlikely]]
      trace_steal(self.walk_.self.number());
    return self.claim_and_fill(runner, [&] {
      bool begun = false;
      const std::uint64_t end = self.is_group() ? self.laying_.begin(self.first_ + 1) : self.hi_;
      self.fill(runner, end - self.lo_, [&](Walk& walk) {
        begun = true;
        self.run_here(walk);
      });
      if (!begun) self.dropped();
    });
  }

  bool is_group() const noexcept { return end_ - first_ > 1; }

  const Laying& laying_;
  const std::uint64_t first_;
  const std::uint64_t end_;
  Place& place_;
};

/// An outermost one, so long that it is worth some threads' while, and worth waking them if they
/// sleep.
bool Loop::Walk::deserves_places(std::uint64_t steps) const noexcept {
  constexpr std::uint64_t kLeastWorth = 8;  // portions
  if (!self.team().portions.used() || loop.depth_ != 0 ||
      pace.portions_worth_sharing(steps) < kLeastWorth)
    return false;
  return self.nothing_to_steal() && self.jobs.read() == 0 &&
         pace.worth_sharing(steps, would_wake(self));
}

/// Their number is the threads', or a power of two, which changes seldom: portions should be the
/// same from call to call.
void Loop::Walk::run_in_places(std::uint64_t lo) {
  Team& team = self.team();
  const std::uint64_t steps = loop.steps_ - lo;
  const bool grouped = team.portions.grouped();
  const std::size_t with_results =
      grouped ? Portions::kMostPortionsWithResultsInGroups : Portions::kMostPortionsWithResults;
  const std::uint64_t most =
      std::min(team.computing_threads(),
               loop.functions_.fresh == nullptr ? Portions::kMostPortions : with_results);
  const std::uint64_t count =
      std::min<std::uint64_t>(most, std::bit_floor(pace.portions_worth_sharing(steps)));
  if (count < 2) return advance(lo, loop.steps_);
  const std::uint64_t group = grouped ? Portions::group(count) : count;
  if (!team.portions.begin_laying(Laying::layers(count, group))) return advance(lo, loop.steps_);
  if (loop.observed_ != nullptr) [[unlikely]]
    decided(pace.decision(Choice::portions, steps));
  pace.begin_portion(steps / count);
  Laying laying(team, lo, loop.steps_, count, group);
  run_portions(laying, loop.steps_);
}

/// Lays the portions that are not yet, and runs all steps below `hi`. Recursion for each portion
/// that is laid here.
void Loop::Walk::run_portions(Laying& laying, std::uint64_t hi) {
  if (laying.end - laying.first == 1) {
    laying.end_laying();
    // Up to three calls that wake, here and in the next line: little beside a loop for so many
    // threads, so worth_sharing() counts one.
    self.team().tell_of_work(self);
    if (laying.are_all_of_loop() && self.team().lookers.call(laying.count()))
      self.team().wake_more(self);
    pace.resume();  // they take as long as many a chunk
    advance(laying.begin(laying.first), hi);
  } else if (loop.functions_.fresh == nullptr) {
    lay_and_run(laying, hi, nullptr);
  } else {
    lay_in_room(laying, hi);
  }
}

void Loop::Walk::lay_in_room(Laying& laying, std::uint64_t hi) {
  PartRoom room;
  lay_and_run(laying, hi, &room);
}

/// Lays the last portion, or group; runs those before it; then this one too, unless another thread
/// has it. If there is no room in that place it belongs to the portion before it.
void Loop::Walk::lay_and_run(Laying& laying, std::uint64_t hi, PartRoom* room) {
  const std::uint64_t number = laying.next();
  PlacedPortion laid(*this, room, laying, number, std::exchange(laying.end, number), hi);
  if (!laid.lay()) {
    laid.dropped();
    return run_portions(laying, hi);
  }
  Fork fork(self, laid, self.deque().end());
  run_portions(laying, laying.begin(number));
  if (fork.take()) return laid.run_here(*this);
  self.wait(laid.latch);
  laid.absorb_into(*this);
}

}  // namespace furca::detail
