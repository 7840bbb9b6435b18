// The headers that nearly every algorithm is written with. Each has them by way of another one's
// header, or includes this, and names what else it needs.
#pragma once

#include <furca/detail/algorithms/elements.hpp>
#include <furca/detail/base/invoke.hpp>
#include <furca/detail/base/memory.hpp>
#include <furca/detail/base/ranges.hpp>
#include <furca/detail/base/source_location.hpp>
#include <furca/detail/loop/index_range.hpp>
#include <furca/detail/loop/loop.hpp>
#include <furca/detail/mistakes/sentences.hpp>
#include <furca/detail/mistakes/silent_mistakes.hpp>
#include <furca/options.hpp>
#include <furca/parallel_for.hpp>

#include <algorithm>
#include <concepts>
#include <span>
#include <tuple>
#include <vector>
