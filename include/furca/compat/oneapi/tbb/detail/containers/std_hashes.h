// Hashes of pairs and of strings of any kind in namespace std, for a program that asks for them by
// TBB_DEFINE_STD_HASH_SPECIALIZATIONS, as oneTBB has them.
#pragma once

#if defined(TBB_DEFINE_STD_HASH_SPECIALIZATIONS) && TBB_DEFINE_STD_HASH_SPECIALIZATIONS

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>

template <class First, class Second>
struct std::hash<std::pair<First, Second>> {
  std::size_t operator()(const std::pair<First, Second>& pair) const {
    constexpr auto kOdd = static_cast<std::size_t>(0x9E3779B97F4A7C15U);
    return std::hash<First>()(pair.first) * kOdd + std::hash<Second>()(pair.second);
  }
};

#if !defined(_LIBCPP_VERSION)  // which has them
template <class Char, class Traits, class Allocator>
struct std::hash<std::basic_string<Char, Traits, Allocator>> {
  std::size_t operator()(const std::basic_string<Char, Traits, Allocator>& string) const {
    return std::hash<std::basic_string_view<Char>>()({string.data(), string.size()});
  }
};
#endif

#endif
