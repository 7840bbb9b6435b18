// The order of turns: the thread with the earliest time, and of several the one with the least
// number.
#pragma once

#include "thread.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace counted {

/// The threads that run, but for the one whose turn it is: a heap.
class Turns {
 public:
  bool empty() const noexcept { return heap_.empty(); }
  std::size_t size() const noexcept { return heap_.size(); }

  /// Another one comes before this, by so much.
  bool before(const Thread& thread, Time by = 0) const noexcept {
    return !heap_.empty() &&
           comes_before(heap_.front(), Turn{thread.time - by, &const_cast<Thread&>(thread)});
  }

  void add(Thread& thread) {
    heap_.push_back({thread.time, &thread});
    std::push_heap(heap_.begin(), heap_.end(), comes_after);
  }

  /// The first, which leaves.
  Thread& take() noexcept {
    std::pop_heap(heap_.begin(), heap_.end(), comes_after);
    Thread& first = *heap_.back().thread;
    heap_.pop_back();
    return first;
  }

  /// The first, whose place this one takes.
  Thread& exchange(Thread& thread) noexcept {
    Thread& first = *heap_.front().thread;
    const Turn turn{thread.time, &thread};
    std::size_t at = 0;
    for (;;) {
      std::size_t child = 2 * at + 1;
      if (child >= heap_.size()) break;
      if (child + 1 < heap_.size() && comes_before(heap_[child + 1], heap_[child])) ++child;
      if (!comes_before(heap_[child], turn)) break;
      heap_[at] = heap_[child];
      at = child;
    }
    heap_[at] = turn;
    return first;
  }

  /// visit(thread) for all, and each loses so much time.
  template <class Visit>
  void delay(Time time, Visit visit) noexcept {
    for (Turn& turn : heap_) {
      turn.time += time;
      turn.thread->time += time;
      visit(*turn.thread);
    }
  }

 private:
  struct Turn {
    Time time;
    Thread* thread;
  };
  static bool comes_before(const Turn& a, const Turn& b) noexcept {
    return a.time < b.time || (a.time == b.time && a.thread->number < b.thread->number);
  }
  static bool comes_after(const Turn& a, const Turn& b) noexcept { return comes_before(b, a); }

  std::vector<Turn> heap_;
};

}  // namespace counted
