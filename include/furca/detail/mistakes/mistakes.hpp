// A sentence for each wrong call: what to write instead, or which header to include.
#pragma once

// Beside each public function stands a template of the same name that takes whatever it is given,
// `{}` too. Each of its arguments takes a conversion by a constructor, so whatever else fits,
// here, in std or in the program, fits better. Its body is a static_assert, the first error there
// is. Every public header brings hints.hpp, which tells of each function whose header is missing;
// the header itself says by FURCA_DECLARES that it is there. Calls that would be wrong in silence,
// if they compiled, have sentences of their own: silent_mistakes.hpp.
//
// A `requires` that asks whether a call compiles gets this error: ask the concepts. What traits do
// ask about, whether a class is copied or has get(), must be no for them: FURCA_REFUSES.
//
// [Rejected] concepts alone: 20 to 60 lines about constraints, and none says what to do. `= delete`
// for all: it takes no words before C++26. A static_assert in the function itself: the errors that
// it should prevent follow it. A sentence for each mistake: 179 of them.
// Checked by: tests/compile_fail, with g++ and clang; tests/algorithms/lookup_test.cpp;
// tests/tasks/spawn_test.cpp and tests/pool/thread_pool_test.cpp (traits)

#include <furca/detail/base/config.hpp>

#include <furca/detail/base/literal.hpp>

/// A member that is not there for traits, and a sentence for whoever calls it:
/// FURCA_REFUSES("furca: ...", class Self = T, Self get() const);
/// g++ prints the template arguments of a deleted function, clang why one is unavailable. A
/// template is never a copy constructor: so delete that, too.
#if defined(__clang__) && !defined(FURCA_CL)
#define FURCA_REFUSES(sentence, parameter, function) \
  template <parameter>                               \
  __attribute__((unavailable(sentence))) function
#else
#define FURCA_REFUSES(sentence, parameter, function)            \
  template <parameter, class = ::furca::detail::Says<sentence>> \
  function = delete
#endif

namespace furca::detail {

/// A sentence as a type, in which g++ prints it.
template <Literal sentence>
struct Says {};

/// False, once it is known what `Types` are; compilers show them beside the sentence.
template <class... Types>
inline constexpr bool kFits = false;

/// Whether a header, by its name, has been included before the call.
template <Literal kHeader, class T>
inline constexpr bool kDeclared = false;

/// Elements that share bytes: as headers of algorithms tell it (silent_mistakes.hpp).
template <class R>
inline constexpr bool kRangeOfBits = false;

/// The value of a wrong call where the right one would return something, so that there are no more
/// errors.
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
using Result_static_auto = Anything;
using Result_typed_auto = Anything;
using Result_void = void;

/// Any argument: a value, or braces.
struct Any {
  Any() = default;
  template <class... T>
  Any(const T&...) {}
};

/// The same where braces are options, which NamedOptions takes: a value, or values in braces.
struct AnyValue {
  template <class T, class... More>
  AnyValue(const T&, const More&...) {}
};

/// Options in braces, of names that there are and of others that people try first.
struct NamedOptions {
  struct Unnamed {
    explicit Unnamed() = default;
  };
  Unnamed unnamed = Unnamed();  // {64} is no NamedOptions
  Any grain, stop, progress, tree, affinity, cancel, chunk, chunk_size, chunks, grain_size,
      grainsize, max_threads, min_chunk, name, num_threads, partitioner, policy, pool, priority,
      schedule, step, stop_token, thread_count, threads, token, workers;
};

}  // namespace furca::detail

/// Says in a public header that its functions are there.
#define FURCA_DECLARES(header) \
  template <class T>           \
  inline constexpr bool ::furca::detail::kDeclared<#header, T> = true

/// A template `name` for wrong calls, with the parameters that follow the sentence. The result is
/// `auto`, for then g++ looks into the function at once, or void, as that of the loops. The
/// argument in <> is no type, but for functions that are told one, as collect<T>(...): so
/// min<std::string>("a", "b") is std's, and &partial.combine<std::plus<>> the member's.
// tests: a type of its own for each call, for compilers tell each but once
#if !defined(FURCA_TOLD)
#define FURCA_TOLD void
#endif
#define FURCA_TOLD_NO_TYPE \
  template <auto kTold = static_cast<FURCA_TOLD*>(nullptr), class Told = decltype(kTold)>
#define FURCA_auto FURCA_TOLD_NO_TYPE auto
#define FURCA_void FURCA_TOLD_NO_TYPE void
#define FURCA_static_auto FURCA_TOLD_NO_TYPE static auto
#define FURCA_typed_auto             \
  template <class Told = FURCA_TOLD> \
  auto
