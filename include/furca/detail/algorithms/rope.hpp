// The output of a loop when nobody knows beforehand how much it will be: each stretch that a thread
// has taken over fills a container of its own, and these are strung together in the order of the
// loop.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/base/large_memory.hpp>
#include <furca/stop_token.hpp>

#include <list>

namespace furca::detail {

/// Moves values behind those of another container.
template <class Container>
void move_behind(Container& all, Container& values) {
  const auto begin = std::make_move_iterator(values.begin());
  const auto end = std::make_move_iterator(values.end());
  if constexpr (std::movable<typename Container::value_type>) {
    all.insert(all.end(), begin, end);
  } else {
    for (auto it = begin; it != end; ++it) all.emplace_back(*it);
  }
}

/// A piece of a result: what the steps from `first` on have appended.
template <class Container>
struct RopePiece {
  std::size_t first = 0;
  Container values;
};

/// Pieces in the order of the loop. The last one lies in the rope itself, and grows.
template <class Container>
class Rope {
 public:
  /// The container that step `step`, the one behind all others so far, appends to.
  Container& open_at(std::uint64_t step) noexcept {
    if (!begun_) [[unlikely]] {
      begun_ = true;
      last_.first = static_cast<std::size_t>(step);
    }
    return last_.values;
  }

  /// Strings the pieces of the steps behind these to it: allocates one node, whatever their number.
  void absorb(Rope&& right) {
    if (!right.begun_) return;
    if (begun_) before_.push_back(std::move(last_));
    before_.splice(before_.end(), right.before_);
    last_ = std::move(right.last_);
    begun_ = true;
  }

  /// Everything in one container. That of the only piece as it is, or as many moves as there are
  /// values, on one thread. (Rejected, for elements that are zeros at first: a parallel loop that
  /// moves the others over them. The zeros take as long.)
  Container joined() && {
    if (before_.empty()) return std::move(last_.values);
    std::size_t size = last_.values.size();
    for (const auto& piece : before_) size += piece.values.size();
    Container all;
    if constexpr (kHasCapacity<Container>) {
      all.reserve(size);
      detail::prepare_capacity(all);
    }
    for (auto& piece : before_) {
      detail::move_behind(all, piece.values);
      piece.values = Container();
    }
    detail::move_behind(all, last_.values);
    return all;
  }

  /// Calls f(first, last, values before) for each piece, with its steps; the last one ends at
  /// `steps`.
  template <class F>
  void each_piece(F f, std::size_t steps) const {
    std::size_t values = 0;
    for (auto piece = before_.begin(); piece != before_.end(); ++piece) {
      const auto next = std::next(piece);
      f(piece->first, next != before_.end() ? next->first : last_.first, values);
      values += piece->values.size();
    }
    f(last_.first, steps, values);
  }

 private:
  std::list<RopePiece<Container>> before_;
  RopePiece<Container> last_;
  bool begun_ = false;
};

/// A part of a loop that appends. `Append`: called with a container and the number of a step.
template <class Container, class Append>
class RopePart {
 public:
  explicit RopePart(const Append& append) noexcept : append_(&append) {}

  void run(std::uint64_t lo, std::uint64_t hi, LoopEnd& end) {
    Container& values = rope_.open_at(lo);
    std::uint64_t at = lo;
    const std::size_t before = values.size();
    try {
      if constexpr (kHasCapacity<Container>) make_room(values);
      const Append append = *append_;
      for (; at < hi; ++at) append(values, static_cast<std::size_t>(at));
    } catch (...) {
      end.lower_to(at);
      throw;
    }
    appended_ = values.size() - before;
  }

  RopePart fresh() const noexcept { return RopePart(*append_); }
  void absorb(RopePart&& right) { rope_.absorb(std::move(right.rope_)); }
  Rope<Container>&& rope() noexcept { return std::move(rope_); }

 private:
  /// A container that gets large grows here, and not amid the next stretch, so that it grows into
  /// large pages.
  void make_room(Container& values) {
    const std::size_t capacity = values.capacity();
    if (capacity < kLargeMemory / 2 / sizeof(typename Container::value_type) ||
        capacity - values.size() > 2 * appended_) [[likely]]
      return;
    Container larger;
    larger.reserve(2 * capacity);
    detail::prepare_capacity(larger);
    detail::move_behind(larger, values);
    values = std::move(larger);
  }

  const Append* append_;
  std::size_t appended_ = 0;  // by the last stretch
  Rope<Container> rope_;
};

/// The output of append(container, step) for the steps 0 .. n-1. It holds the user's function as
/// inner loops do, so it is cheap to copy.
template <Literal name, class Container, class Append>
Rope<Container> collect_rope(std::size_t n, const Append& append, const SourceLocation& where) {
  using Part = RopePart<Container, Append>;
  Part part(append);
  detail::run_part<name>(n, part, where);
  return part.rope();
}

}  // namespace furca::detail
