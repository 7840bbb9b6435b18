// lazy, zip, enumerate, chunks, windows, tiles: sequences that hold no elements, for loops,
// reductions and algorithms.
#pragma once

#include <furca/detail/algorithms/lazy_iterator.hpp>
#include <furca/detail/algorithms/view_elements.hpp>

FURCA_DECLARES(views);

namespace furca {

/// Computes an element from its number: called with a std::size_t, as const, by several threads at
/// a time, and it returns a value, or a reference to what lives elsewhere. Not one to what it holds
/// itself: iterators may have a copy of it, and `*(it + 1)` would refer into one that is gone.
template <class F>
concept LazyElement = std::copy_constructible<F> && std::invocable<const F&, std::size_t> &&
                      !std::is_void_v<std::invoke_result_t<const F&, std::size_t>>;

/// A sequence whose element number i is what f(i) returns, computed anew whenever it is asked for.
/// A LoopRange, and a random-access range of the standard library.
///
/// Elements are values, unless f returns a reference. Cheap to copy if f is. If f is trivially
/// copyable and no larger than 256 bytes, as lambdas are that capture numbers, pointers and
/// references, iterators have a copy of f: then they do not need the sequence any more (it is a
/// borrowed range), and inner loops over it are compiled as loops over f. Otherwise they point to
/// it.
/// Thread-safety: any number of threads at once, if f can be called so.
template <LazyElement F>
class Lazy {
 public:
  using iterator = detail::LazyIterator<F>;  ///< random access

  /// n elements.
  Lazy(std::size_t n, F f) : size_(n), element_(std::move(f)) {}

  /// the first
  iterator begin() const { return iterator(element_, 0); }
  /// behind the last
  iterator end() const { return iterator(element_, static_cast<std::ptrdiff_t>(size_)); }
  /// how many
  std::size_t size() const noexcept { return size_; }
  /// none
  bool empty() const noexcept { return size_ == 0; }
  /// f(i); i is less than size()
  detail::LazyResult<F> operator[](std::size_t i) const { return detail::invoke(element_, i); }

 private:
  std::size_t size_;
  F element_;
};

}  // namespace furca

/// @cond
template <class F>
inline constexpr bool std::ranges::enable_borrowed_range<furca::Lazy<F>> =
    furca::detail::kHeldByIterators<F>;
/// @endcond

namespace furca {

/// What a view can be made of: a LoopRange that lives on, so an lvalue, or a range whose iterators
/// do not need it, as a std::span or a view from here. A view holds no elements: those of a
/// temporary std::vector would be gone before they are read.
template <class Range>
concept ViewableRange = LoopRange<Range> && std::ranges::borrowed_range<Range>;

/// The same with elements that lie side by side, for chunks and windows.
template <class Range>
concept ViewableChunks = ViewableRange<Range> && std::ranges::contiguous_range<Range>;

/// A rectangle of a matrix or picture: rows [row_begin, row_end), and of each of them columns
/// [column_begin, column_end). Never empty.
struct Tile {
  std::size_t row_begin;     ///< its first row
  std::size_t row_end;       ///< behind its last
  std::size_t column_begin;  ///< its first column
  std::size_t column_end;    ///< behind its last

  friend bool operator==(const Tile&, const Tile&) = default;
};

/// How large tiles are; those at the lower and right edges may be smaller. By default a tile of
/// floats fills a quarter of a megabyte, which second-level caches hold, and its rows are long
/// enough for prefetching and vectors.
struct TileSize {
  std::size_t rows = 64;        ///< at least one
  std::size_t columns = 1'024;  ///< at least one
};

/// A box of a volume: planes, rows and columns, as those of a Tile.
struct Tile3 {
  std::size_t plane_begin;   ///< its first plane
  std::size_t plane_end;     ///< behind its last
  std::size_t row_begin;     ///< its first row
  std::size_t row_end;       ///< behind its last
  std::size_t column_begin;  ///< its first column
  std::size_t column_end;    ///< behind its last

  friend bool operator==(const Tile3&, const Tile3&) = default;
};

/// How large boxes are.
struct TileSize3 {
  std::size_t planes = 8;       ///< at least one
  std::size_t rows = 8;         ///< at least one
  std::size_t columns = 1'024;  ///< at least one
};

}  // namespace furca

