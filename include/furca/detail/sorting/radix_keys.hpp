// The integers that elements are sorted by (radix_sort.hpp), as numbers in the order of keys.
#pragma once

#include <furca/detail/algorithms/extremes.hpp>
#include <furca/detail/sorting/merge_sort.hpp>

#include <array>
#include <bit>

namespace furca::detail {

template <class T, class Proj>
using RadixKey = std::remove_cvref_t<std::invoke_result_t<Proj&, T&>>;

/// Ranges that are sorted without comparisons, by elements or by a member of them: a projection
/// that might count its calls is called as often as was said.
template <class T, class Comp, class Proj>
concept SortedByRadix =
    kSortedByCopies<T*> &&
    (std::is_same_v<Proj, std::identity> || std::is_member_object_pointer_v<Proj>) &&
    std::integral<RadixKey<T, Proj>> && sizeof(RadixKey<T, Proj>) <= 8 &&
    (kRises<Comp, RadixKey<T, Proj>> || kFalls<Comp, RadixKey<T, Proj>>);

template <class T, class Comp, class Proj>
class RadixKeys {
 protected:
  using Key = RadixKey<T, Proj>;
  // in the order of keys
  using Number = std::conditional_t<sizeof(Key) <= 4, std::uint32_t, std::uint64_t>;
  static constexpr std::size_t kSome = 32;
  static constexpr std::size_t kPairs = kSome * (kSome - 1);

  explicit RadixKeys(Proj& proj) : proj_(proj) {}

  Number number_of(const T& element) const {
    constexpr Number kFlipped =
        std::is_signed_v<Key> ? Number{1} << (8 * sizeof(Number) - 1) : Number{0};
    const auto number = static_cast<Number>(
        static_cast<Number>(static_cast<Key>(detail::invoke(proj_, element))) ^ kFlipped);
    return kFalls<Comp, Key> ? static_cast<Number>(~number) : number;
  }

  /// The least and the greatest number, by two chains of comparisons each: a step waits for the one
  /// before it.
  std::pair<Number, Number> limits(const T* x, std::size_t n) const {
    std::array<Number, 2> least;
    std::array<Number, 2> most;
    least.fill(number_of(x[0]));
    most.fill(number_of(x[0]));
    for (std::size_t i = n % 2; i < n; i += 2) {
      for (std::size_t k = 0; k < 2; ++k) {
        const Number number = number_of(x[i + k]);
        least[k] = std::min(least[k], number);
        most[k] = std::max(most[k], number);
      }
    }
    return {std::min(least[0], least[1]), std::max(most[0], most[1])};
  }

  static int bits_of(Number number) noexcept { return static_cast<int>(std::bit_width(number)); }

  /// Numbers of some elements from all over a part.
  struct Sample {
    std::array<Number, kSome> numbers;
    Number least;
    int bits;  // that they differ in

    /// Of all pairs, each in both orders: those that are alike in all bits but the last `rest`, of
    /// 32.
    std::size_t pairs_alike(Number base, int rest) const {
      std::array<std::uint32_t, kSome> leading;
      for (std::size_t i = 0; i < kSome; ++i)
        leading[i] = static_cast<std::uint32_t>(static_cast<Number>(numbers[i] - base) >> rest);
      std::uint32_t alike = 0;
      for (const std::uint32_t one : leading) {
        for (std::size_t i = 0; i < kSome; ++i) alike += leading[i] == one ? 1U : 0U;
      }
      return alike - kSome;
    }
  };
  Sample sample(const T* x, std::size_t n) const {
    Sample some;
    for (std::size_t i = 0; i < kSome; ++i)
      some.numbers[i] = number_of(x[n / kSome * i + i % (n / kSome)]);
    Number most = some.least = some.numbers[0];
    for (const Number number : some.numbers) {
      some.least = std::min(some.least, number);
      most = std::max(most, number);
    }
    some.bits = bits_of(static_cast<Number>(most - some.least));
    return some;
  }

 private:
  Held<Proj, const T&> proj_;
};

}  // namespace furca::detail