#define FURCA_SAYS_TO(result, name, sentence, ...)                   \
  FURCA_##result name(__VA_ARGS__) {                                 \
    static_assert(::furca::detail::kFits<Told>, "furca: " sentence); \
    return ::furca::detail::Result_##result();                       \
  }

/// The same, as long as the header is missing; it fits better than the sentence.
#define FURCA_HINTS_TO(result, name, header, ...)                                \
  FURCA_##result name(__VA_ARGS__)                                               \
    requires(!::furca::detail::kDeclared<#header, Told>)                         \
  {                                                                              \
    static_assert(::furca::detail::kFits<Told>,                                  \
                  "furca: " #name " is in <furca/" #header ".hpp>: include it"); \
    return ::furca::detail::Result_##result();                                   \
  }

/// Eight arguments, or more, if these are plain values.
#define FURCA_ANY                                                                  \
  ::furca::detail::Any = {}, ::furca::detail::Any = {}, ::furca::detail::Any = {}, \
  ::furca::detail::Any = {}, ::furca::detail::Any = {}, ::furca::detail::Any = {}, \
  ::furca::detail::Any = {}, ::furca::detail::Any = {}, ...

/// Of a function without options, or of one that may be told a type; a member is static, so that it
/// is const, too.
#define FURCA_SAYS(name, sentence) FURCA_SAYS_TO(auto, name, sentence, FURCA_ANY)
#define FURCA_SAYS_OF_TYPE(name, sentence) FURCA_SAYS_TO(typed_auto, name, sentence, FURCA_ANY)
#define FURCA_MEMBER_SAYS(name, header, sentence)      \
  FURCA_HINTS_TO(static_auto, name, header, FURCA_ANY) \
  FURCA_SAYS_TO(static_auto, name, sentence, FURCA_ANY)

/// Two parameters.
#define FURCA_ANY_OF(first, second) ::furca::detail::first, ::furca::detail::second

/// Of a function whose third, fourth, fifth or sixth argument is options.
#define FURCA_OF_OPTIONS(to, result, name, says)                                              \
  to(result, name, says, FURCA_ANY_OF(Any = {}, Any = {}), ::furca::detail::AnyValue = 0)     \
      to(result, name, says, FURCA_ANY_OF(Any, Any), FURCA_ANY_OF(Any, AnyValue),             \
         FURCA_ANY_OF(AnyValue = 0, AnyValue = 0), ...)                                       \
          to(result, name, says, FURCA_ANY_OF(Any, Any), ::furca::detail::NamedOptions)       \
              to(result, name, says, FURCA_ANY_OF(Any, Any), FURCA_ANY_OF(Any, NamedOptions)) \
                  to(result, name, says, FURCA_ANY_OF(Any, Any), FURCA_ANY_OF(Any, Any),      \
                     ::furca::detail::NamedOptions)                                           \
                      to(result, name, says, FURCA_ANY_OF(Any, Any), FURCA_ANY_OF(Any, Any),  \
                         FURCA_ANY_OF(Any, NamedOptions))
#define FURCA_SAYS_OF_OPTIONS(result, name, sentence) \
  FURCA_OF_OPTIONS(FURCA_SAYS_TO, result, name, sentence)
#define FURCA_HINTS_OF_OPTIONS(result, name, header) \
  FURCA_OF_OPTIONS(FURCA_HINTS_TO, result, name, header)

/// Of a scope: its second argument is options.
#define FURCA_OF_SCOPE(to, name, says)                                                           \
  to(auto, name, says, ::furca::detail::Any = {}, FURCA_ANY_OF(AnyValue = 0, AnyValue = 0), ...) \
      to(auto, name, says, FURCA_ANY_OF(Any, NamedOptions))
#define FURCA_SAYS_OF_SCOPE(name, sentence) FURCA_OF_SCOPE(FURCA_SAYS_TO, name, sentence)
#define FURCA_HINTS_OF_SCOPE(name, header) FURCA_OF_SCOPE(FURCA_HINTS_TO, name, header)

/// Parts that sentences have in common.
#define FURCA_RANGE "; v is one range, as a std::vector, or std::span(first, last) for a part"
#define FURCA_LOOP_OPTIONS                                                                      \
  "; options stand behind: {.grain = 64, .stop = token, .progress = &progress}; a ThreadLimit " \
  "or a ThreadPool sets the number of threads"
#define FURCA_REDUCE_OPTIONS FURCA_LOOP_OPTIONS ", and .tree how sums are combined"
