// The memory model itself: programs of a few accesses whose outcomes under C++20 are known. "01" is
// an outcome: the first value that was read is 0, the second is 1. The sets are exact: nothing is
// missing, nothing too much.
#include "programs/litmus.hpp"

#include <doctest/doctest.h>

using namespace furca::model;

// --- store buffering -----------------------------------------------------------------------------

TEST_CASE("store buffering: it takes two fences, or one heavy one, for one to see the other") {
  const auto heavy_for_nobody = [] { Classic::heavy_fence(); };
  const std::string one_sees = "01 10 11";
  check_outcomes(store_buffering(kRelaxed, kRelaxed, nothing, nothing), kAllOfTwo);
  check_outcomes(store_buffering(kRelease, kAcquire, nothing, nothing), kAllOfTwo);
  check_outcomes(store_buffering(kRelaxed, kRelaxed, fence, fence), one_sees);
  check_outcomes(store_buffering(kRelaxed, kRelaxed, fence, nothing), kAllOfTwo);
  check_outcomes(store_buffering(kRelaxed, kRelaxed, fence_as_weak, fence), kAllOfTwo);
  check_outcomes(store_buffering(kRelaxed, kRelaxed, heavy_fence, nothing), one_sees);
  check_outcomes(store_buffering(kRelaxed, kRelaxed, heavy_for_nobody, nothing), kAllOfTwo);
}

TEST_CASE("store buffering, a read-modify-write of a third word is no fence") {
  check_outcomes(reading<2>(
                     [](Words& w) {
                       w.x.store(1, kRelaxed);
                       w.z.fetch_add(1, kAcqRel);
                       w.a = w.y.load(kRelaxed);
                     },
                     [](Words& w) {
                       w.y.store(1, kRelaxed);
                       Machine::fence();
                       w.b = w.x.load(kRelaxed);
                     }),
                 kAllOfTwo);
}

// --- message passing -----------------------------------------------------------------------------

TEST_CASE("message passing: release and acquire, fences for them, or a heavy one on either side") {
  const std::string in_order = "00 01 11";
  check_outcomes(message_passing(kRelaxed, kRelaxed, nothing, nothing), kAllOfTwo);
  check_outcomes(message_passing(kRelease, kRelaxed, nothing, nothing), kAllOfTwo);
  check_outcomes(message_passing(kRelaxed, kAcquire, nothing, nothing), kAllOfTwo);
  check_outcomes(message_passing(kRelease, kAcquire, nothing, nothing), in_order);
  check_outcomes(message_passing(kRelaxed, kRelaxed, fence_as_weak, fence_as_weak), in_order);
  check_outcomes(message_passing(kRelaxed, kAcquire, fence, nothing), in_order);
  check_outcomes(message_passing(kRelaxed, kRelaxed, heavy_fence, nothing), in_order);
  check_outcomes(message_passing(kRelaxed, kRelaxed, nothing, heavy_fence), in_order);
}

TEST_CASE("a release sequence goes on through another thread's relaxed read-modify-write") {
  check_outcomes(reading<2>(
                     [](Words& w) {
                       w.x.store(1, kRelaxed);
                       w.y.fetch_add(1, kRelease);
                     },
                     [](Words& w) { w.y.fetch_add(2, kRelaxed); },
                     [](Words& w) {
                       w.a = w.y.load(kAcquire);
                       w.b = w.x.load(kRelaxed);
                     }),
                 "00 01 11 20 21 31");  // 20: the relaxed one came first
}

TEST_CASE("a release sequence ends at the same thread's relaxed store, since C++20") {
  check_outcomes(reading<2>(
                     [](Words& w) {
                       w.x.store(1, kRelaxed);
                       w.y.store(1, kRelease);
                       w.y.store(2, kRelaxed);
                     },
                     [](Words& w) {
                       w.a = w.y.load(kAcquire);
                       w.b = w.x.load(kRelaxed);
                     }),
                 "00 01 11 20 21");
}

// --- one location --------------------------------------------------------------------------------

