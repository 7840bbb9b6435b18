// Files, and pieces of a text, for the examples that go through text.
#pragma once

#include <furca/views.hpp>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>

namespace examples {

/// All of a file. Throws std::runtime_error if it cannot be read.
inline std::string read_file(const std::string& name) {
  std::ifstream in(name, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  if (!in) throw std::runtime_error("cannot read '" + name + "'");
  return text;
}

/// Positions [from, to) of a text. What begins in it belongs to it, also where it ends behind.
struct Piece {
  std::size_t from;
  std::size_t to;
};

/// Pieces of some length that make up a text of n characters.
inline auto pieces(std::size_t n, std::size_t length) {
  return furca::lazy((n + length - 1) / length, [n, length](std::size_t k) {
    return Piece{k * length, std::min(n, (k + 1) * length)};
  });
}

/// Where the first line that begins at `from` or behind does so; the text's end if there is none.
inline std::size_t first_line(std::string_view text, std::size_t from) {
  if (from == 0) return 0;
  const std::size_t end = text.find('\n', from - 1);
  return end == text.npos ? text.size() : end + 1;
}

/// Calls f(line) for each line that begins in a piece, without what ends it.
template <std::invocable<std::string_view> F>
void for_each_line(std::string_view text, Piece piece, F f) {
  for (std::size_t at = first_line(text, piece.from); at < piece.to;) {
    const std::size_t next = first_line(text, at + 1);
    const bool ended = text[next - 1] == '\n';
    f(text.substr(at, next - at - (ended ? 1 : 0)));
    at = next;
  }
}

}  // namespace examples
