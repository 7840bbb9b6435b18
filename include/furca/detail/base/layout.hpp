// Types that a program and the library lay out alike, whatever macros of libstdc++ each has.
#pragma once

#include <furca/detail/base/config.hpp>

#include <cstddef>

/// Marks a type whose layout depends on macros of libstdc++. Under another name, its functions are
/// not taken for those of the library's own type when both are linked.
#if defined(_GLIBCXX_DEBUG) && defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define FURCA_LAYOUT [[gnu::abi_tag("debug", "cxx98")]]
#elif defined(_GLIBCXX_DEBUG)
#define FURCA_LAYOUT [[gnu::abi_tag("debug")]]
#elif defined(_GLIBCXX_USE_CXX11_ABI) && !_GLIBCXX_USE_CXX11_ABI
#define FURCA_LAYOUT [[gnu::abi_tag("cxx98")]]
#else
#define FURCA_LAYOUT
#endif
