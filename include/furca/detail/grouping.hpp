// Grouping by key: what is done with the elements of blocks whose keys have numbers (keyed_blocks.hpp): they are counted, summed up, or put where their group is.
//
// Blocks depend on the size alone, and are taken from left to right wherever an order matters: groups have the range's order, and sums of floating-point numbers the same
// bits, for any number of threads.
// Checked by: tests/group_test.cpp
#pragma once

#include <furca/detail/config.hpp>

#include <furca/detail/collecting.hpp>
#include <furca/detail/elements.hpp>
#include <furca/detail/invoke.hpp>
#include <furca/detail/keyed_blocks.hpp>
#include <furca/detail/ranges.hpp>
#include <furca/detail/source_location.hpp>
#include <furca/detail/strips.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <vector>

namespace furca::detail {

/// Counts keys.
class Counting {
 public:
  /// `keys`: so many there are already.
  Counting(std::vector<std::size_t>& counts, std::size_t keys) : counts_(counts) {
    counts.resize(keys);
    to_ = counts.data();
  }

  void add() {
    counts_.push_back(0);
    to_ = counts_.data();
  }
  void operator()(std::size_t, std::uint32_t number) const noexcept { ++to_[number]; }
  void end() const noexcept {}

 private:
  std::vector<std::size_t>& counts_;
  std::size_t* to_;
};

/// Counts keys, and keeps each element's number.
class CountingNumbers : public Counting {
 public:
  CountingNumbers(std::vector<std::size_t>& counts, std::size_t keys, std::uint32_t* numbers) : Counting(counts, keys), numbers_(numbers) {}

  void operator()(std::size_t i, std::uint32_t number) const noexcept {
    numbers_[i] = number;
    Counting::operator()(i, number);
  }

 private:
  std::uint32_t* numbers_;
};

/// What a block's values come to, for each of its keys.
template <class V>
struct KeySums {
  struct Sum {
    V value;
  };
  std::vector<Sum> sums;
  std::vector<std::uint32_t> numbers;  // of their keys; none: 0, 1, ...
};

/// Sums up a block's values for each key. In a new table a key has its number's place among the sums. Else it has another one in each block: `places` says which,
/// from 1 on, and has a 0 for each key of the table before and after. Which of both it is depends
/// on the schedule, so value and op are compiled for both at once.
template <class V, class ValueOf, class Op>
class Summing {
 public:
  Summing(std::vector<std::uint32_t>& places, KeySums<V>& block, std::size_t keys, const ValueOf& value_of, Op& op)
      : block_(block), places_(places), new_table_(keys == 0), value_of_(value_of), op_(op) {
    if (!new_table_) places_.resize(keys);
    to_ = places_.data();
  }

  void add() {
    if (new_table_) return;
    places_.push_back(0);
    to_ = places_.data();
  }

  void operator()(std::size_t i, std::uint32_t number) {
    if (new_table_) {
      number == size_ ? begin(i) : combine(number, i);
    } else if (to_[number] == 0) [[unlikely]] {
      begin(i);
      block_.numbers.push_back(number);
      to_[number] = static_cast<std::uint32_t>(size_);
    } else {
      combine(to_[number] - 1, i);
    }
  }

  void end() {
    for (const std::uint32_t number : block_.numbers) to_[number] = 0;
  }

 private:
  FURCA_COMPILED_ONCE void begin(std::size_t i) {
    block_.sums.push_back({V(value_of_(i))});
    sums_ = block_.sums.data();
    ++size_;
  }

  FURCA_COMPILED_ONCE void combine(std::size_t place, std::size_t i) {
    V& sum = sums_[place].value;
    sum = static_cast<V>(detail::invoke(op_, std::move(sum), V(value_of_(i))));
  }

