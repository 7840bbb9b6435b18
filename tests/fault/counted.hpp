// Objects that are counted, and whose n-th copy or move throws if so asked.
#pragma once

#include "support/standard.hpp"

namespace furca::test {

/// What a program's points throw: which one it was. Counted, so that a lost exception is seen.
class Thrown {
 public:
  explicit Thrown(std::int64_t where) noexcept : where_(where) { ++alive; }
  Thrown(const Thrown& other) noexcept : where_(other.where_) { ++alive; }
  Thrown& operator=(const Thrown&) = default;
  ~Thrown() { --alive; }

  std::int64_t where() const noexcept { return where_; }

  static inline constinit std::atomic<long> alive{0};

 private:
  std::int64_t where_;
};

/// The `count`-th call of step() throws, if one was asked for; any thread.
class Countdown {
 public:
  void start(std::int64_t count) noexcept { left_ = count; }
  void stop() noexcept { left_ = 0; }
  void step() {
    if (left_.load(std::memory_order_relaxed) > 0 && left_.fetch_sub(1) == 1) throw Thrown(0);
  }
  /// It was started and has thrown.
  bool has_thrown() const noexcept { return left_ <= 0; }

 private:
  std::atomic<std::int64_t> left_{0};
};

/// A number that is counted. To copy or move it may throw, by `transfers`.
class Counted {
 public:
  explicit Counted(std::int64_t number = 0) noexcept : value(number) { ++alive; }
  Counted(const Counted& other) : value(other.value) {
    transfers.step();
    ++alive;
  }
  Counted(Counted&& other) : value(other.value) {  // NOLINT: throws, that is the point
    transfers.step();
    ++alive;
  }
  Counted& operator=(const Counted& other) {
    transfers.step();
    value = other.value;
    return *this;
  }
  Counted& operator=(Counted&& other) {  // NOLINT: the same
    transfers.step();
    value = other.value;
    return *this;
  }
  ~Counted() { --alive; }

  std::int64_t value;

  static inline constinit std::atomic<long> alive{0};
  static inline Countdown transfers;
};

/// All objects are destroyed, and no exception is under way.
inline bool nothing_is_left() {
  return Counted::alive == 0 && Thrown::alive == 0 && std::uncaught_exceptions() == 0 &&
         !std::current_exception();
}

}  // namespace furca::test
