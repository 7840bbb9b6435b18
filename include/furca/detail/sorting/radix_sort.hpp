// Stable sorting without comparisons, of elements that are plain memory, by an integer in them.
//
// A pass puts elements where the digits of their keys say. A large range is cut into blocks, which
// count their digits and then move their elements to the buffer, in parallel; what has one digit is
// then sorted by itself, in parallel with the others. If it is large, because many keys are close
// to each other, that is done in the same way, so no thread is alone with it. The least and the
// greatest key are looked up first, so bits that are the same in all cost nothing.
// A part that fits into a cache is sorted on one thread from the least digit on: by as many of the
// leading bits as tell most keys apart, and then by insertion.
// A pass costs about as much as two levels of merging. So few elements are merged (merge_sort.hpp),
// and keys of which a sample says that passes do not tell them apart: which way is taken depends on
// the range alone.
// Sources: Knuth, The Art of Computer Programming 3, 5.2.5 (also for insertion behind passes over
// the leading digits, by MacLaren); McIlroy, Bostic, McIlroy:
// Engineering Radix Sort, Computing Systems 6, 1993; Obeya, Kahssay, Fan, Shun:
// Theoretically-Efficient and Practical Parallel In-Place Radix Sorting, SPAA 2019.
// Rejected: floating-point keys, as integers of the same order. Most of their leading bits are the
// exponent's, which tell few apart: uniform doubles gained a quarter on one thread, few different
// ones, and runs, lost a tenth.
// Rejected: passes over 64 bits from the least digit on for all (eight passes are as slow as
// merging 2^16 elements), and over leading digits alone down to a few elements (twice the time of
// insertion at the end).
// Checked by: tests/algorithms/radix_sort_test.cpp
#pragma once

#include <furca/detail/sorting/merge_sort.hpp>
#include <furca/detail/sorting/radix_keys.hpp>

#include <array>
#include <bit>

namespace furca::detail {

/// n elements in `range`, with a buffer of as many.
template <class T, class Comp, class Proj, class Before>
class RadixSort : RadixKeys<T, Comp, Proj> {
  using Keys = RadixKeys<T, Comp, Proj>;
  using Keys::bits_of;
  using Keys::kPairs;
  using Keys::limits;
  using Keys::number_of;
  using Keys::sample;
  using typename Keys::Number;
  using typename Keys::Sample;

 public:
  /// So few are sorted by comparisons.
  static constexpr std::size_t kFew = 512;

