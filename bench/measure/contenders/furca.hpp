#pragma once

#include "../registry.hpp"

#include <furca/furca.hpp>

#include <utility>

namespace bench {

struct Furca {
  inline static const Contender kContender{"furca", "furca", false,
                                           [](unsigned threads, const std::function<void()>& f) {
                                             furca::ThreadPool({.threads = threads}).install(f);
                                           }};
  static constexpr Operations kOffers = kJoin | kSpawn | kFineForks | kLoop | kReduce;

  template <class A, class B>
  static decltype(auto) join(A&& a, B&& b) {
    return furca::join(std::forward<A>(a), std::forward<B>(b));
  }

  /// Halves the children by joins: what one writes with furca for a number that is not known
  /// beforehand.
  template <class F>
  static void spawn(std::size_t n, F&& body) {
    if (n > 0) spawn_range(0, n, body);
  }

  template <class F>
  static void loop(std::size_t n, F&& body) {
    furca::parallel_for(std::size_t{0}, n, body);
  }

  template <class T, class Map, class Op>
  static T reduce(std::size_t n, T identity, Map&& map, Op&& op) {
    return furca::parallel_reduce(std::size_t{0}, n, std::move(identity), map, op);
  }

 private:
  template <class F>
  static void spawn_range(std::size_t first, std::size_t last, F& body) {
    if (last - first == 1) {
      body(first);
      return;
    }
    const std::size_t middle = first + (last - first) / 2;
    furca::join([&, first, middle] { spawn_range(first, middle, body); },
                [&, middle, last] { spawn_range(middle, last, body); });
  }
};

}  // namespace bench
