// Every behaviour is tested on pools of 1, 2, 3 and 16 threads, and with both wait policies.
#pragma once

#include "trials.hpp"

#include <furca/thread_pool.hpp>

namespace furca::test {

/// Takes about a nanosecond a turn, and cannot be optimised away.
inline void spin(int turns) {
  volatile int turn = 0;
  while (turn < turns) turn = turn + 1;
}

/// Calls check() inside each pool; if few cases will do, inside half of them.
inline void on_every_pool(const std::function<void()>& check) {
  for (const std::size_t threads : {1U, 2U, 3U, 16U}) {
    for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
      const bool one_of_few = threads == 3 || (threads == 16) == (wait == WaitPolicy::greedy);
      if (few_cases() && (threads == 2 || !one_of_few)) continue;
      CAPTURE(threads);
      CAPTURE(static_cast<int>(wait));
      ThreadPool pool({.threads = threads, .wait = wait});
      pool.install([&check] { check(); });
    }
  }
}

}  // namespace furca::test
