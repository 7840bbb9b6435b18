// The different words of text files, in alphabetical order: what spell checkers and indices begin
// with.
//
// The text is cut into pieces, and every word belongs to the piece in which it begins. `collect`
// finds the words, in the order of the text, and they stay where they are: a word is a
// std::string_view. Chunks of them are sorted and rid of repetitions, and these lists are united in
// pairs, by a reduction.
//
// Work O(b + w log w), for b bytes and w words. Span O(d log w), for d different words, because the
// last two lists are united by one thread; there are far fewer different words than words, as a
// rule.
#include "arguments.hpp"
#include "text_pieces.hpp"
#include "timing.hpp"

#include <furca/algorithms.hpp>
#include <furca/furca.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iterator>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace {

using Words = std::vector<std::string_view>;

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c; }

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }

/// Appends the words that begin in a piece.
void append_words(std::string_view text, examples::Piece piece, Words& out) {
  const auto letters_end = [text](std::size_t i) {
    return static_cast<std::size_t>(std::find_if_not(text.begin() + i, text.end(), is_letter) -
                                    text.begin());
  };
  std::size_t i =
      piece.from > 0 && is_letter(text[piece.from - 1]) ? letters_end(piece.from) : piece.from;
  while (i < piece.to) {
    const std::size_t end = letters_end(i);
    if (end > i) out.push_back(text.substr(i, end - i));
    i = end + 1;
  }
}

Words sorted(std::span<const std::string_view> words) {
  Words list(words.begin(), words.end());
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

Words united(const Words& a, const Words& b) {
  Words both;
  both.reserve(a.size() + b.size());
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}

Words list_serially(std::string_view text) {
  Words words;
  append_words(text, {0, text.size()}, words);
  const std::set<std::string_view> different(words.begin(), words.end());
  return {different.begin(), different.end()};
}

Words list_in_parallel(std::string_view text, std::size_t piece) {
  const auto append = [text](examples::Piece each, Words& out) { append_words(text, each, out); };
  const Words words =
      furca::collect<std::string_view>(examples::pieces(text.size(), piece), append);
  return furca::parallel_reduce(furca::chunks(words, piece), Words(), sorted, united);
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(
      argc, argv,
      "usage: wordlist [--piece BYTES] [--out LIST] FILE...\n"
      "Writes the different words of text files to LIST (default: nowhere), one a line.\n"
      "--piece: how long the pieces of the text are, and the chunks of words (default 16384).\n");
  const std::size_t piece = arguments.option("--piece", 16'384, 1, 1'000'000'000);
  const std::string list_name = arguments.option("--out", "");
  const std::vector<std::string> files = arguments.rest();
  if (files.empty()) arguments.fail("no FILE");

  std::vector<char> text;
  try {
    text = furca::flatten(furca::map(
        files, [](const std::string& name) { return examples::read_file(name) + '\n'; }));
  } catch (const std::exception& error) {
    arguments.fail(error.what());
  }
  furca::transform(text, text, lower);
  const std::string_view all(text.data(), text.size());

  Words serial;
  Words parallel;
  const double serial_time = examples::seconds([&] { serial = list_serially(all); });
  const double parallel_time = examples::seconds([&] { parallel = list_in_parallel(all, piece); });
  if (serial != parallel) return examples::disagreement("the words");
  std::printf("%zu bytes, %zu different words", all.size(), parallel.size());
  if (!parallel.empty()) {
    const std::string_view longest = *furca::max_element(parallel, {}, &std::string_view::size);
    std::printf(", the longest is %.*s", static_cast<int>(longest.size()), longest.data());
  }
  std::printf("\n");
  examples::print_comparison(serial_time, parallel_time);

  if (list_name.empty()) return 0;
  std::ofstream out(list_name);
  for (const std::string_view word : parallel) out << word << '\n';
  out.close();
  if (!out) {
    std::fprintf(stderr, "error: could not write all of '%s'\n", list_name.c_str());
    return 1;
  }
  return 0;
}
