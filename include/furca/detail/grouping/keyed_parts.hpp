// All keys of a range, part by part: each has what the blocks have of its keys (keyed_blocks.hpp),
// and brings it together from left to right.
//
// Integers whose values are spread evenly go to parts in their order, so a part's keys are sorted
// by themselves; else by what keys hash to, and all are sorted in the end.
// Checked by: tests/algorithms/group_test.cpp
#pragma once

#include <furca/detail/algorithms/collecting.hpp>
#include <furca/detail/algorithms/strips.hpp>
#include <furca/detail/grouping/key_numbers.hpp>
#include <furca/detail/grouping/keyed_blocks.hpp>
#include <furca/detail/grouping/text_order.hpp>

#include <numeric>
#include <string>
#include <tuple>

namespace furca::detail {

/// The elements of a range in blocks, and their keys in parts. A Data has also what a part needs:
///   data.add() for each key; data.merge(number, contribution, where that is in the list);
///   data.merge(number, block's data, number there);
///   Data::part_of(data) begins the part's with a block's, if there is one part.
template <Literal name, class Key, class KeyOf, class Data>
class KeyedParts : public KeyedBlocks<name, Key, KeyOf, Data> {
  using Blocks = KeyedBlocks<name, Key, KeyOf, Data>;
  using Blocks::blocks_;
  using Blocks::kInteger;
  using Blocks::list_;
  using Blocks::part_of_;
  using Blocks::where_;
  using typename Blocks::Entry;
  using typename Blocks::Keys;
  using typename Blocks::Numbers;
  static constexpr bool kText = std::is_same_v<Key, std::string>;
  static constexpr std::size_t kSome = 1'024;  // keys that show how all are spread
  struct InTable {};                           // where texts stay: numbers are less to move
  using Numbered = NumberedKey<std::conditional_t<
      kText, InTable, std::conditional_t<kInteger, std::uint64_t, typename Keys::Reference>>>;

 public:
  using typename Blocks::Block;
  struct Part {
    Data data;
    std::conditional_t<kText, Numbers, InTable> keys;
    std::vector<Numbered> sorted;
    std::uint32_t numbers = 0;  // of integers that are numbers themselves, from `least` on
    std::uint64_t least = 0;
    std::size_t size = 0;  // different keys
    std::size_t rank = 0;  // of the first
  };

  using Blocks::KeyedBlocks;

  /// Groups the elements. make_data(first element): for a block, or a part.
  template <class MakeData>
  void group(const MakeData& make_data) {
    this->make_blocks(make_data(0));
    if (this->nearly_all_new_ &&
        (!kInteger || KeyOf::kInElements)) {  // keys can be asked for twice
      this->parts_known_ = parts_for_likely_keys(this->likely_keys_, this->n_, sizeof(Entry));
      choose_parts(this->parts_known_, [this](const auto& meet) {
        for (std::size_t i = 0; i < kSome; ++i) meet(Key(this->key_of_(this->n_ / kSome * i)));
      });
    }
    this->each_block([&](Block& block, std::size_t lo, std::size_t hi) {
      if (lo > 0) block.data = make_data(lo);
      this->take(block, lo, hi);
    });
    if (this->parts_known_ == 0) {
      std::size_t keys = list_->size();
      for (const Block& block : blocks_) keys += block.table == nullptr ? 0 : block.keys;
      choose_parts(list_->blocks() > 0 ? parts_for(keys, sizeof(Entry)) : 1, [&](const auto& meet) {
        list_->each_nth(std::max<std::size_t>(1, list_->size() / kSome),
                        [&meet](const Entry& entry) { meet(entry.key.key); });
      });
    }
    this->scatter(parts_.size());
    each_part([&](Part& part, std::size_t p) { bring_together(part, p, make_data(0)); });
    rank();
  }

  /// Calls f(part, its number) for each part, in parallel.
  template <class F>
  void each_part(const F& f) {
    auto one = [this, &f](std::size_t p, std::size_t) { f(parts_[p], p); };
    detail::for_blocks<name>(0, parts_.size(), 1, one, where_);
  }

  std::size_t parts() const noexcept { return parts_.size(); }
  /// The number of different keys.
  std::size_t size() const noexcept { return size_; }

