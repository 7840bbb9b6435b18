// What calls do while furca observes itself (FURCA_TRACE, FURCA_STATS=span): they measure their work and span, and leave events.
//
// The fast paths know nothing of it. While furca observes, current_worker (worker.hpp) is null on every thread, so each call takes the way of a
// thread's first call, which is out of line, and there finds this.
//
// Work is the time that all strands of a call take together, its span the time of the longest chain of strands that had to come one after the other
// (Blumofe, Leiserson: Scheduling Multithreaded Computations by Work Stealing, J. ACM 1999). A strand is a stretch of the user's code on one thread without a
// call of furca's in it. Each carries the longest chain that leads to it: an arm goes on from where its join began, and a join ends with the
// longest of its arms'. What threads wait, steal and sleep is no part of that. (He, Leiserson, Leiserson: The Cilkview Scalability Analyzer, SPAA 2010.)
#pragma once

#include <furca/detail/config.hpp>
#include <furca/detail/source_location.hpp>

#include <atomic>
#include <cstdint>

namespace furca::detail {

/// Set before the first call of any thread, and in a forked child.
FURCA_API extern bool observing;

struct Site;

enum class Construct : std::uint8_t { join, loop, reduction, scope };

/// A chain of strands: its length in ticks, and which calls they belong to, as far as there is room for that.
struct Path {
  struct Place {
    const Site* site;
    std::uint64_t length;
  };
  static constexpr std::uint32_t kPlaces = 6;

  std::uint64_t length;
  std::uint32_t used;
  Place places[kPlaces];

  void clear() noexcept { length = used = 0; }
  void add(const Site* site, std::uint64_t ticks) noexcept;
  const Place* longest() const noexcept;
};

class Strand;

/// A call that is observed: in the frame of its caller, until all that it started has ended. Strands may begin and end in it on any thread.
class FURCA_API Observed {
 public:
  Observed(Construct construct, const SourceLocation& where) noexcept
      : Observed(construct, where.file_name(), where.function_name(), where.line(), where.column()) {}
  ~Observed();
  Observed(const Observed&) = delete;
  Observed& operator=(const Observed&) = delete;

 private:
  friend class Strand;
  friend class Piece;

  /// Apart: compilers differ in what a SourceLocation is.
  Observed(Construct construct, const char* file, const char* function, std::uint32_t line, std::uint32_t column) noexcept;

  const Construct construct_;
  const Site* const site_;
  Strand* const outer_;  // null: nobody observed called it
  const std::uint64_t began_;
  Path start_;
  std::atomic<bool> merging_{false};  // guards what follows
  std::uint64_t work_ = 0;
  Path longest_;
};

/// A strand of `call` on this thread, from here to the end of the block; nothing at all if `call` is null.
class FURCA_API Strand {
 public:
  /// `from`: where it goes on; null: where the call began.
  explicit Strand(Observed* call, const Path* from = nullptr) noexcept : call_(call) {
    if (call != nullptr) [[unlikely]] begin(from);
  }
  /// What can only begin when everything in `call` up to now has ended.
  struct AfterAll {};
  Strand(Observed* call, AfterAll) noexcept : call_(call) {
    if (call != nullptr) [[unlikely]] begin_after_all();
  }
  ~Strand() {
    if (call_ != nullptr) [[unlikely]] end();
  }
  Strand(const Strand&) = delete;
  Strand& operator=(const Strand&) = delete;

  /// The calling thread's chain up to now: what it spawns goes on from there.
  static void path_to_here(Path& path) noexcept;

 private:
  friend class Observed;

  void begin(const Path* from) noexcept;
  void begin_after_all() noexcept;
  void end() noexcept;
  static void lock(Observed& call) noexcept;
  static void unlock(Observed& call) noexcept;
  void stop_clock() noexcept;
  void start_clock() noexcept;

  Observed* const call_;
  Strand* outer_;        // what ran on this thread before
  std::uint64_t since_;
  std::uint64_t work_;
  Path path_;
};

/// A part of `call` that another thread has stolen, as an event of its own; nothing at all if `call` is null.
class FURCA_API Piece {
 public:
  explicit Piece(const Observed* call) noexcept : call_(call) {
    if (call != nullptr) [[unlikely]] begin();
  }
  ~Piece() {
    if (call_ != nullptr) [[unlikely]] end();
  }
  Piece(const Piece&) = delete;
  Piece& operator=(const Piece&) = delete;

 private:
  void begin() noexcept;
  void end() noexcept;

  const Observed* const call_;
  std::uint64_t began_;
};

}  // namespace furca::detail
