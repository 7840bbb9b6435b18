// What a model program is written with: atomics that the shipped headers take in place of
// StdAtomics, plain cells with race detection, threads, and what it has to say about its outcome.
#pragma once

#include "memory.hpp"
#include "search.hpp"
#include "site.hpp"

#include <furca/detail/base/fence_tuning.hpp>

#include <atomic>
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <functional>
#include <type_traits>
#include <utility>

namespace furca::model {

/// A read of such a type is speculative until the reader's next read-modify-write succeeds: what
/// deques hold. See Memory::commit.
template <class T>
inline constexpr bool kSpeculative = requires { typename T::earned_by_cas; };

template <class T>
class Atomic {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

 public:
  Atomic() noexcept : Atomic(T{}) {}
  Atomic(T value) noexcept : initial_(to_bits(value)) {
    memory().make(self(), handle_, kSpeculative<T>);
  }  // NOLINT: as std::atomic's
  ~Atomic() { memory().destroy(self(), handle_); }
  Atomic(const Atomic&) = delete;
  Atomic& operator=(const Atomic&) = delete;

  T load(std::memory_order order, Site site = Site::here()) const noexcept {
    OrderedSite at{site, Access::load, order};
    const int location = arrive(at, Step::Kind::load);
    const std::uint64_t bits = memory().load(self(), location, at.order);
    note(at, location, bits, 0);
    return from_bits(bits);
  }

  void store(T value, std::memory_order order, Site site = Site::here()) noexcept {
    OrderedSite at{site, Access::store, order};
    const int location = arrive(at, Step::Kind::write);
    memory().store(self(), location, to_bits(value), at.order);
    note(at, location, 0, to_bits(value));
  }

  T exchange(T value, std::memory_order order, Site site = Site::here()) noexcept {
    return update([value](T) { return value; }, order, site);
  }
  T fetch_add(T value, std::memory_order order, Site site = Site::here()) noexcept {
    return update([value](T old) { return static_cast<T>(old + value); }, order, site);
  }
  T fetch_sub(T value, std::memory_order order, Site site = Site::here()) noexcept {
    return update([value](T old) { return static_cast<T>(old - value); }, order, site);
  }
  T fetch_and(T value, std::memory_order order, Site site = Site::here()) noexcept {
    return update([value](T old) { return static_cast<T>(old & value); }, order, site);
  }
  T fetch_or(T value, std::memory_order order, Site site = Site::here()) noexcept {
    return update([value](T old) { return static_cast<T>(old | value); }, order, site);
  }

  bool compare_exchange_strong(T& expected, T desired, std::memory_order success,
                               std::memory_order failure, Site site = Site::here()) noexcept {
    OrderedSite at{site, Access::cas, success, failure};
    const int location = arrive(at, Step::Kind::write);
    std::uint64_t bits = to_bits(expected);
    const bool done =
        memory().compare_exchange(self(), location, bits, to_bits(desired), at.order, at.failure);
    if (!done) expected = from_bits(bits);
    note(at, location, bits, to_bits(desired), !done);
    return done;
  }
  bool compare_exchange_weak(T& expected, T desired, std::memory_order success,
                             std::memory_order failure, Site site = Site::here()) noexcept {
    if (spuriously()) {
      expected = load(failure, site);
      return false;
    }
    return compare_exchange_strong(expected, desired, success, failure, site);
  }

 private:
  template <bool Asymmetric>
  friend struct ModelAtomics;

  static std::uint64_t to_bits(T value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  static T from_bits(std::uint64_t bits) noexcept {
    T value;
    std::memcpy(static_cast<void*>(&value), &bits, sizeof value);
    return value;
  }
  /// As the trace prints it: with its sign.
  static std::int64_t shown(std::uint64_t bits) noexcept {
    if constexpr (std::signed_integral<T>) {
      return from_bits(bits);
    } else {
      return std::bit_cast<std::int64_t>(bits);
    }
  }

  /// Looks at the object twice: it may be gone once it is this thread's turn.
  int arrive(OrderedSite& at, Step::Kind kind) const noexcept {
    sites().pass(at);
    model::arrive({kind, memory().locate(self(), handle_, initial_)});
    return memory().locate(self(), handle_, initial_);
  }

  template <class F>
  T update(F f, std::memory_order order, Site site) noexcept {
    OrderedSite at{site, Access::rmw, order};
    const int location = arrive(at, Step::Kind::write);
    const std::uint64_t old = memory().newest(location);
    const std::uint64_t bits = to_bits(f(from_bits(old)));
    memory().update(self(), location, bits, at.order);
    note(at, location, old, bits);
    return from_bits(old);
  }

  static void note(const OrderedSite& at, int location, std::uint64_t read, std::uint64_t written,
                   bool failed = false) noexcept {
    model::note({static_cast<std::uint8_t>(self()), at.access, failed ? at.failure : at.order,
                 memory().last_was_stale(), failed, location, shown(read), shown(written),
                 at.site});
  }

  mutable Handle handle_;
  std::uint64_t initial_;
};

/// In the place of furca::detail::StdAtomics.
template <bool Asymmetric>
struct ModelAtomics {
  template <class T>
  using Atomic = model::Atomic<T>;

