#pragma once

#include "../registry.hpp"

#include <furca/furca.hpp>

#include <utility>

namespace bench {

struct Furca {
  inline static const Contender kContender{"furca", "furca", false, [](unsigned threads, const std::function<void()>& f) {
                                             furca::ThreadPool({.threads = threads}).install(f);
                                           }};
  static constexpr bool kForksOnly = false;

  template <class A, class B>
  static auto join(A&& a, B&& b) {
    return furca::join(std::forward<A>(a), std::forward<B>(b));
  }

  template <class F>
  static void loop(std::size_t n, F&& body) {
    furca::parallel_for(std::size_t{0}, n, body);
  }

  template <class T, class Map, class Op>
  static T reduce(std::size_t n, T identity, Map&& map, Op&& op) {
    return furca::parallel_reduce(std::size_t{0}, n, std::move(identity), map, op);
  }
};

}  // namespace bench
