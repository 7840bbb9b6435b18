// What furca needs of <ranges> and <iterator>: concepts, and the types of ranges, of their parts and of iterators. Not views, nor iterators over streams: with g++ 12
// these take as long to compile as all of furca's loops.
//
// <algorithm> needs the same in its own declarations. So with libstdc++, where this was seen to be so, they are taken from there, and elsewhere from <ranges>.
#pragma once

#include <furca/detail/config.hpp>

#if defined(__GLIBCXX__)
#include <algorithm>
#else
#include <iterator>
#include <ranges>
#endif
