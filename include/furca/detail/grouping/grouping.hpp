// Grouping by key: what is done with elements whose keys have numbers (keyed_parts.hpp). They are
// counted, summed up, or put where their group is.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/grouping/element_functions.hpp>
#include <furca/detail/grouping/key_numbers.hpp>
#include <furca/detail/grouping/keyed_entries.hpp>
#include <furca/detail/grouping/scattered.hpp>

#include <exception>
#include <numeric>

namespace furca::detail {

/// Puts elements in an order. Those behind the end are empty.
template <class T>
void arrange(std::vector<T>& all, const std::vector<std::uint32_t>& order) {
  std::vector<T> arranged;
  arranged.reserve(order.size());
  for (const std::uint32_t i : order) {
    if constexpr (std::is_default_constructible_v<T>) {
      arranged.push_back(i < all.size() ? std::move(all[i]) : T());
    } else {
      arranged.push_back(std::move(all[i]));
    }
  }
  all.swap(arranged);
}

/// Counts the elements of each key.
class FURCA_API Counting {
 public:
  static constexpr bool kMadeEmpty = true;
  static constexpr bool kGoesOn = true;  // in another block: the counts are the same
  static constexpr bool kOrdered = false;
  static constexpr bool kPlaces = false;
  struct Contribution {};

  void reserve(std::size_t keys) { counts_.reserve(keys); }
  /// Of so many keys, of which it has none yet.
  void make_empty(std::size_t keys);
  void arrange(const std::vector<std::uint32_t>& order);
  bool has(std::uint32_t number) const noexcept { return to_[number] > 0; }
  static Counting part_of(Counting& block) { return std::move(block); }
  void add() {
    counts_.push_back(0);
    to_ = counts_.data();
  }
  void operator()(std::size_t, std::uint32_t number) const noexcept { ++to_[number]; }
  void first(std::size_t, std::uint32_t number) const noexcept { ++to_[number]; }
  void pass(std::size_t) const noexcept {}
  Contribution contribution(std::size_t) const noexcept { return {}; }
  void merge(std::uint32_t number, Contribution, std::size_t) const noexcept { ++to_[number]; }
  void merge(std::uint32_t number, const Counting& block, std::uint32_t there) const noexcept {
    to_[number] += block.to_[there];
  }

  /// They may be made places.
  std::size_t& operator[](std::uint32_t number) const noexcept { return to_[number]; }

 protected:
  std::vector<std::size_t> counts_;
  std::size_t* to_ = nullptr;
};

/// Counts them, and keeps each element's number: in the block, and of those in the list in the
/// part.
class Numbering : public Counting {
 public:
  static constexpr bool kGoesOn = false;
  static constexpr bool kPlaces = true;
  Numbering() = default;
  Numbering(std::uint32_t* numbers, std::uint32_t* listed) noexcept
      : numbers_(numbers), listed_(listed) {}

  void operator()(std::size_t i, std::uint32_t number) const noexcept {
    numbers_[i] = number;
    ++to_[number];
  }
  void first(std::size_t i, std::uint32_t number) const noexcept { (*this)(i, number); }
  void pass(std::size_t i) const noexcept { numbers_[i] = kNoNumber; }
  void arrange_back(const std::vector<std::uint32_t>& order) {
    std::vector<std::size_t> counts(order.size());
    for (std::size_t i = 0; i < order.size(); ++i) counts[order[i]] = counts_[i];
    counts_.swap(counts);
    to_ = counts_.data();
  }

 protected:
  void listed(std::uint32_t number, std::size_t at) const noexcept {
    listed_[at] = number;
    ++to_[number];
  }

 private:
  std::uint32_t* numbers_ = nullptr;
  std::uint32_t* listed_ = nullptr;
};

/// The list's share of elements that are put where their group is: their values, if they are
/// copied there without anybody's notice, or else which elements of the block they are. A part
/// reads elements all over the range.
template <class V, class ValueOf, bool kValues>
class Placing : public Numbering {
 public:
  using Contribution = std::conditional_t<kValues, V, std::uint32_t>;

  Placing() = default;
  Placing(const ValueOf& value_of, std::size_t first, std::uint32_t* numbers,
          std::uint32_t* listed) noexcept
      : Numbering(numbers, listed), value_of_(std::addressof(value_of)), first_(first) {}

  static Placing part_of(const Placing& block) {
    Placing part = block;  // whose own counts become places
    part.to_ = part.counts_.data();
    return part;
  }
  Contribution contribution(std::size_t i) const {
    if constexpr (kValues) {
      return (*value_of_)(i);
    } else {
      return static_cast<std::uint32_t>(i - first_);
    }
  }
  using Counting::merge;
  void merge(std::uint32_t number, const Contribution&, std::size_t at) const noexcept {
    this->listed(number, at);
  }

 private:
  const ValueOf* value_of_ = nullptr;
  std::size_t first_ = 0;
};

/// Sums up the values of each key.
template <class V, class ValueOf, class Op>
class Summing {
 public:
  static constexpr bool kMadeEmpty = detail::kMadeEmpty<V>;
  static constexpr bool kPlus = std::is_arithmetic_v<V> && (std::is_same_v<Op, std::plus<>> ||
                                                            std::is_same_v<Op, std::plus<V>>);
  static constexpr bool kGoesOn = kPlus && std::is_integral_v<V>;  // the same in any order
  static constexpr bool kOrdered = !kGoesOn;
  static constexpr bool kPlaces = false;
  using Contribution = typename ListedValues<V>::Reference;

