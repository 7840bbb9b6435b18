// The memory model: what a load may read, what a store publishes, what a fence bars. C++20 less its
// load buffering; README.md has the rules and what they leave out.
#pragma once

#include "view.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace furca::model {

/// Part of every modelled object: who made it, and whether it lives. In memory that was never one,
/// or is none any more, the stamp is not the present run's.
struct Handle {
  std::uint32_t stamp;
  // kNowhere until its first access: most slots of most rings are never touched
  std::int16_t location;
  std::int8_t maker;
  Time made;
  bool committed;  // see Memory::commit

  static constexpr std::int16_t kNowhere = -1;
};

/// A cell that is not atomic: two accesses, one of them a write, must not be concurrent.
struct PlainState {
  Handle handle;
  std::int8_t writer;
  Time written;
  Clock read;
};

class Memory {
 public:
  /// A new run: no locations, no threads.
  void begin() noexcept;
  /// Thread `child` starts with all that `parent` knows.
  void fork(std::size_t parent, std::size_t child) noexcept;
  /// `child` has ended, and happened before what `parent` does next.
  void join(std::size_t parent, std::size_t child) noexcept;

  // --- lifetime ----------------------------------------------------------------------------------

  /// `committed`: reads are speculative until the reader's next read-modify-write succeeds.
  void make(std::size_t self, Handle& object, bool committed) noexcept;
  void destroy(std::size_t self, Handle& object) noexcept;
  /// The object's location. Fails if it is not alive, or its construction did not happen before.
  int locate(std::size_t self, Handle& object, std::uint64_t initial);

  // --- atomic accesses. Each is one step; where the model leaves a choice, they ask choose() -----

  std::uint64_t load(std::size_t self, int at, std::memory_order order);
  void store(std::size_t self, int at, std::uint64_t value, std::memory_order order);
  /// What a read-modify-write would read.
  std::uint64_t newest(int at) const noexcept;
  void update(std::size_t self, int at, std::uint64_t value, std::memory_order order);
  bool compare_exchange(std::size_t self, int at, std::uint64_t& expected, std::uint64_t desired,
                        std::memory_order success, std::memory_order failure);

  void fence(std::size_t self, std::memory_order order) noexcept;
  /// A sequentially consistent fence on behalf of a thread that knows nothing of it. One that has
  /// ended only publishes.
  void strike(std::size_t thread, bool ended) noexcept;

  /// The kernel's look at a futex word: is it still `expected`? It sees all that was stored before
  /// a wake() that has passed.
  bool futex_holds(std::size_t self, int at, std::uint64_t expected);
  void futex_wake(std::size_t self, int at) noexcept;

  // --- plain accesses ----------------------------------------------------------------------------

  void plain_make(std::size_t self, PlainState& cell) noexcept;
  void plain_read(std::size_t self, PlainState& cell);
  void plain_write(std::size_t self, PlainState& cell);
  void plain_destroy(std::size_t self, PlainState& cell);

  /// The last access read a value that was not the newest.
  bool last_was_stale() const noexcept { return stale_; }

  int locations() const noexcept { return static_cast<int>(location_count_); }

 private:
  static constexpr std::size_t kMaxWrites = 2048;  // in one run
  static constexpr std::size_t kMaxWritesToOne = 256;
  static constexpr std::size_t kMaxCommits = 16;

  struct Write {
    std::uint64_t value;
    View published;  // what an acquiring reader learns
    Clock before;    // what happened before the write itself
  };
  struct Commit {
    std::size_t reader;
    Time when;
  };
  struct Location {
    int writes;
    std::array<std::uint16_t, kMaxWritesToOne> order;  // modification order
    Clock accessed;
    Time woken;  // writes before this one were stored before a futex wake
    bool committed;
    std::size_t commits;
    std::array<Commit, kMaxCommits> commit;
  };
  struct Thread {
    View current;          // what it knows
    View acquired;         // what it would know after an acquire fence
    View released;         // what it knew at its last release fence
    int speculative = -1;  // location of a read that its next read-modify-write commits
    Time speculative_when = 0;
    int speculative_write = 0;
  };

  Time tick(std::size_t self);
  void check_alive(std::size_t self, const Handle& object);
  Write& write_at(int at, int index) noexcept {
    return writes_[locations_[static_cast<std::size_t>(at)].order[static_cast<std::size_t>(index)]];
  }
  const Write& write_at(int at, int index) const noexcept {
    return writes_[locations_[static_cast<std::size_t>(at)].order[static_cast<std::size_t>(index)]];
  }
  void read(std::size_t self, int at, int index, std::memory_order order) noexcept;
  Write& append(std::size_t self, int at, std::uint64_t value, std::memory_order order);
  void commit(std::size_t self);

  std::uint32_t stamp_ = 0;
  std::size_t location_count_ = 0;
  std::size_t write_count_ = 0;
  std::array<Thread, kMaxThreads> threads_;
  // what the sequentially consistent fences so far have published; only `seen` counts
  View fenced_;
  std::array<Location, kMaxLocations> locations_;
  std::array<Write, kMaxWrites> writes_;
  bool stale_ = false;
};

}  // namespace furca::model
