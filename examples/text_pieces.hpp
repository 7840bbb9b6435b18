// Files, and pieces of a text, for the examples that go through text.
#pragma once

#include <furca/views.hpp>

#include <algorithm>
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
  return furca::lazy((n + length - 1) / length, [n, length](std::size_t k) { return Piece{k * length, std::min(n, (k + 1) * length)}; });
}

/// Where the first line that begins at `from` or behind does so; the text's end if there is none.
inline std::size_t first_line(std::string_view text, std::size_t from) {
  if (from == 0) return 0;
  const std::size_t end = text.find('\n', from - 1);
  return end == text.npos ? text.size() : end + 1;
}

}  // namespace examples