TEST_CASE("coherence: reads of one word do not go back") {
  check_outcomes(reading<2>(
                     [](Words& w) {
                       w.x.store(1, kRelaxed);
                       w.x.store(2, kRelaxed);
                     },
                     [](Words& w) {
                       w.a = w.x.load(kRelaxed);
                       w.b = w.x.load(kRelaxed);
                     }),
                 "00 01 02 11 12 22");
}

TEST_CASE(
    "coherence: a thread sees its own writes, and a read that happened before bars older values") {
  check_outcomes(reading<3>(
                     [](Words& w) {
                       w.x.store(1, kRelaxed);
                       w.a = w.x.load(kRelaxed);
                       w.y.store(w.a, kRelease);
                     },
                     [](Words& w) {
                       w.b = w.y.load(kAcquire);
                       w.c = w.x.load(kRelaxed);
                     }),
                 "100 101 111");
}

TEST_CASE("read-modify-writes read the newest value") {
  check_outcomes(
      [] {
        Atomic<int> x(0);
        int a = 0;
        int b = 0;
        together([&] { a = x.fetch_add(1, kRelaxed); }, [&] { b = x.fetch_add(1, kRelaxed); });
        observe(a);
        observe(b);
        observe(x.load(kRelaxed));
      },
      "012 102");
}

TEST_CASE("of two CASes one succeeds; one that fails may fail on an old value") {
  check_outcomes(
      [] {
        Atomic<int> x(0);
        bool a = false;
        bool b = false;
        together(
            [&] {
              int expected = 0;
              a = x.compare_exchange_strong(expected, 1, kRelaxed, kRelaxed);
            },
            [&] {
              int expected = 0;
              b = x.compare_exchange_strong(expected, 2, kRelaxed, kRelaxed);
            });
        observe(a);
        observe(b);
      },
      "01 10");
  check_outcomes(
      [] {
        Atomic<int> x(0);
        int expected = 2;
        together([&] { x.store(1, kRelaxed); },
                 [&] { x.compare_exchange_strong(expected, 3, kRelaxed, kRelaxed); });
        observe(expected);
      },
      "0 1");
}

// --- three and four threads ----------------------------------------------------------------------

TEST_CASE("independent reads of independent writes: readers may disagree, fences make them agree") {
  const std::string all =
      "0000 0001 0010 0011 0100 0101 0110 0111 1000 1001 1010 1011 1100 1101 1110 1111";
  check_outcomes(independent_reads(kRelease, kAcquire, nothing), all);
  std::string agree = all;
  agree.erase(agree.find("1010 "), 5);
  // unreduced: a million courses
  CHECK(outcomes(independent_reads(kRelaxed, kRelaxed, fence), true) == agree);
}

TEST_CASE("write to read causality: relaxed none, release and acquire hand on what was read") {
  check_outcomes(write_to_read_causality(kRelaxed, kRelaxed), "000 001 010 011 100 101 110 111");
  check_outcomes(write_to_read_causality(kRelease, kAcquire), "000 001 010 011 100 101 111");
}

TEST_CASE("read to write causality with fences: what a fenced reader saw, a later fence sees") {
  check_outcomes(reading<3>([](Words& w) { w.x.store(1, kRelaxed); },
                            [](Words& w) {
                              w.a = w.x.load(kRelaxed);
                              Machine::fence();
                              w.b = w.y.load(kRelaxed);
                            },
                            [](Words& w) {
                              w.y.store(1, kRelaxed);
                              Machine::fence();
                              w.c = w.x.load(kRelaxed);
                            }),
                 "000 001 010 011 101 110 111");  // not 100
}

TEST_CASE("load buffering is not modelled") {
  check_outcomes(reading<2>(
                     [](Words& w) {
                       w.a = w.x.load(kRelaxed);
                       w.y.store(1, kRelaxed);
                     },
                     [](Words& w) {
                       w.b = w.y.load(kRelaxed);
                       w.x.store(1, kRelaxed);
                     }),
                 "00 01 10");  // C++20 allows 11
}
