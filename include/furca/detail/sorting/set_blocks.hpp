// Set operations over blocks of a path through two ranges (set_path.hpp): how many elements a block
// gives, and which.
//
// All operations follow from the pairs: a union has every element, and a pair once; an intersection
// has the pairs, a difference those of the first range that are in none, a symmetric difference
// those of both.
// Checked by: tests/algorithms/sets_test.cpp
#pragma once

#include <furca/detail/base/opaque.hpp>
#include <furca/detail/sorting/merging.hpp>
#include <furca/detail/sorting/set_path.hpp>

#include <array>

namespace furca::detail {

enum class SetOperation { unite, intersect, subtract, differ };

/// Whether a step writes an element, 1 or 0: one in front of which no other range's goes, or the
/// first of a pair. At most one of the two went first.
template <SetOperation operation>
constexpr std::size_t wanted(std::size_t a_first, std::size_t b_first) {
  if constexpr (operation == SetOperation::unite) return 1;
  if constexpr (operation == SetOperation::intersect) return 1 - a_first - b_first;
  if constexpr (operation == SetOperation::subtract) return a_first;
  if constexpr (operation == SetOperation::differ) return a_first + b_first;
}

/// Whether what is left of the second range when the first is at its end is written.
constexpr bool wants_second(SetOperation operation) {
  return operation == SetOperation::unite || operation == SetOperation::differ;
}

/// So few positions are gone through once, in one part.
inline constexpr std::size_t kFewSetSteps = 256;

/// A block of the path, in parts that are gone through side by side: a step without branches waits
/// some ten cycles for the step before it in its part alone.
template <std::size_t kParts>
struct SetBlock {
  std::array<SetPlace, kParts + 1> at;    // where the parts begin, and the last one ends
  std::array<std::size_t, kParts> count;  // elements that each gives
  std::size_t to;                         // where these are in the output
};

/// What an operation does along a path, which outlives it.
template <class Path>
class SetBlocks {
  using Stretch = typename Path::Stretch;
  static constexpr std::size_t kParts = Path::kWithoutBranch ? 4 : 1;

 public:
  using Block = SetBlock<kParts>;

  explicit SetBlocks(const Path& path) : path_(path) {}

  /// The block of positions [from, to), which may begin or end in front of a pair. It has no counts
  /// yet. Few positions are one part.
  Block block(std::size_t from, std::size_t to) const {
    Block block{};
    block.at.fill(path_.at(to));
    block.at.front() = path_.at(from);
    if (to - from <= kFewSetSteps) return block;
    const Path path = path_.along(path_.stretch(block.at.front(), block.at.back()));
    for (std::size_t k = 1; k < kParts; ++k) {
      const SetPlace place = path.at(path.length() / kParts * k);
      block.at[k] = {block.at[0].a + place.a, block.at[0].b + place.b};
    }
    return block;
  }

  /// The pairs in each part of a block: what it passes, less the steps, of which one passes a pair
  /// or an element.
  std::array<std::size_t, kParts> pairs(const Block& block) const {
    std::array<Stretch, kParts> left = parts(block);
    std::array<std::size_t, kParts> found{};
    each_part([&](auto k) { found[k] = left[k].a_size() + left[k].b_size(); });
    if constexpr (Path::kWithoutBranch) {
      const Path path = path_;
      std::size_t safe;
      while ((safe = safe_steps(left)) > 0) {
        each_part([&](auto k) { found[k] -= safe; });
        for (; safe > 0; --safe) each_part([&](auto k) { step(path, left[k]); });
      }
    }
    each_part([&](auto k) {
      for (; left[k].both_left(); --found[k]) {
        const bool a_first = path_.a_first(left[k].a, left[k].b);
        const bool b_first = !a_first && path_.b_first(left[k].b, left[k].a);
        left[k].step(a_first ? 1 : 0, b_first ? 1 : 0);
      }
      found[k] -= left[k].a_size() + left[k].b_size();
    });
    return found;
  }

  /// Counts the elements that each part of a block gives.
  template <SetOperation operation>
  void count(Block& block) const {
    const auto whole = parts(block);
    block.count = pairs(block);
    each_part([&](auto k) {
      std::size_t& n = block.count[k];
      if constexpr (operation == SetOperation::unite) n = whole[k].a_size() + whole[k].b_size() - n;
      if constexpr (operation == SetOperation::subtract) n = whole[k].a_size() - n;
      if constexpr (operation == SetOperation::differ)
        n = whole[k].a_size() + whole[k].b_size() - 2 * n;
    });
  }

  /// Writes what a block gives, which has been counted, from `out` on.
  template <SetOperation operation, class Out>
  void write(const Block& block, const Out& out) const {
    std::array<Stretch, kParts> left = parts(block);
    std::array<Out, kParts + 1> to;
    to[0] = out;
    each_part([&](auto k) { to[k + 1] = detail::plus(to[k], block.count[k]); });
    const std::array<Out, kParts + 1> ends = to;
    if constexpr (kWritesWithoutBranches<Out>) {
      // what is not wanted, where the next that is wanted will be
      const auto all_to = [](Out at, std::size_t) { return at; };
      const Path path = path_;
      std::size_t safe;
      while ((safe = safe_steps(left, to, ends)) > 0) {
        for (; safe > 0; --safe)
          each_part([&](auto k) { write_step<operation>(path, left[k], to[k], all_to); });
      }
    }
    each_part([&](auto k) { write<operation>(left[k], to[k], ends[k + 1]); });
  }

