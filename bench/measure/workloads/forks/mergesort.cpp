// Stable merge sort with a parallel merge: the middle of the longer run splits the shorter one, and
// the two parts are merged at once. Cormen, Leiserson, Rivest, Stein: Introduction to Algorithms,
// "Multithreaded merge sort". Beside std::stable_sort.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>

namespace bench {
namespace {

struct Item {
  std::uint32_t key;
  std::uint32_t position;  // in the input: shows whether equal keys kept their order
};

bool by_key(const Item& a, const Item& b) { return a.key < b.key; }

/// As many items as are worth no fork.
constexpr std::ptrdiff_t kCutOff = 4096;

/// Equal items of the first run go before those of the second.
template <class Runtime>
void merge(const Item* first, const Item* first_end, const Item* second, const Item* second_end,
           Item* out) {
  const std::ptrdiff_t first_size = first_end - first;
  const std::ptrdiff_t second_size = second_end - second;
  if (first_size + second_size <= kCutOff) {
    std::merge(first, first_end, second, second_end, out, by_key);
    return;
  }
  const Item* first_middle = first + first_size / 2;
  const Item* second_middle = second + second_size / 2;
  if (first_size >= second_size) {
    second_middle = std::lower_bound(second, second_end, *first_middle, by_key);
  } else {
    first_middle = std::upper_bound(first, first_end, *second_middle, by_key);
  }
  Item* const out_middle = out + (first_middle - first) + (second_middle - second);
  Runtime::join(
      [=] { merge<Runtime>(first, first_middle, second, second_middle, out); },
      [=] { merge<Runtime>(first_middle, first_end, second_middle, second_end, out_middle); });
}

/// The sorted items of in, in out. The halves are sorted into scratch, which has out for scratch.
template <class Runtime>
void sort_into(Item* out, Item* scratch, const Item* in, std::ptrdiff_t size) {
  if (size <= kCutOff) {
    std::copy(in, in + size, out);
    std::stable_sort(out, out + size, by_key);
    return;
  }
  const std::ptrdiff_t half = size / 2;
  Runtime::join([=] { sort_into<Runtime>(scratch, out, in, half); },
                [=] { sort_into<Runtime>(scratch + half, out + half, in + half, size - half); });
  merge<Runtime>(scratch, scratch + half, scratch + half, scratch + size, out);
}

class MergeSort {
 public:
  static constexpr const char* kName = "mergesort";
  static constexpr const char* kSummary =
      "merge sort of n items, merges forked too, beside std::stable_sort: merging needs memory";
  static constexpr Group kGroup = Group::forks;
  static constexpr Operations kUses = kJoin;
  static std::vector<std::size_t> sizes(Effort effort) {
    return {by_effort(effort, 1U << 16U, 1U << 20U, 1U << 22U)};
  }

  explicit MergeSort(const Input& input) : in_(input.size), out_(input.size), scratch_(input.size) {
    for (std::size_t i = 0; i < in_.size(); ++i) {
      in_[i] = {static_cast<std::uint32_t>(mix(i) % in_.size()), static_cast<std::uint32_t>(i)};
    }
  }

  std::uint64_t serial() {
    std::copy(in_.begin(), in_.end(), out_.begin());
    std::stable_sort(out_.begin(), out_.end(), by_key);
    return 0;
  }

  template <class Runtime>
  std::uint64_t parallel() {
    sort_into<Runtime>(out_.data(), scratch_.data(), in_.data(),
                       static_cast<std::ptrdiff_t>(in_.size()));
    return 0;
  }

  std::uint64_t settle(std::uint64_t) const {
    std::uint64_t hash = 0;
    for (const Item& item : out_)
      hash = mix(hash ^ (std::uint64_t{item.key} << 32U | item.position));
    return hash;
  }

 private:
  std::vector<Item> in_;
  std::vector<Item> out_;
  std::vector<Item> scratch_;
};

const Registration<MergeSort> kRegistration;

}  // namespace
}  // namespace bench