  /// In their order, T(key, value(part's data, number)...) of each. kEmpty: they may be made first,
  /// and assigned then.
  template <class T, bool kEmpty, class... Value>
  std::vector<T> made(const Value&... value) {
    if constexpr (kEmpty) {
      if (size_ > kLeastBlock) {
        auto all = unwritten<std::vector<T>>(size_);
        each_key([&](std::size_t rank, const auto& key, auto& data,
                     [[maybe_unused]] std::uint32_t number) {
          all[rank] = T(key, value(data, number)...);
        });
        return all;
      }
    }
    std::vector<T> all;
    all.reserve(size_);
    const auto add = [&](std::size_t, const auto& key, auto& data,
                         [[maybe_unused]] std::uint32_t number) {
      all.emplace_back(key, value(data, number)...);
    };
    for (Part& part : parts_) each_key_of(part, 0, part.sorted.size(), add);
    return all;
  }

  /// Calls f(rank, key, part's data, number) for each key, in parallel.
  template <class F>
  void each_key(const F& f) {
    each_part([this, &f](Part& part, std::size_t) {
      if (part.numbers > 0) return each_key_of(part, 0, 0, f);
      auto some = [&](std::size_t lo, std::size_t hi) { each_key_of(part, lo, hi, f); };
      detail::for_blocks<name>(0, part.sorted.size(), kLeastBlock, some, where_);
    });
  }

 private:
  /// Of a part whose keys are not numbers themselves, those from lo to hi.
  template <class F>
  void each_key_of(Part& part, std::size_t lo, std::size_t hi, const F& f) {
    if constexpr (kInteger && Data::kMadeEmpty) {
      std::size_t rank = part.rank;
      for (std::uint32_t number = 0; number < part.numbers; ++number) {
        auto key = static_cast<Key>((part.least + number) ^ kFlippedInOrder<Key>);
        if (part.data.has(number)) f(rank++, key, part.data, number);
      }
    }
    for (std::size_t i = lo; i < hi; ++i) {
      Numbered& one = part.sorted[i];
      f(part.rank + i, key_of(one), parts_[one.table].data, one.number);
    }
  }

  /// each_of_some(meet) calls meet with some of the keys: integers that are spread evenly go to
  /// parts by their values.
  template <class EachOfSome>
  void choose_parts(std::size_t parts, const EachOfSome& each_of_some) {
    parts_ = std::vector<Part>(parts);
    part_of_.last = parts - 1;
    if constexpr (kInteger) {
      if (parts == 1) return;
      std::vector<std::uint64_t> some;
      each_of_some([&some](const Key& key) { some.push_back(detail::in_order(key)); });
      part_of_.by_value = some.size() >= kSome / 2 && part_of_.values.spread_evenly(some, parts);
    }
  }

  /// A part's keys and data.
  void bring_together(Part& part, std::size_t p, Data data) {
    if constexpr (kInteger && Data::kMadeEmpty) {
      if (part_of_.by_value && bring_in_order(part, p, data)) return;
    }
    Block* taken = nullptr;  // the first one with keys, whose numbers are those of all
    for (std::size_t b = 0; parts_.size() == 1 && taken == nullptr && b < blocks_.size(); ++b) {
      if (blocks_[b].table != nullptr) taken = std::addressof(blocks_[b]);
    }
    Numbers keys = taken != nullptr ? std::move(taken->table->keys)
                                    : Numbers(list_->blocks() > 0 ? list_->size_of_part(p) / 4 : 0);
    if (taken != nullptr) {
      data = Data::part_of(taken->data);
      std::iota(taken->table->numbers.begin(), taken->table->numbers.end(), std::uint32_t{0});
    }
    auto finder = keys.finder();
    const auto number_of = [&](const auto& one) {
      std::size_t at = 0;
      const std::uint64_t hash = one.hash();
      std::uint32_t number = finder.find(Keys::view(one.key), hash, at);
      if (number == kNoNumber) {
        number = keys.add(one.key, hash, at);
        finder = keys.finder();
        data.add();
      }
      return number;
    };
    const auto of_table = [&](Block& block, std::uint32_t i) {
      if (std::addressof(block) == taken || !block.data.has(i)) return;
      std::uint32_t& number = block.table->numbers[i];
      if (number == kNoNumber) number = number_of(block.table->keys[block.table->order[i]]);
      data.merge(number, block.data, i);
    };
    const auto of_list = [&](std::size_t, const Entry& entry, std::size_t at) {
      typename Data::Contribution one = entry.contribution;
      data.merge(number_of(entry.key), one, at);
    };
    if (!this->in_one_table()) this->each_of_part(p, of_table, of_list);
    part.size = keys.size();
    part.sorted.reserve(part.size);
    const auto table = static_cast<std::uint32_t>(p);
    for (std::uint32_t i = 0; i < part.size; ++i) {
      if constexpr (kText) {
        part.sorted.push_back({InTable(), i, table});
      } else if constexpr (kInteger) {
        part.sorted.push_back({detail::in_order(keys[i].key), i, table});
      } else {
        part.sorted.push_back({keys[i].key, i, table});
      }
    }
    part.data = std::move(data);
    if constexpr (kText) part.keys = std::move(keys);
    if (part_of_.by_value) sort(part.sorted);
  }

