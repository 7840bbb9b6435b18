// Iterators as loops over elements take them: older ones, too, which are none for C++20.
#pragma once

#include "../version.h"

#include <iterator>
#include <type_traits>

namespace tbb::detail {

template <class I>
concept Iterator = requires { typename std::iterator_traits<I>::iterator_category; };

template <class I, class Category>
inline constexpr bool kOfCategory =
    std::is_base_of_v<Category, typename std::iterator_traits<I>::iterator_category>;
template <class I>
inline constexpr bool kRandomAccess = kOfCategory<I, std::random_access_iterator_tag>;

}  // namespace tbb::detail
