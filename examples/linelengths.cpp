// Where every line of a text begins, by the prefix sums of the lines' lengths: what editors and
// pagers need to go to a line at once.
//
// The text is cut into pieces, and every line belongs to the piece in which it begins; `collect`
// strings their lengths together. Line k begins at the sum of the lengths before it:
// `exclusive_scan`. The total must be the text's length.
//
// Work O(b), span O(b / p + l) for b bytes, the longest line of l, and p threads.
//
// What to look at: the longest line, and the line in the middle of the file, which is found by its
// offset.
#include "arguments.hpp"
#include "text_pieces.hpp"
#include "timing.hpp"

#include <furca/algorithms.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <random>
#include <string>
#include <string_view>
#include <vector>

namespace {

/// Lines of a log: most are short, a few very long.
std::string generated(std::size_t lines) {
  std::mt19937_64 random(1971);
  std::exponential_distribution<double> length(1 / 40.0);
  std::string text;
  for (std::size_t k = 0; k < lines; ++k) {
    text.append(static_cast<std::size_t>(length(random)) * (k % 1'000 == 999 ? 100 : 1),
                static_cast<char>('a' + k % 26));
    text += '\n';
  }
  return text;
}

/// Appends the lengths of the lines that begin in a piece, with what ends them.
void append_lengths(std::string_view text, examples::Piece piece, std::vector<std::size_t>& out) {
  for (std::size_t at = examples::first_line(text, piece.from); at < piece.to;) {
    const std::size_t next = examples::first_line(text, at + 1);
    out.push_back(next - at);
    at = next;
  }
}

/// Where each line begins, and last of all where the text ends.
std::vector<std::size_t> index_serially(std::string_view text) {
  std::vector<std::size_t> offsets = {0};
  while (offsets.back() < text.size())
    offsets.push_back(examples::first_line(text, offsets.back() + 1));
  return offsets;
}

std::vector<std::size_t> index_in_parallel(std::string_view text, std::size_t piece) {
  const auto append = [text](examples::Piece each, std::vector<std::size_t>& out) {
    append_lengths(text, each, out);
  };
  const std::vector<std::size_t> lengths =
      furca::collect<std::size_t>(examples::pieces(text.size(), piece), append);
  std::vector<std::size_t> offsets(lengths.size() + 1);
  offsets.back() = furca::exclusive_scan(lengths, offsets, std::size_t{0}).total;
  return offsets;
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(
      argc, argv,
      "usage: linelengths [--piece BYTES] [--lines N] [FILE]\n"
      "Finds where each line of FILE begins; without one, of a text of N lines (default 500000).\n"
      "--piece: how long the pieces of the text are (default 65536).\n");
  const std::size_t piece = arguments.option("--piece", 65'536, 1, 1'000'000'000);
  const std::size_t lines = arguments.option("--lines", 500'000, 0, 100'000'000);
  const std::vector<std::string> files = arguments.rest();
  if (files.size() > 1) arguments.fail("more than one FILE");
  std::string text;
  try {
    text = files.empty() ? generated(lines) : examples::read_file(files.front());
  } catch (const std::exception& error) {
    arguments.fail(error.what());
  }

  std::vector<std::size_t> serial;
  std::vector<std::size_t> parallel;
  const double serial_time = examples::seconds([&] { serial = index_serially(text); });
  const double parallel_time =
      examples::seconds([&] { parallel = index_in_parallel(text, piece); });
  if (serial != parallel) return examples::disagreement("where lines begin");
  if (parallel.back() != text.size()) return examples::disagreement("the text's length");

  std::printf("%zu bytes in %zu lines", text.size(), parallel.size() - 1);
  if (!text.empty()) {
    const auto length = [&](std::size_t k) { return parallel[k + 1] - parallel[k]; };
    const auto lengths = furca::lazy(parallel.size() - 1, length);
    const auto longest = static_cast<std::size_t>(furca::max_element(lengths) - lengths.begin());
    const auto middle =
        std::upper_bound(parallel.begin(), parallel.end(), text.size() / 2) - parallel.begin();
    std::printf("; line %zu is the longest, %zu bytes; byte %zu is in line %td", longest + 1,
                length(longest), text.size() / 2, middle);
  }
  std::printf("\n");
  examples::print_comparison(serial_time, parallel_time);
  return 0;
}