  /// The same for integers, if they are close to each other: they are numbers themselves.
  bool bring_in_order(Part& part, std::size_t p, Data& data) {
    std::size_t n = list_->size_of_part(p);
    for (const Block& block : blocks_) n += block.table == nullptr ? 0 : block.table->of_part(p);
    if (n == 0) return true;
    std::uint64_t least = ~std::uint64_t{0};
    std::uint64_t most = 0;
    if (p > 0 && p + 1 < parts_.size()) {
      std::tie(least, most) = part_of_.values.limits(p);
    } else {  // they have what is beyond these, too
      const auto meet = [&](const Key& key) {
        least = std::min(least, detail::in_order(key));
        most = std::max(most, detail::in_order(key));
      };
      this->each_of_part(
          p,
          [&](Block& block, std::uint32_t i) {
            if (block.data.has(i)) meet(block.table->keys[block.table->order[i]].key);
          },
          [&](std::size_t, const Entry& entry, std::size_t) { meet(entry.key.key); });
    }
    if (most - least >= 4 * n) return false;
    const auto number_of = [least](const Key& key) {
      return static_cast<std::uint32_t>(detail::in_order(key) - least);
    };
    data.make_empty(static_cast<std::size_t>(most - least) + 1);
    this->each_of_part(
        p,
        [&](Block& block, std::uint32_t i) {
          if (!block.data.has(i)) return;
          std::uint32_t& number = block.table->numbers[i];
          number = number_of(block.table->keys[block.table->order[i]].key);
          data.merge(number, block.data, i);
        },
        [&](std::size_t, const Entry& entry, std::size_t at) {
          typename Data::Contribution one = entry.contribution;
          data.merge(number_of(entry.key.key), one, at);
        });
    part.least = least;
    part.numbers = static_cast<std::uint32_t>(most - least) + 1;
    for (std::uint32_t number = 0; number < part.numbers; ++number) part.size += data.has(number);
    part.data = std::move(data);
    return true;
  }

  decltype(auto) key_of(const Numbered& one) const {
    if constexpr (kText) {
      return Keys::view(parts_[one.table].keys[one.number].key);
    } else if constexpr (kInteger) {
      return static_cast<Key>(one.key ^ kFlippedInOrder<Key>);
    } else {
      return Keys::view(one.key);
    }
  }

  void sort(std::vector<Numbered>& keys) const {
    const auto view = [this](const Numbered& one) -> decltype(auto) { return key_of(one); };
    detail::sort_keys<name, Key>(keys, view, where_);
  }

  /// Sorts the keys, unless each part has sorted its own.
  void rank() {
    for (Part& part : parts_) {
      part.rank = size_;
      size_ += part.size;
    }
    if (part_of_.by_value) return;
    if (parts_.size() > 1) {
      std::vector<Numbered> all;
      all.reserve(size_);
      detail::prepare_capacity(all);
      for (Part& part : parts_) {
        all.insert(all.end(), part.sorted.begin(), part.sorted.end());
        part.sorted = std::vector<Numbered>();
      }
      parts_[0].sorted = std::move(all);
    }
    sort(parts_[0].sorted);
  }

  std::vector<Part> parts_;
  std::size_t size_ = 0;
};

}  // namespace furca::detail
