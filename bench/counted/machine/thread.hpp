// A thread of the counted machine.
#pragma once

#include <furca/detail/base/local_values.hpp>
#include <furca/detail/fork/current_forks.hpp>

#include "costs.hpp"
#include "fiber.hpp"

#include <array>
#include <cstddef>
#include <functional>
#include <vector>

namespace counted {

/// Where a thread's time went; what is left are its own steps, and looking for work.
struct Spent {
  Time work = 0;    // as the program says
  Time lines = 0;   // waiting for one, or for data
  Time fences = 0;  // but for heavy ones
  Time heavy = 0;   // its own heavy fences, and what those of others took from it
  Time asleep = 0;

  Spent& operator+=(const Spent& other) noexcept {
    work += other.work;
    lines += other.lines;
    fences += other.fences;
    heavy += other.heavy;
    asleep += other.asleep;
    return *this;
  }
};

/// What each thread of the system would have for itself.
struct ThreadLocals {
  furca::detail::Forks* current = nullptr;
  furca::detail::Worker* observed = nullptr;
  furca::detail::LocalValues values{};
  std::array<std::byte, 2 * sizeof(void*)> exceptions{};  // that are being handled

  void leave() noexcept;  // these are the running thread's no more
  void enter() noexcept;
};

struct Processor;

struct Thread {
  explicit Thread(void (*entry)()) : fiber(entry) {}

  Fiber fiber;
  std::function<void()> body;
  int number = 0;  // in the order in which they started
  Processor* processor = nullptr;
  Time time = 0;     // of its next step; while it waits for a processor, when it could run
  Time drained = 0;  // when all its stores so far are in its cache
  const void* asleep_on = nullptr;
  Time asleep_since = 0;
  bool ended = false;
  std::vector<Thread*> joining;
  const void* job = nullptr;  // that it has seen in another's hands, and may get
  Spent spent;
  ThreadLocals locals;
};

}  // namespace counted
