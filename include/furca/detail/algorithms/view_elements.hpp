// The elements of views, as functions of their numbers: of several ranges, of stretches of one, and
// of tiles.
#pragma once

#include <furca/detail/algorithms/prelude.hpp>
#include <furca/detail/base/refuse.hpp>

#include <limits>

namespace furca::detail {

/// Element i of several ranges at once. Iterators stay valid while no range changes its size.
template <class... Iterators>
struct ZipElement {
  using HoldsIterators = void;

  std::tuple<Iterators...> begins;

  std::tuple<std::iter_reference_t<Iterators>...> operator()(std::size_t i) const {
    return std::apply(
        [i](const Iterators&... begin) {
          return std::tuple<std::iter_reference_t<Iterators>...>(
              begin[static_cast<std::iter_difference_t<Iterators>>(i)]...);
        },
        begins);
  }
};

template <class Iterator>
struct NumberedElement {
  using HoldsIterators = void;

  Iterator begin;

  std::pair<std::size_t, std::iter_reference_t<Iterator>> operator()(std::size_t i) const {
    return {i, begin[static_cast<std::iter_difference_t<Iterator>>(i)]};
  }
};

template <class T>
struct ChunkElement {
  T* data;
  std::size_t n;
  std::size_t size;

  std::span<T> operator()(std::size_t i) const noexcept {
    return {data + i * size, std::min(size, n - i * size)};
  }
};

template <class T>
struct WindowElement {
  T* data;
  std::size_t size;

  std::span<T> operator()(std::size_t i) const noexcept { return {data + i, size}; }
};

/// What a std::span of a range is over.
template <class Range>
using SpannedBy = std::remove_reference_t<std::ranges::range_reference_t<Range>>;

/// Throws std::invalid_argument unless all of `sizes` are more than 0. `message`: what is wrong
/// then.
template <class... Sizes>
void check_sizes(const char* message, Sizes... sizes) {
  if (std::min({sizes...}) == 0) [[unlikely]]
    detail::refuse(message);
}

/// How many pieces of `size` it takes for n, with no overflow.
constexpr std::size_t pieces(std::size_t n, std::size_t size) noexcept {
  return n / size + (n % size != 0 ? 1 : 0);
}

/// A length that may have been computed with signs, as the ends of a loop are: below zero it is
/// nothing.
template <std::integral Length>
constexpr std::size_t length(Length n) noexcept {
  return n > 0 ? static_cast<std::size_t>(n) : 0;
}

/// A length of a matrix or volume, cut into stretches of a size.
struct TiledLength {
  std::size_t length;
  std::size_t size;

  std::size_t count() const noexcept { return detail::pieces(length, size); }
  std::size_t begin(std::size_t k) const noexcept { return k * size; }
  std::size_t end(std::size_t k) const noexcept {
    return begin(k) + std::min(size, length - begin(k));
  }
};

/// Tiles lie side by side, `across` of them, and those of planes below each other.
template <class Tile>
struct TileElement {
  TiledLength rows;
  TiledLength columns;
  std::size_t across;

  Tile operator()(std::size_t k) const noexcept {
    const std::size_t i = k / across;
    const std::size_t j = k % across;
    return {rows.begin(i), rows.end(i), columns.begin(j), columns.end(j)};
  }
};

template <class Tile3>
struct Tile3Element {
  TiledLength planes;
  TiledLength rows;
  TiledLength columns;
  std::size_t down;
  std::size_t across;

  Tile3 operator()(std::size_t k) const noexcept {
    const std::size_t h = k / across / down;
    const std::size_t i = k / across % down;
    const std::size_t j = k % across;
    return {planes.begin(h), planes.end(h),    rows.begin(i),
            rows.end(i),     columns.begin(j), columns.end(j)};
  }
};

/// The product. Throws std::length_error if no range can have so many elements.
inline std::size_t tile_count(std::size_t planes, std::size_t down, std::size_t across) {
  constexpr auto kMost = static_cast<std::size_t>(std::numeric_limits<std::ptrdiff_t>::max());
  if (planes == 0 || down == 0 || across == 0) return 0;
  if (down > kMost / across || planes > kMost / across / down) [[unlikely]]
    detail::refuse_length("furca: more tiles than a range can have: make them larger");
  return planes * down * across;
}

}  // namespace furca::detail
