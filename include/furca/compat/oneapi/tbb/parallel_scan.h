// tbb::parallel_scan on furca: prefix sums by a body that is called once or twice for each part, or
// by functions.
// Checked by: tests/compat/loops_test.cpp ("parallel_scan, with a body and with functions"), by
// ThreadSanitizer
#pragma once

#include "blocked_range.h"
#include "detail/dividing.h"
#include "detail/loop_call.h"
#include "detail/range_blocks.h"
#include "partitioner.h"
#include "profiling.h"
#include "task_group.h"

#include <furca/parallel_for.hpp>

#include <algorithm>
#include <atomic>
#include <bit>
#include <concepts>
#include <cstddef>
#include <deque>
#include <functional>
#include <type_traits>
#include <utility>
#include <vector>

namespace tbb {

/// A call that only adds up: what is before the part is not known yet.
struct pre_scan_tag {
  static constexpr bool is_final_scan() { return false; }
  constexpr operator bool() const { return false; }  // NOLINT: as oneTBB's
};

/// A call whose body stands for all that is before the part: it writes.
struct final_scan_tag {
  static constexpr bool is_final_scan() { return true; }
  constexpr operator bool() const { return true; }  // NOLINT
};

namespace detail {

/// One call of parallel_scan. The range is taken strip by strip, each of a few parts, which fit the
/// caches together.
///
/// In a first loop over the parts of a strip, whoever takes a part before which all others are done
/// scans it at once, finally; other parts are added up, each by a body of its own. Then the bodies
/// are joined from left to right, and a second loop scans those parts. The last one is not in the
/// first loop. So on one thread nothing is done twice, and on p threads each does 2 / (p + 1) of
/// the work.
template <class R, class Body>
class Scan {
 public:
  Scan(Body& body, const Division& division, const furca::SourceLocation& where)
      : body_(body), to_the_grain_(division.to_the_grain()), where_(where) {}

  void run(const R& range) {
    const std::size_t parts = furca::num_threads() + 1;
    if (parts == 2) {
      return call_.chunk([&] { scan(body_, range, final_scan_tag()); });
    }
    std::vector<R> strip;
    if constexpr (kBlocked<R>) {
      const std::size_t n = range.size();
      const std::size_t length =
          std::max(std::clamp((n - 1) / parts + 1, std::size_t{1}, kLongPart), range.grainsize());
      for (std::size_t at = 0; at < n && !call_.cancelled();) {
        strip.clear();
        for (; at < n && strip.size() < parts; at += std::min(length, n - at))
          strip.emplace_back(value_behind(range.begin(), at),
                             value_behind(range.begin(), at + std::min(length, n - at)),
                             range.grainsize());
        scan_strip(strip);
      }
    } else {
      collect(R(range), static_cast<unsigned>(std::bit_width(parts - 1)), strip);
      scan_strip(strip);
    }
  }

 private:
  static constexpr std::size_t kLongPart = 16'384;

  static void collect(R range, unsigned levels, std::vector<R>& parts) {
    if (levels == 0 || !range.is_divisible()) return parts.push_back(range);
    R right(range, split());
    collect(range, levels - 1, parts);
    collect(right, levels - 1, parts);
  }

  /// `part` is a copy: it is split, and may be scanned once more.
  template <class Tag>
  void scan(Body& body, R part, Tag tag) const {
    if (!to_the_grain_ || !part.is_divisible()) return body(std::as_const(part), tag);
    R right(part, split());
    scan(body, part, tag);
    scan(body, right, tag);
  }

  template <class F>
  void loop(std::size_t first, std::size_t last, const F& f) {
    furca::parallel_for(
        first, last,
        [&](std::size_t k) {
          if (!call_.cancelled()) call_.chunk([&] { f(k); });
        },
        {}, where_);
  }

  void scan_strip(std::vector<R>& parts) {
    std::deque<Body> sums;  // sums[k] is of part k + 1
    for (std::size_t k = 2; k < parts.size(); ++k) sums.emplace_back(body_, split());
    std::atomic<std::size_t> done{0};  // so many have been scanned finally, all by body_
    loop(0, parts.size() - 1, [&](std::size_t k) {
      // [parallel_scan.D2]
      if (done.load(std::memory_order_acquire) == k) {
        scan(body_, parts[k], final_scan_tag());
        // [parallel_scan.D1] pairs with D2: body_ stands for all parts up to here
        done.store(k + 1, std::memory_order_release);
      } else {
        scan(sums[k - 1], parts[k], pre_scan_tag());
      }
    });
    if (call_.cancelled()) return;
    const std::size_t first = done.load(std::memory_order_relaxed);
    // stands for all parts below k
    const auto before = [&](std::size_t k) -> Body& { return k == first ? body_ : sums[k - 2]; };
    for (std::size_t k = first; k + 1 < parts.size(); ++k) sums[k - 1].reverse_join(before(k));
    loop(first, parts.size(), [&](std::size_t k) { scan(before(k), parts[k], final_scan_tag()); });
    if (first + 1 < parts.size()) body_.assign(before(parts.size() - 1));
  }

