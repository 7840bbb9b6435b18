// Sentences for wrong calls of members, and of members that are not there.
#pragma once

// What traits ask about, whether a class is copied or has get(), must be no for them:
// FURCA_REFUSES.
// Checked by: tests/compile_fail; tests/tasks/spawn_test.cpp and tests/pool/thread_pool_test.cpp
// (traits)

#include <furca/detail/mistakes/mistakes.hpp>

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

using Result_static_auto = Anything;

}  // namespace furca::detail

/// A sentence, or as long as `header` is missing a hint at it. Static, so that it is const, too.
#define FURCA_static_auto FURCA_TOLD_NO_TYPE static auto
#define FURCA_MEMBER_SAYS(name, header, sentence)      \
  FURCA_HINTS_TO(static_auto, name, header, FURCA_ANY) \
  FURCA_SAYS_TO(static_auto, name, sentence, FURCA_ANY)