namespace furca::found_by_name {

/// The n elements f(0), f(1), ... f(n - 1), each computed when it is read. None if n is below 0.
///
/// So that an algorithm gets what is not in memory: the squares of all numbers, every third row,
/// the elements that a list of indices names.
///     parallel_reduce(lazy(n, [&](std::size_t i) { return x[index[i]]; }), 0.0)
/// f is kept, so what it captures by reference must live as long as the sequence; of what it
/// captures by value it must return no reference. Algorithms may read an element more than once
/// where they say so.
/// Complexity: constant.
template <std::integral Length, LazyElement F>
[[nodiscard("a view does nothing by itself")]] Lazy<F> lazy(Length n, F f) {
  return Lazy<F>(detail::length(n), std::move(f));
}

/// Several ranges side by side: element i is a std::tuple of references to their elements i, or of
/// the elements themselves where a range has values. As long as the shortest of them.
///
/// A body takes the tuple by value, and names its parts:
///     parallel_for(zip(x, y, z), [](auto t) { auto& [a, b, c] = t; c = a + b; });
/// The ranges must live on, and keep their sizes, while the view is used; a temporary that would
/// not is refused.
/// Complexity: constant. Inner loops are compiled as those over indices.
template <ViewableRange First, ViewableRange... Others>
[[nodiscard("a view does nothing by itself")]] auto zip(First&& first, Others&&... others) {
  const std::size_t n = std::min({detail::size_of(first), detail::size_of(others)...});
  return furca::lazy(
      n, detail::ZipElement<std::ranges::iterator_t<First>, std::ranges::iterator_t<Others>...>{
             {std::ranges::begin(first), std::ranges::begin(others)...}});
}

/// The elements of a range with their numbers: element i is a std::pair of i, a std::size_t, and a
/// reference to the range's element.
/// Otherwise as zip.
template <ViewableRange Range>
[[nodiscard("a view does nothing by itself")]] auto enumerate(Range&& range) {
  return furca::lazy(
      detail::size_of(range),
      detail::NumberedElement<std::ranges::iterator_t<Range>>{std::ranges::begin(range)});
}

/// Stretches of `length` elements, one after the other, each a std::span; the last may be shorter.
/// Unlike those of parallel_for_chunks, whose lengths are up to the schedule, they are the same
/// always.
/// Throws std::invalid_argument if length is 0, or less.
template <ViewableChunks Range, std::integral Length>
[[nodiscard("a view does nothing by itself")]] auto chunks(Range&& range, Length length) {
  const std::size_t size = detail::length(length);
  detail::check_sizes("furca: chunks(range, length) needs a length of 1 or more", size);
  const auto n = detail::size_of(range);
  return furca::lazy(detail::pieces(n, size), detail::ChunkElement<detail::SpannedBy<Range>>{
                                                  std::ranges::data(range), n, size});
}

/// All stretches of exactly `length` elements, each a std::span, which overlap: the first begins
/// with element 0, the next one with element 1. None if the range is shorter.
/// Throws std::invalid_argument if length is 0, or less.
template <ViewableChunks Range, std::integral Length>
[[nodiscard("a view does nothing by itself")]] auto windows(Range&& range, Length length) {
  const std::size_t size = detail::length(length);
  detail::check_sizes("furca: windows(range, length) needs a length of 1 or more", size);
  const auto n = detail::size_of(range);
  return furca::lazy(n < size ? 0 : n - size + 1, detail::WindowElement<detail::SpannedBy<Range>>{
                                                      std::ranges::data(range), size});
}

/// The tiles of a matrix, row by row of tiles, for loops over two dimensions:
///     parallel_for(tiles(height, width), [&](const Tile& t) { for (auto i = t.row_begin; i <
///     t.row_end; ++i) for (auto j = t.column_begin; ...) ... });
/// Every place is in exactly one tile. Empty if rows or columns are 0, or less.
/// Throws std::invalid_argument if a length of `size` is 0, and std::length_error if there are more
/// tiles than a std::ptrdiff_t can count.
template <std::integral Rows, std::integral Columns>
[[nodiscard("a view does nothing by itself")]] auto tiles(Rows rows, Columns columns,
                                                          TileSize size = {}) {
  detail::check_sizes("furca: the rows and columns of a TileSize are 1 or more", size.rows,
                      size.columns);
  const detail::TiledLength down{detail::length(rows), size.rows};
  const detail::TiledLength across{detail::length(columns), size.columns};
  return furca::lazy(detail::tile_count(1, down.count(), across.count()),
                     detail::TileElement<Tile>{down, across, across.count()});
}

/// The boxes of a volume, plane by plane of boxes, for loops over three dimensions. Everything else
/// as above.
/// @snippet views.cpp tiles of a volume
template <std::integral Planes, std::integral Rows, std::integral Columns>
[[nodiscard("a view does nothing by itself")]] auto tiles(Planes planes, Rows rows, Columns columns,
                                                          TileSize3 size = {}) {
  detail::check_sizes("furca: the planes, rows and columns of a TileSize3 are 1 or more",
                      size.planes, size.rows, size.columns);
  const detail::TiledLength deep{detail::length(planes), size.planes};
  const detail::TiledLength down{detail::length(rows), size.rows};
  const detail::TiledLength across{detail::length(columns), size.columns};
  return furca::lazy(detail::tile_count(deep.count(), down.count(), across.count()),
                     detail::Tile3Element<Tile3>{deep, down, across, down.count(), across.count()});
}

}  // namespace furca::found_by_name
