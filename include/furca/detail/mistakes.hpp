// What answers a call that nothing fits: one sentence that says what to write instead. For loops and reductions: loop_mistakes.hpp, reduce_mistakes.hpp.
#pragma once

// Beside a function with constraints stands an overload with less of them, whose body is a static_assert. A right call fits both, and takes the function
// itself, which is the more specialised or the more constrained of the two; a wrong call fits this one alone, and the sentence is the first error there
// is. So public headers say what works, and these what does not. A `requires` that asks whether a call compiles gets yes: ask the concepts.
//
// What traits and `requires` do ask about, whether a class is copied, made of a number, or has get(), must be no for them, and a static_assert in a body comes too
// late for that: FURCA_REFUSES.
// Checked by: tests/compile_fail, with g++ and clang; tests/spawn_test.cpp and tests/thread_pool_test.cpp (traits)

#include <furca/detail/config.hpp>

#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>

/// A member that is not there for traits, and a sentence for whoever calls it: FURCA_REFUSES("furca: ...", class Self = T, Self get() const);
/// `= delete` takes words in C++26 only. Until then g++ prints the template arguments of a deleted function, so the sentence is one of them. clang does not; but it
/// prints why a function is unavailable, and traits see that it is. With g++ they do not.
/// A template, for then it is never a copy constructor: clang would not delete the copy of a class with such a member. So delete the copy constructor, too.
#if defined(__clang__)
#define FURCA_REFUSES(sentence, parameter, function) \
  template <parameter>                               \
  __attribute__((unavailable(sentence))) function
#else
#define FURCA_REFUSES(sentence, parameter, function)             \
  template <parameter, class = ::furca::detail::Says<sentence>> \
  function = delete
#endif

namespace furca {

template <class T>
class Task;

namespace detail {

/// A sentence as a type, in which g++ prints it.
template <std::size_t N>
struct Sentence {
  consteval Sentence(const char (&literal)[N]) noexcept {
    for (std::size_t i = 0; i < N; ++i) text[i] = literal[i];
  }

  char text[N] = {};
};
template <Sentence sentence>
struct Says {};

/// False, once it is known what `Types` are; compilers show them beside the sentence.
template <class... Types>
inline constexpr bool kFits = false;

/// What a wrong call returns where the right one would return something, so that there are no more errors. The return types are `auto`, for then g++ looks into
/// the function at once, and not when it has read to the end.
struct Anything {
  template <class T>
  operator T() const;
  Anything join() const;
  Anything operator*() const;
  Anything& operator++();
  Anything begin() const;
  Anything end() const;
  friend Anything operator-(Anything, const auto&);
  friend bool operator==(Anything, const auto&);
  friend int operator<=>(Anything, const auto&);
};

/// A T for a program that does not compile.
template <class T>
T made_up();

/// What an arm of a join gives to the results: nothing if it returns nothing.
template <class Arm>
auto part_of_results() {
  if constexpr (!std::is_invocable_v<Arm>) {
    return std::tuple<Anything>();
  } else if constexpr (std::is_void_v<std::invoke_result_t<Arm>>) {
    return std::tuple<>();
  } else {
    return detail::made_up<std::tuple<std::invoke_result_t<Arm>>>();
  }
}

/// What furca::spawn returns: nothing to wait with. Returned by reference, so that `auto task = spawn(f)` is a copy, and a copy has something to say.
class Detached {
 public:
  constexpr Detached() = default;

  FURCA_REFUSES("furca: spawn(f) starts a task that nobody waits for, and returns no handle: write spawn_task(f) to have one", std::same_as<Detached> Same, Detached(Same&));
  FURCA_REFUSES("furca: spawn(f) starts a task that nobody waits for, and returns no handle: write spawn_task(f) to have one", class T, operator Task<T>() const);
  FURCA_REFUSES("furca: spawn(f) starts a task that nobody waits for, and returns no handle: write spawn_task(f) to have one", class T = Anything, T join() const);
};

inline constinit Detached detached;

/// What a pool has not: calls run on the pool that their caller is in.
class NotOfPools {
 public:
  template <class... Arguments>
  auto install(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: install calls f without arguments: write pool.install([&] { return f(x); })");
    return Anything();
  }

  template <class... Arguments>
  auto spawn(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a task is called without arguments: write pool.spawn([f, x] { f(x); })");
    return Anything();
  }

  template <class... Arguments>
  auto spawn_task(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a task is called without arguments: write pool.spawn_task([f, x] { return f(x); })");
    return Anything();
  }

  template <class... Arguments>
  void parallel_for(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a pool has no loops of its own: write pool.install([&] { furca::parallel_for(...); })");
  }

  template <class... Arguments>
  void parallel_for_chunks(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a pool has no loops of its own: write pool.install([&] { furca::parallel_for_chunks(...); })");
  }

  template <class... Arguments>
  auto parallel_reduce(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a pool has no reductions of its own: write pool.install([&] { return furca::parallel_reduce(...); })");
    return Anything();
  }

  template <class... Arguments>
  auto parallel_reduce_chunks(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a pool has no reductions of its own: write pool.install([&] { return furca::parallel_reduce_chunks(...); })");
    return Anything();
  }

  template <class... Arguments>
  auto join(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a pool has no join of its own: write pool.install([&] { return furca::join(...); })");
    return Anything();
  }

  template <class... Arguments>
  auto scope(Arguments&&...) {
    static_assert(kFits<Arguments...>, "furca: a pool has no scopes of its own: write pool.install([&] { furca::scope(...); })");
    return Anything();
  }
};

}  // namespace detail

/// @cond
template <class... Arms>
auto join(Arms&&...) {
  if constexpr (sizeof...(Arms) < 2) {
    static_assert(detail::kFits<Arms...>,
                  "furca: join takes two arms or more: write f() for one, and for as many as a container holds parallel_for(arms, [](auto& arm) { "
                  "arm(); })");
    return detail::Anything();
  } else if constexpr ((std::is_invocable_v<Arms> && ...)) {
    static_assert(detail::kFits<Arms...>, "furca: what an arm of a join returns is moved to the caller: return something that can be moved, or a "
                                          "pointer to it");
    return detail::Anything();
  } else {
    static_assert(detail::kFits<Arms...>, "furca: an arm of a join is something to call, without arguments: write join([&] { return f(x); }, [&] { "
                                          "return g(y); })");
    return std::tuple_cat(detail::part_of_results<Arms>()...);
  }
}

template <class... Arguments>
auto broadcast(Arguments&&...) {
  static_assert(detail::kFits<Arguments...>, "furca: broadcast calls f without arguments on every thread: write broadcast([&] { f(x); })");
  return detail::Anything();
}
/// @endcond

}  // namespace furca