  /// Writes what a stretch gives, as far as there is room. Ends at the end of the stretch, or in
  /// front of the first element that has no place; `left` and `out` are there then.
  template <SetOperation operation, class Out>
  void write(Stretch& left, Out& out, const Out& out_end) const {
    if constexpr (kWritesWithoutBranches<Out> &&
                  std::is_default_constructible_v<std::iter_value_t<Out>>) {
      const Path path = path_;
      std::iter_value_t<Out> elsewhere;
      const auto wanted_to = [&elsewhere](Out at, std::size_t wanted) {
        return detail::pick(__builtin_addressof(elsewhere), at, wanted);
      };
      while (std::size_t safe = std::min(left.safe_steps(), detail::between(out, out_end))) {
        for (; safe > 0; --safe) write_step<operation>(path, left, out, wanted_to);
      }
    }
    const auto wrote = [&out, &out_end](const auto& from) {
      if (out == out_end) return false;
      CopyPut()(out, from);
      ++out;
      return true;
    };
    while (left.both_left()) {
      if (path_.a_first(left.a, left.b)) {
        if (detail::wanted<operation>(1, 0) != 0 && !wrote(left.a)) return;
        ++left.a;
      } else if (path_.b_first(left.b, left.a)) {
        if (detail::wanted<operation>(0, 1) != 0 && !wrote(left.b)) return;
        ++left.b;
      } else {
        if (detail::wanted<operation>(0, 0) != 0 && !wrote(left.a)) return;
        ++left.a;
        ++left.b;
      }
    }
    if constexpr (operation != SetOperation::intersect) {
      if (!write_all(left.a, left.a_end, out, out_end)) return;
    }
    if constexpr (detail::wants_second(operation)) {
      if (!write_all(left.b, left.b_end, out, out_end)) return;
    }
    left.a = left.a_end;
    left.b = left.b_end;
  }

 private:
  template <class Out>
  static constexpr bool kWritesWithoutBranches = [] {
    if constexpr (Path::kWithoutBranch)
      return std::is_same_v<Out, std::iter_value_t<decltype(Stretch::a)>*>;
    return false;
  }();

  template <class F>
  static void each_part(F f) {
    [&f]<std::size_t... k>(std::index_sequence<k...>) {
      (f(std::integral_constant<std::size_t, k>()), ...);
    }(std::make_index_sequence<kParts>());
  }

  std::array<Stretch, kParts> parts(const Block& block) const {
    std::array<Stretch, kParts> all;
    each_part([&](auto k) { all[k] = path_.stretch(block.at[k], block.at[k + 1]); });
    return all;
  }

  static std::size_t safe_steps(const std::array<Stretch, kParts>& left) {
    std::size_t steps = left[0].safe_steps();
    each_part([&](auto k) { steps = std::min(steps, left[k].safe_steps()); });
    return steps;
  }
  template <class Outs>
  static std::size_t safe_steps(const std::array<Stretch, kParts>& left, const Outs& to,
                                const Outs& ends) {
    std::size_t steps = safe_steps(left);
    each_part([&](auto k) { steps = std::min(steps, detail::between(to[k], ends[k + 1])); });
    return steps;
  }

  /// The order of the next elements. The compiler must not know that those of the second comparison
  /// are those of the first: it would make a branch of what that says.
  struct Order {
    std::size_t a_first;
    std::size_t b_first;
  };
  static Order order(const Path& path, const Stretch& left) {
    const std::size_t a_first = detail::unpredictable(path.a_first(left.a, left.b));
    const std::size_t b_first = detail::unpredictable(path.b_first(left.b, detail::opaque(left.a)));
    return {a_first, b_first & (1 - a_first)};
  }

  static void step(const Path& path, Stretch& left) {
    const Order next = order(path, left);
    left.step(next.a_first, next.b_first);
  }

  /// Writes also what is not wanted: place(out, wanted) says where to.
  template <SetOperation operation, class Out, class Place>
  static void write_step(const Path& path, Stretch& left, Out& out, const Place& place) {
    const Order next = order(path, left);
    const std::size_t wanted = detail::wanted<operation>(next.a_first, next.b_first);
    const Out to = place(out, wanted);
    if constexpr (detail::wants_second(operation)) {
      *to = *detail::pick(left.a, left.b, next.b_first);
    } else {
      *to = *left.a;
    }
    out = detail::plus(out, wanted);
    left.step(next.a_first, next.b_first);
  }

  /// Whether there was room for all.
  template <class I, class Out>
  static bool write_all(I& first, const I& last, Out& out, const Out& out_end) {
    const I end =
        detail::plus(first, std::min(detail::between(first, last), detail::between(out, out_end)));
    out = CopyPut().all(first, end, out);
    first = end;
    return first == last;
  }

  const Path& path_;
};

}  // namespace furca::detail