  /// Throws std::bad_alloc: for a sixteenth as much as the range, if that is large.
  RadixSort(T* range, T* buffer, std::size_t n, Proj& proj, const Before& before,
            const SourceLocation& where)
      : Keys(proj),
        range_(range),
        buffer_(buffer),
        size_(n),
        block_(std::max({std::size_t{4'096}, std::size_t{32'768} / sizeof(T), n / 1'024})),
        before_(before),
        where_(where),
        there_(range, buffer, n, before, where),
        back_(buffer, range, n, before, where),
        rows_(rows_in(0, n) > 1 ? new Row[n / block_] : nullptr) {}

  void sort() { sort(0, size_, false); }

 private:
  // bits: the ends of so many parts, where elements are put, are in a cache
  static constexpr int kDigit = 8;
  static constexpr std::size_t kDigits = std::size_t{1} << kDigit;
  // bytes: twice as much is in a cache of one thread's
  static constexpr std::size_t kCached = 256 * 1024;
  /// Of a block: how many elements have each digit, and then where the next of these comes. Before
  /// that, its least and greatest number.
  struct Row {
    std::array<std::size_t, kDigits> ends;
    Number least;
    Number most;
  };

  template <class F>
  void each(std::size_t n, F f) const {
    detail::for_positions<"stable_sort">(n, f, where_);
  }

  /// Rows of blocks that lie in a part as a whole are its own.
  std::size_t first_row(std::size_t lo) const noexcept { return (lo + block_ - 1) / block_; }
  std::size_t rows_in(std::size_t lo, std::size_t n) const noexcept {
    return (lo + n) / block_ > first_row(lo) ? (lo + n) / block_ - first_row(lo) : 0;
  }

  /// Sorts [lo, lo + n) of the range, whose elements are in the buffer if they are `away`.
  void sort(std::size_t lo, std::size_t n, bool away) {
    if (rows_in(lo, n) > 1 && (n == size_ || n * sizeof(T) > kCached))
      return sort_large(lo, n, away);
    if (n < kFew) return merge(lo, n, away);
    sort_small(lo, n, away);
  }

  // comparisons that throw are none of these
  void merge(std::size_t lo, std::size_t n, bool away) {
    if (n > 0) (void)(away ? back_.sort(lo, n, true) : there_.sort(lo, n, false));
  }

  void bring_home(std::size_t lo, std::size_t n, bool away) const {
    if (away) std::copy_n(buffer_ + lo, n, range_ + lo);
  }

  void sort_large(std::size_t lo, std::size_t n, bool away) {
    T* const from = away ? buffer_ : range_;
    T* const to = away ? range_ : buffer_;
    const int digit_bits = std::min(kDigit, static_cast<int>(std::bit_width(n / 2'048)));
    const Sample some = sample(from + lo, n);
    // If three quarters have one digit, they probably will again. A few that are far from the
    // others are not among some.
    if (some.pairs_alike(some.least, std::max(0, some.bits - digit_bits)) > kPairs * 9 / 16 &&
        some.bits > digit_bits)
      return merge(lo, n, away);
    Row* const rows = &rows_[first_row(lo)];
    const std::size_t count = rows_in(lo, n);
    const std::size_t length = (n + count - 1) / count;
    const auto at = [=](std::size_t row) { return lo + std::min(n, row * length); };
    each(count, [=, this](std::size_t row) {
      std::tie(rows[row].least, rows[row].most) = limits(from + at(row), at(row + 1) - at(row));
    });
    const Number least = std::min_element(rows, rows + count, [](const Row& a, const Row& b) {
                           return a.least < b.least;
                         })->least;
    const Number most = std::max_element(rows, rows + count, [](const Row& a, const Row& b) {
                          return a.most < b.most;
                        })->most;
    const int bits = bits_of(static_cast<Number>(most - least));
    const int shift = std::max(0, bits - digit_bits);
    const auto all_home = [=, this](bool moved) {
      each(count,
           [=, this](std::size_t row) { bring_home(at(row), at(row + 1) - at(row), moved); });
    };
    if (bits == 0) return all_home(away);
    each(count, [=, this](std::size_t row) {
      auto& counts = rows[row].ends;
      counts.fill(0);
      for (std::size_t i = at(row); i < at(row + 1); ++i)
        ++counts[static_cast<std::size_t>(static_cast<Number>(number_of(from[i]) - least) >>
                                          shift)];
    });
    std::array<std::size_t, kDigits + 1> bounds{};
    bounds[0] = lo;
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t digit = 0; digit < kDigits; ++digit)
        bounds[digit + 1] += rows[row].ends[digit];
    }
    for (std::size_t digit = 0; digit < kDigits; ++digit) bounds[digit + 1] += bounds[digit];
    std::array<std::size_t, kDigits + 1> next = bounds;
    for (std::size_t row = 0; row < count; ++row) {
      for (std::size_t digit = 0; digit < kDigits; ++digit)
        next[digit] += std::exchange(rows[row].ends[digit], next[digit]);
    }
    each(count, [=, this](std::size_t row) {
      std::size_t* const ends = rows[row].ends.data();
      const T* const end = from + at(row + 1);
      for (const T* x = from + at(row); x != end; ++x)
        to[ends[static_cast<Number>(number_of(*x) - least) >> shift]++] = *x;
    });
    if (shift == 0) {
      all_home(!away);
    } else {
      each(kDigits, [&bounds, away, this](std::size_t digit) {
        sort(bounds[digit], bounds[digit + 1] - bounds[digit], !away);
      });
    }
  }

  void sort_small(std::size_t lo, std::size_t n, bool away) {
    const T* const x = (away ? buffer_ : range_) + lo;
    const int length = static_cast<int>(std::bit_width(n));
    const int enough = length + 6;  // so many bits tell most numbers apart that are spread evenly
    const Sample some = sample(x, n);
    const auto crowded = [&some, n](Number base, int rest) {
      return rest > 0 && some.pairs_alike(base, rest) * n > 8 * kPairs;
    };
    const auto passes_for = [](int bits) { return (bits + kDigit - 1) / kDigit; };
    if (2 * passes_for(some.bits) > length && crowded(some.least, some.bits - enough))
      return merge(lo, n, away);
    const auto [least, most] = limits(x, n);
    const int bits = bits_of(static_cast<Number>(most - least));
    const int passes = passes_for(crowded(least, bits - enough) ? bits : std::min(bits, enough));
    if (2 * passes > length) return merge(lo, n, away);
    const int width = passes > 0 ? std::min(kDigit, (bits + passes - 1) / passes) : 0;
    const int rest = std::max(0, bits - passes * width);
    for (int pass = 0; pass < passes; ++pass) {
      if (sort_by_digit(lo, n, away, least, rest + pass * width, width)) away = !away;
    }
    bring_home(lo, n, away);
    if (rest > 0) sort_rest(lo, n, least, rest);
  }

  /// One pass, unless the digit is the same in all: whether there was one.
  bool sort_by_digit(std::size_t lo, std::size_t n, bool away, Number least, int shift,
                     int width) const {
    const T* const from = (away ? buffer_ : range_) + lo;
    T* const to = (away ? range_ : buffer_) + lo;
    const std::size_t mask = (std::size_t{1} << width) - 1;
    const auto digit_of = [=, this](const T& element) {
      return static_cast<std::size_t>(static_cast<Number>(number_of(element) - least) >> shift) &
             mask;
    };
    std::array<std::size_t, kDigits> ends;
    std::fill_n(ends.begin(), mask + 1, 0);
    for (std::size_t i = 0; i < n; ++i) ++ends[digit_of(from[i])];
    if (ends[digit_of(from[0])] == n) return false;
    std::size_t sum = 0;
    for (std::size_t digit = 0; digit <= mask; ++digit) sum += std::exchange(ends[digit], sum);
    for (std::size_t i = 0; i < n; ++i) to[ends[digit_of(from[i])]++] = from[i];
    return true;
  }

  /// Sorts what is sorted but for the last `rest` bits: by insertion, unless many numbers are alike
  /// in the others.
  void sort_rest(std::size_t lo, std::size_t n, Number least, int rest) {
    constexpr std::size_t kSteps = 16;
    T* const x = range_ + lo;
    const Before before = before_;
    for (std::size_t i = 1; i < n; ++i) {
      if (!before(x + i, x + i - 1)) continue;
      const T element = x[i];
      const std::size_t stop = i > kSteps ? i - kSteps : 0;
      std::size_t place = i - 1;
      while (place > stop && before(__builtin_addressof(element), x + place - 1)) --place;
      if (place > stop) {
        std::copy_backward(x + place, x + i, x + i + 1);
        x[place] = element;
        continue;
      }
      const auto leading = [=, this](std::size_t k) {
        return static_cast<Number>(number_of(x[k]) - least) >> rest;
      };
      const Number here = static_cast<Number>(leading(i));
      std::size_t first = i;
      while (first > 0 && leading(first - 1) == here) --first;
      while (i < n && leading(i) == here) ++i;
      sort(lo + first, i - first, false);
    }
  }

  T* const range_;
  T* const buffer_;
  const std::size_t size_;
  const std::size_t block_;
  const Before before_;
  const SourceLocation& where_;
  MergeSort<T*, T*, Before> there_;
  MergeSort<T*, T*, Before> back_;
  const Owner<Row[]> rows_;
};

}  // namespace furca::detail