  KeySums<V>& block_;
  std::vector<std::uint32_t>& places_;
  typename KeySums<V>::Sum* sums_ = nullptr;
  std::uint32_t* to_ = nullptr;
  std::size_t size_ = 0;
  const bool new_table_;
  const ValueOf& value_of_;
  Op& op_;
};

/// Where each group begins among the values, and the end of all. Each block's counts become where its values of a key begin.
/// The blocks are taken in up to 16 parts, whose sums are only as many as the counts there are.
template <class Numbered>
std::vector<std::size_t> group_offsets(Numbered& groups, const SourceLocation& where) {
  constexpr std::size_t kMostParts = 16;
  const std::size_t keys = groups.keys().size();
  auto& blocks = groups.blocks();
  std::size_t counts = 0;
  for (const auto& block : blocks) counts += block.data.size();
  const std::size_t parts = std::clamp<std::size_t>(keys == 0 ? 0 : counts / keys, 1, kMostParts);
  const std::size_t length = (blocks.size() + parts - 1) / parts;
  std::vector<std::vector<std::size_t>> sums(parts);
  const auto add_up = [&blocks, &sums, keys, length](std::size_t lo, std::size_t hi) {
    std::vector<std::size_t> sum(keys);
    for (std::size_t b = lo; b < hi; ++b) {
      const std::uint32_t* const ranks = blocks[b].table->ranks.data();
      for (std::size_t i = 0; i < blocks[b].data.size(); ++i) sum[ranks[i]] += blocks[b].data[i];
    }
    sums[lo / length] = std::move(sum);
  };
  detail::for_blocks<"group_by">(0, blocks.size(), length, add_up, where);
  std::vector<std::size_t> offsets(keys + 1);
  std::size_t next = 0;
  for (std::size_t rank = 0; rank < keys; ++rank) {
    for (std::vector<std::size_t>& sum : sums) {
      if (!sum.empty()) next += std::exchange(sum[rank], next);
    }
    offsets[rank + 1] = next;
  }
  const auto place = [&blocks, &sums, length](std::size_t lo, std::size_t hi) {
    std::vector<std::size_t>& sum = sums[lo / length];
    for (std::size_t b = lo; b < hi; ++b) {
      const std::uint32_t* const ranks = blocks[b].table->ranks.data();
      for (std::size_t i = 0; i < blocks[b].data.size(); ++i) {
        std::size_t& begin = sum[ranks[i]];
        begin += std::exchange(blocks[b].data[i], begin);
      }
    }
  };
  detail::for_blocks<"group_by">(0, blocks.size(), length, place, where);
  return offsets;
}

/// The values at their places: numbers[i] is that of element i's key in its block's table, and the block's data are the places. `empty`: n values, if they can be made so.
template <class V, class Numbered, class Numbers, class ValueOf>
std::vector<V> placed_values(std::vector<V> empty, std::size_t n, Numbered& groups, const Numbers& numbers, const ValueOf& value_of, const SourceLocation& where) {
  if constexpr (kMadeEmpty<V>) {
    groups.each_block([&numbers, &value_of, to = empty.data()](auto& block, std::size_t lo, std::size_t hi) {
      std::size_t* const places = block.data.data();
      constexpr std::size_t kAhead = 16;  // the lines of that many elements come while others are written
      std::size_t i = lo;
      for (; hi - i > kAhead; ++i) {
        __builtin_prefetch(to + places[numbers[i + kAhead]], 1);
        to[places[numbers[i]]++] = value_of(i);
      }
      for (; i < hi; ++i) to[places[numbers[i]]++] = value_of(i);
    }, where);
    return empty;
  } else {
    std::vector<std::size_t> from(n);  // which element comes there
    groups.each_block([&numbers, to = from.data()](auto& block, std::size_t lo, std::size_t hi) {
      std::size_t* const places = block.data.data();
      for (std::size_t i = lo; i < hi; ++i) to[places[numbers[i]]++] = i;
    }, where);
    empty.reserve(n);
    for (const std::size_t i : from) empty.emplace_back(value_of(i));
    return empty;
  }
}

template <class R, class F>
using FunctionResult = std::invoke_result_t<F&, std::ranges::range_reference_t<R>>;

/// What a key or value function gives for an element, as map stores it.
template <class R, class F>
using FunctionValueOf = typename Stored<std::decay_t<FunctionResult<R, F>>, std::ranges::range_reference_t<R>>::type;

/// It is in an element that stays.
template <class R, class F>
inline constexpr bool kStays = std::is_lvalue_reference_v<FunctionResult<R, F>> && std::is_lvalue_reference_v<std::ranges::range_reference_t<R>> &&
                               std::is_same_v<std::decay_t<FunctionResult<R, F>>, FunctionValueOf<R, F>>;

/// Values can be made of what a function gives: those that stay are copied.
template <class F, class R>
concept GivesValues = std::move_constructible<FunctionValueOf<R, F>> && std::convertible_to<FunctionResult<R, F>, FunctionValueOf<R, F>>;

/// Or, where group_by makes places first, assigned.
template <class F, class R>
concept GivesToPlaces = GivesValues<F, R> && (!kMadeEmpty<FunctionValueOf<R, F>> || !kStays<R, F> ||
                                              std::is_assignable_v<FunctionValueOf<R, F>&, FunctionResult<R, F>>);

/// f(element i).
template <LoopRange R, class F>
struct FunctionOfElement {
  ProjectedElements<R, F> all;

  FunctionOfElement(R& range, F& f) : all{Elements<R>(range), f} {}
  std::conditional_t<kStays<R, F>, FunctionResult<R, F>, FunctionValueOf<R, F>> operator()(std::size_t i) const {
    return detail::invoke(all.proj, all.elements[i]);
  }
};

/// A histogram of so few bins has several tables for each thread: equal neighbours do not wait for each other's counts then. Whole cache lines apart, and not at
/// addresses that are alike in their last bits, which some processors take for equal at first.
inline constexpr std::size_t kFewBins = 256;
inline constexpr std::size_t kWays = 4;
inline constexpr std::size_t kWayLength = kFewBins + 8;

/// Says what is wrong.
[[noreturn]] FURCA_COLD inline void refuse_index() { throw std::out_of_range("furca: an index of a histogram is not below the number of bins"); }

/// Counts elements at positions, in `ways` tables.
template <std::size_t ways, class At>
void count_into(std::size_t* counts, std::size_t bins, std::size_t lo, std::size_t hi, const At& position_of) {
  using Index = std::decay_t<decltype(position_of(lo))>;
  const At position = position_of;
  const auto add = [counts, bins, &position](std::size_t way, std::size_t i) {
    const Index index = position(i);
    const auto at = static_cast<std::size_t>(index);  // a position may have more bits
    if (at >= bins || static_cast<Index>(at) != index) [[unlikely]] refuse_index();
    ++counts[way * kWayLength + at];
  };
  std::size_t i = lo;
  for (; hi - i >= 4; i += 4) {
    add(0, i);
    add(1 % ways, i + 1);
    add(2 % ways, i + 2);
    add(3 % ways, i + 3);
  }
  for (; i < hi; ++i) add(0, i);
}

}  // namespace furca::detail