  /// A page or two, however large a sum is.
  void reserve(std::size_t keys) {
    constexpr std::size_t kMost = std::max<std::size_t>(1, 8'192 / sizeof(Sum));
    sums_.reserve(std::min(keys, kMost));
    if constexpr (kMadeEmpty) has_.reserve(std::min(keys, kMost));
  }
  /// Of so many keys, none of which has a sum yet.
  void make_empty(std::size_t keys) {
    sums_.resize(keys);
    has_.assign(keys, Has::kNone);
    to_ = sums_.data();
  }
  void arrange(const std::vector<std::uint32_t>& order) {
    detail::arrange(sums_, order);
    if constexpr (kMadeEmpty) detail::arrange(has_, order);
    to_ = sums_.data();
  }
  bool has(std::uint32_t number) const noexcept {
    if constexpr (!kMadeEmpty) return true;
    return has_[number] != Has::kNone;
  }

  Summing() = default;
  Summing(const ValueOf& value_of, Op& op) noexcept
      : value_of_(std::addressof(value_of)), op_(std::addressof(op)) {}

  static Summing part_of(Summing& block) { return std::move(block); }
  void add() {
    if constexpr (kMadeEmpty) {
      sums_.emplace_back();
      has_.push_back(Has::kNone);
      to_ = sums_.data();
    }
  }
  void operator()(std::size_t i, std::uint32_t number) { more(number, V((*value_of_)(i))); }
  void first(std::size_t i, std::uint32_t number) { first_of(number, V((*value_of_)(i))); }
  void pass(std::size_t) const noexcept {}
  Contribution contribution(std::size_t i) { return kept_.keep((*value_of_)(i)); }
  void merge(std::uint32_t number, Contribution& one, std::size_t) {
    sum(number, ListedValues<V>::get(one));
  }
  void merge(std::uint32_t number, Summing& block, std::uint32_t there) {
    sum(number, std::move(block.to_[there].value));
  }

  V& operator[](std::uint32_t number) const noexcept { return to_[number].value; }

 private:
  enum class Has : std::uint8_t { kNone, kSum };  // no char, whose stores might change anything
  struct Sum {                                    // a std::vector<bool> has no bool
    V value;
  };

  void sum(std::uint32_t number, V&& value) {
    if constexpr (kMadeEmpty && kPlus) {  // without a jump that nothing could predict
      V& all = to_[number].value;
      const V both[] = {value, static_cast<V>(all + value)};
      all = both[static_cast<std::size_t>(std::exchange(has_[number], Has::kSum))];
      return;
    }
    const bool met = kMadeEmpty ? has_[number] != Has::kNone : number < sums_.size();
    met ? more(number, std::move(value)) : first_of(number, std::move(value));
  }
  void first_of(std::uint32_t number, V&& value) {
    if constexpr (kMadeEmpty) {
      to_[number].value = std::move(value);
      has_[number] = Has::kSum;
    } else {  // numbers come one after the other
      sums_.push_back({std::move(value)});
      to_ = sums_.data();
    }
  }
  void more(std::uint32_t number, V&& value) {
    V& all = to_[number].value;
    all = static_cast<V>(detail::invoke(*op_, std::move(all), std::move(value)));
  }

  std::vector<Sum> sums_;
  ListedValues<V> kept_;
  Sum* to_ = nullptr;
  std::vector<Has> has_;  // if they were made empty
  const ValueOf* value_of_ = nullptr;
  Op* op_ = nullptr;
};

/// Where each group begins among the values, and the end of all. Counts of keys become that in
/// their parts, and then of each block's where its values begin.
template <class Groups>
std::vector<std::size_t> group_offsets(Groups& groups) {
  auto offsets = unwritten<std::vector<std::size_t>>(groups.size() + 1);
  offsets[0] = 0;
  groups.each_key([&offsets](std::size_t rank, const auto&, const Counting& part,
                             std::uint32_t number) { offsets[rank + 1] = part[number]; });
  std::partial_sum(offsets.begin(), offsets.end(), offsets.begin());
  groups.each_key([&offsets](std::size_t rank, const auto&, const Counting& part,
                             std::uint32_t number) { part[number] = offsets[rank]; });
  return offsets;
}

/// Calls put(place, element) for each element, in parallel, or put_value(place, value), if it is no
/// int, for those in the list. Of what is thrown the first in the range's order is thrown, in the
/// end.
template <class Groups, class Put, class PutValue>
void place_elements(Groups& groups, const std::uint32_t* numbers, const std::uint32_t* listed,
                    const Put& put, const PutValue& put_value) {
  std::vector<Thrown> thrown(groups.parts() + groups.blocks());
  groups.each_part([&](auto& part, std::size_t p) {
    const Counting& next = part.data;
    groups.each_of_part(
        p,
        [&next](auto& block, std::uint32_t i) {
          std::size_t& begin = next[block.table->numbers[i]];
          begin += std::exchange(block.data[i], begin);
        },
        [&](std::size_t first, const auto& entry, std::size_t at) {
          const std::size_t place = next[listed[at]]++;
          if constexpr (std::is_same_v<PutValue, int>) {
            if (thrown[p].what != nullptr) return;  // others still need their places
            try {
              put(place, first + entry.contribution);
            } catch (...) {
              thrown[p] = {first + entry.contribution, std::current_exception()};
            }
          } else {
            put_value(place, entry.contribution);
          }
        });
  });
  groups.each_block([&](auto& block, std::size_t lo, std::size_t) {
    const Counting& next = block.data;
    if (groups.parts() > 1) block.data.arrange_back(block.table->order);
    std::size_t i = lo;
    try {
      for (const std::size_t end = block.looked_up; i < end; ++i) {
        if (numbers[i] != kNoNumber) put(next[numbers[i]]++, i);
      }
    } catch (...) {
      thrown[groups.parts() + block.number] = {i, std::current_exception()};
    }
  });
  detail::rethrow_first(thrown);
}

}  // namespace furca::detail