  static void light_fence() noexcept {}  // compilers do not reorder here

  static void fence(Site site = Site::here()) noexcept {
    OrderedSite at{site, Access::fence, std::memory_order_seq_cst};
    sites().pass(at);
    fence_as(at);
  }

  static bool asymmetric() noexcept { return Asymmetric; }

  // whatever this machine's costs are: the same executions everywhere
  static detail::FenceTuning fence_tuning() noexcept { return {1024, 100'000, 1}; }

  /// The other threads are struck one by one, between two fences of the caller's own: in any order,
  /// or in one where the exploration is bounded anyway.
  static void heavy_fence(Site site = Site::here()) noexcept {
    OrderedSite at{site, Access::heavy_fence, std::memory_order_seq_cst};
    sites().pass(at);
    if (!Asymmetric || at.order != std::memory_order_seq_cst) {
      if (Asymmetric) at.order = std::memory_order_seq_cst;
      fence_as(at);
      return;
    }
    fence_as(at);
    for (unsigned left = others(); left != 0;) {
      unsigned next = left;
      for (int skip = bounded() ? 0 : choose(std::popcount(left)); skip > 0; --skip)
        next &= next - 1;
      const auto struck = static_cast<std::size_t>(std::countr_zero(next));
      left &= ~(1U << struck);
      arrive({Step::Kind::strike, static_cast<int>(struck)});
      memory().strike(struck, has_ended(struck));
      model::note({static_cast<std::uint8_t>(self()), at.access, at.order, false, false, -1,
                   static_cast<std::int64_t>(struck), 1, site});
    }
    fence_as(at);
  }

  static void wait(Atomic<std::uint32_t>& word, std::uint32_t expected,
                   Site site = Site::here()) noexcept {
    OrderedSite at{site, Access::wait, std::memory_order_relaxed};
    const int location = word.arrive(at, Step::Kind::write);
    const bool holds = !spuriously() && memory().futex_holds(self(), location, expected);
    model::note({static_cast<std::uint8_t>(self()), at.access, at.order, memory().last_was_stale(),
                 !holds, location, expected, 0, site});
    if (holds) block(location);
  }

  static void wake(Atomic<std::uint32_t>& word, int count, Site site = Site::here()) noexcept {
    OrderedSite at{site, Access::wake, std::memory_order_relaxed};
    const int location = word.arrive(at, Step::Kind::write);
    memory().futex_wake(self(), location);
    wake_up(location, count);
    model::note({static_cast<std::uint8_t>(self()), at.access, at.order, false, false, location,
                 count, 0, site});
  }

  static void yield() noexcept { model::yield(); }
  static void relax() noexcept {}

  /// A second for every step: nothing happens soon after anything else.
  static std::uint64_t nanoseconds() noexcept { return steps() * 1'000'000'000; }

 private:
  static void fence_as(const OrderedSite& at) noexcept {
    if (at.order == std::memory_order_seq_cst) arrive({Step::Kind::fence});
    memory().fence(self(), at.order);
    model::note(
        {static_cast<std::uint8_t>(self()), at.access, at.order, false, false, -1, 0, 0, at.site});
  }
};

/// A variable that is not atomic.
template <class T>
class Plain {
 public:
  Plain() noexcept : Plain(T{}) {}
  explicit Plain(T value) noexcept : value_(value) { memory().plain_make(self(), state_); }
  ~Plain() { memory().plain_destroy(self(), state_); }
  Plain(const Plain&) = delete;
  Plain& operator=(const Plain&) = delete;

  T get(Site site = Site::here()) const noexcept {
    note(Access::plain_read, site);
    memory().plain_read(self(), state_);
    return value_;
  }
  void set(T value, Site site = Site::here()) noexcept {
    note(Access::plain_write, site);
    memory().plain_write(self(), state_);
    value_ = value;
  }

 private:
  static void note(Access access, Site site) noexcept {
    model::note({static_cast<std::uint8_t>(self()), access, std::memory_order_relaxed, false, false,
                 -1, 0, 0, site});
  }

  mutable PlainState state_;
  T value_;
};

/// A thread of the program. It must be joined.
class Thread {
 public:
  template <class F>
  // the arena's: never deleted
  explicit Thread(F body) : index_(spawn(new std::function<void()>(std::move(body)))) {}
  void join() { model::join(index_); }

 private:
  std::size_t index_;
};

/// Runs all of them at the same time, and returns when they have ended.
template <class... Bodies>
void together(Bodies... bodies) {
  Thread threads[] = {Thread(std::move(bodies))...};
  for (Thread& thread : threads) thread.join();
}

inline void check(bool holds, const char* what) {
  if (!holds) fail(what);
}

/// For loops that wait: the courses on which it is not so are left out, and are no deadlocks.
inline void assume(bool holds) {
  if (!holds) discard();
}

}  // namespace furca::model
