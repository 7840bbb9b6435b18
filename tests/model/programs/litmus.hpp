// Small programs by their names in the literature, and what their tests ask of them.
#pragma once

#include "../checker/atomics.hpp"

#include <doctest/doctest.h>

#include <functional>
#include <string>

namespace furca::model {

using Machine = ModelAtomics<true>;
using Classic = ModelAtomics<false>;

inline constexpr auto kRelaxed = std::memory_order_relaxed;
inline constexpr auto kAcquire = std::memory_order_acquire;
inline constexpr auto kRelease = std::memory_order_release;
inline constexpr auto kAcqRel = std::memory_order_acq_rel;

inline std::string outcomes(const std::function<void()>& program, bool reduce) {
  Options options;
  options.reduce = reduce;
  const Result result = explore(program, options);
  INFO(result.report());
  CHECK(result.proven());
  std::string all;
  for (const std::vector<int>& outcome : result.outcomes) {
    if (!all.empty()) all += ' ';
    for (const int value : outcome) all += std::to_string(value);
  }
  return all;
}

inline void check_outcomes(const std::function<void()>& program, const std::string& expected) {
  CHECK(outcomes(program, true) == expected);
  CHECK(outcomes(program, false) == expected);
}

inline std::string failure_of(const std::function<void()>& program) {
  std::string what[2];
  for (const bool reduce : {false, true}) {
    Options options;
    options.reduce = reduce;
    options.minimise = false;
    const Result result = explore(program, options);
    what[reduce] = result.failure != nullptr ? result.failure->what : "none";
  }
  CHECK(what[0] == what[1]);
  return what[1];
}

/// What small programs share: words, and what threads have read of them.
struct Words {
  Atomic<int> x{0};
  Atomic<int> y{0};
  Atomic<int> z{0};
  int a = 0;
  int b = 0;
  int c = 0;
  int d = 0;
};

/// Threads on the same words; an outcome is the first so many values that they have read.
template <int count, class... Threads>
std::function<void()> reading(Threads... threads) {
  return [=] {
    Words words;
    together([&] { threads(words); }...);
    const int all[] = {words.a, words.b, words.c, words.d};
    for (int i = 0; i < count; ++i) observe(all[i]);
  };
}

/// Each thread stores to its own word and then loads the other's. `between` stands between the two.
template <class Between1, class Between2>
std::function<void()> store_buffering(std::memory_order store, std::memory_order load,
                                      Between1 between1, Between2 between2) {
  return reading<2>(
      [=](Words& w) {
        w.x.store(1, store);
        between1();
        w.a = w.y.load(load);
      },
      [=](Words& w) {
        w.y.store(1, store);
        between2();
        w.b = w.x.load(load);
      });
}

/// One thread stores data (x) and then a flag (y), the other loads the flag and then the data.
template <class Between1, class Between2>
std::function<void()> message_passing(std::memory_order store, std::memory_order load,
                                      Between1 between1, Between2 between2) {
  return reading<2>(
      [=](Words& w) {
        w.x.store(1, kRelaxed);
        between1();
        w.y.store(1, store);
      },
      [=](Words& w) {
        w.a = w.y.load(load);
        between2();
        w.b = w.x.load(kRelaxed);
      });
}

/// Two threads store to a word each; two others read both words, in opposite orders.
template <class Between>
std::function<void()> independent_reads(std::memory_order store, std::memory_order load,
                                        Between between) {
  return reading<4>([=](Words& w) { w.x.store(1, store); }, [=](Words& w) { w.y.store(1, store); },
                    [=](Words& w) {
                      w.a = w.x.load(load);
                      between();
                      w.b = w.y.load(load);
                    },
                    [=](Words& w) {
                      w.c = w.y.load(load);
                      between();
                      w.d = w.x.load(load);
                    });
}

/// A thread stores; one reads that and stores; a third reads the second's word, then the first's.
inline std::function<void()> write_to_read_causality(std::memory_order store,
                                                     std::memory_order load) {
  return reading<3>([=](Words& w) { w.x.store(1, store); },
                    [=](Words& w) {
                      w.a = w.x.load(load);
                      w.y.store(1, store);
                    },
                    [=](Words& w) {
                      w.b = w.y.load(load);
                      w.c = w.x.load(kRelaxed);
                    });
}

inline void nothing() {}
inline void fence() { Machine::fence(); }
inline void heavy_fence() { Machine::heavy_fence(); }
inline void fence_as_weak() { memory().fence(self(), kAcqRel); }

struct Item {
  using earned_by_cas = void;
  int value = 0;
};

inline const std::string kAllOfTwo = "00 01 10 11";

}  // namespace furca::model
