// A sentence for a wrong call, which says what to write instead.
#pragma once

// Beside each public function stands a template of the same name that takes whatever it is given,
// `{}` too. It converts each argument by a constructor, so whatever else fits, fits better. Its
// body is a static_assert, the first error there is. A `requires` that asks whether a call compiles
// gets this error: ask the concepts.
// Checked by: tests/compile_fail, with g++ and clang; tests/algorithms/lookup_test.cpp

#include <furca/detail/base/source_location.hpp>

namespace furca::detail {

/// False, once it is known what `Types` are, which compilers show beside the sentence.
template <class... Types>
inline constexpr bool kFits = false;

/// Whether a header, by its name, has been included before the call.
template <Literal kHeader, class T>
inline constexpr bool kDeclared = false;

/// What a wrong call returns, so that there are no more errors.
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
};
using Result_auto = Anything;
using Result_typed_auto = Anything;
using Result_void = void;

/// An argument: a value, or braces.
struct Any {
  Any() = default;
  template <class... T>
  Any(const T&...) {}
};

}  // namespace furca::detail

/// Says in a public header that its functions are there.
#define FURCA_DECLARES(header) \
  template <class T>           \
  inline constexpr bool ::furca::detail::kDeclared<#header, T> = true

/// A template `name` for wrong calls, with the parameters behind the sentence. Its result is
/// `auto`, for then g++ looks into it at once, or void, as that of the loops. What is told in <> is
/// no type, but for functions as collect<T>(...): so min<std::string>("a", "b") is std's. Tests
/// define FURCA_TOLD: a type of its own for each call, for compilers tell each but once.
#if !defined(FURCA_TOLD)
#define FURCA_TOLD void
#endif
#define FURCA_TOLD_NO_TYPE \
  template <auto kTold = static_cast<FURCA_TOLD*>(nullptr), class Told = decltype(kTold)>
#define FURCA_auto FURCA_TOLD_NO_TYPE auto
#define FURCA_void FURCA_TOLD_NO_TYPE void
#define FURCA_typed_auto             \
  template <class Told = FURCA_TOLD> \
  auto
#define FURCA_TELLS(result, sentence)                                \
  {                                                                  \
    static_assert(::furca::detail::kFits<Told>, "furca: " sentence); \
    return ::furca::detail::Result_##result();                       \
  }
#define FURCA_SAYS_TO(result, name, sentence, ...) \
  FURCA_##result name(__VA_ARGS__) FURCA_TELLS(result, sentence)

/// Eight arguments, or more, if these are plain values.
#define FURCA_ANY FURCA_ANY_FOUR, FURCA_ANY_FOUR, ...
#define FURCA_ANY_FOUR FURCA_ANY_OF(Any = {}, Any = {}), FURCA_ANY_OF(Any = {}, Any = {})
#define FURCA_ANY_OF(first, second) ::furca::detail::first, ::furca::detail::second

/// Of a function without options.
#define FURCA_SAYS(name, sentence) FURCA_SAYS_TO(auto, name, sentence, FURCA_ANY)