  const LoopCall call_{nullptr};
  Body& body_;
  const bool to_the_grain_;
  const furca::SourceLocation& where_;
};

/// Functions as a body.
template <class Value, class ScanFunction, class ReverseJoin>
class FunctionalScan {
 public:
  FunctionalScan(const Value& identity, const ScanFunction& scan, const ReverseJoin& reverse_join)
      : identity_(identity), scan_(scan), reverse_join_(reverse_join), sum_(identity) {}
  FunctionalScan(FunctionalScan& left, split)
      : FunctionalScan(left.identity_, left.scan_, left.reverse_join_) {}

  template <class R, class Tag>
  void operator()(const R& part, Tag tag) {
    sum_ = std::invoke(scan_, part, std::as_const(sum_), tag);
  }
  void reverse_join(FunctionalScan& left) {
    sum_ = std::invoke(reverse_join_, std::as_const(left.sum_), std::as_const(sum_));
  }
  void assign(FunctionalScan& last) { sum_ = last.sum_; }

  Value take() { return std::move(sum_); }

 private:
  const Value& identity_;
  const ScanFunction& scan_;
  const ReverseJoin& reverse_join_;
  Value sum_;
};

template <class R, class Body>
consteval bool scan_body_fits() {
  constexpr bool fits =
      std::constructible_from<Body, Body&, split> && requires(Body& body, const R& range) {
        body(range, pre_scan_tag());
        body(range, final_scan_tag());
        body.reverse_join(body);
        body.assign(body);
      };
  static_assert(Range<R>,
                "furca: a range for tbb::parallel_scan has empty(), is_divisible() and a splitting "
                "constructor R(R&, tbb::split)");
  static_assert(fits,
                "furca: a body for tbb::parallel_scan has operator()(const Range&, Tag) for both "
                "tags, Body(Body&, tbb::split), reverse_join(Body&) and assign(Body&)");
  return Range<R> && fits;
}

template <class R, class Value, class ScanFunction, class ReverseJoin>
consteval bool scan_functions_fit() {
  constexpr bool scan =
      std::is_invocable_r_v<Value, const ScanFunction&, const R&, const Value&, bool>;
  constexpr bool join =
      std::is_invocable_r_v<Value, const ReverseJoin&, const Value&, const Value&>;
  static_assert(scan,
                "furca: the second function of tbb::parallel_scan(range, identity, scan, "
                "reverse_join) takes a range, a value and a bool, and returns a value");
  static_assert(join,
                "furca: the last function of tbb::parallel_scan(range, identity, scan, "
                "reverse_join) takes two values and returns one");
  return scan && join;
}

template <class R, class Body>
void run_scan(const R& range, Body& body, const Division& division,
              const furca::SourceLocation& where) {
  if (!range.empty()) Scan<R, Body>(body, division, where).run(range);
}

}  // namespace detail

/// As oneTBB's, with a body: it ends as the one that was called for the last part.
/// Exceptions and thread-safety as parallel_for.
template <class Range, class Body>
void parallel_scan(const Range& range, Body& body, const detail::Division& partitioner = {},
                   const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::scan_body_fits<Range, Body>())
    detail::run_scan(range, body, partitioner, where);
}

/// The same with functions: scan(part, sum, is_final) returns sum and what the part adds to it,
/// reverse_join(left, right) combines two sums, in order. Returns the sum of all.
template <class Range, class Value, class ScanFunction, class ReverseJoin>
Value parallel_scan(const Range& range, const Value& identity, const ScanFunction& scan,
                    const ReverseJoin& reverse_join, const detail::Division& partitioner = {},
                    const furca::SourceLocation where = furca::SourceLocation::current()) {
  if constexpr (detail::scan_functions_fit<Range, Value, ScanFunction, ReverseJoin>()) {
    detail::FunctionalScan<Value, ScanFunction, ReverseJoin> body(identity, scan, reverse_join);
    detail::run_scan(range, body, partitioner, where);
    return body.take();
  } else {
    return identity;
  }
}

}  // namespace tbb
