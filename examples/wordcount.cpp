// The most frequent words in trees of text files: parallel over the files, and inside those that
// are large.
//
// A word is a run of letters, where every byte from 0x80 up counts as one; ASCII is lower-cased. A
// file with a zero byte is binary and skipped. Large files are cut into pieces of equal length, and
// a word belongs to the piece in which it begins.
// Threads add up in maps of their own, so that they meet only where work was stolen.
//
// A first run, which is not timed, leaves the files in the system's cache, where both that are
// timed find them.
//
// Work O(b + m d), for b bytes, d distinct words, and m maps to merge, one for each steal and each
// large file.
// Span O(f + d log b), for f bytes in the largest file, because a file is read in one go; counting
// it has O(piece) of that.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>
#include <furca/sort.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace {

namespace fs = std::filesystem;

struct WordHash : std::hash<std::string_view> {
  using is_transparent = void;  // looking up a string_view makes no string
};
using WordCounts = std::unordered_map<std::string, std::size_t, WordHash, std::equal_to<>>;

struct Tally {
  WordCounts words;
  std::size_t files = 0, bytes = 0, binary = 0, unreadable = 0;
  bool operator==(const Tally&) const = default;
};

Tally merge(Tally a, Tally b) {
  if (a.words.size() < b.words.size()) std::swap(a, b);
  for (const auto& [word, count] : b.words) a.words[word] += count;
  a.files += b.files;
  a.bytes += b.bytes;
  a.binary += b.binary;
  a.unreadable += b.unreadable;
  return a;
}

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || static_cast<unsigned char>(c) >= 0x80; }

/// Counts the words that begin in [from, to).
void count_piece(WordCounts& counts, std::string_view text, std::size_t from, std::size_t to) {
  const auto word_end = [text](std::size_t i) {
    while (i < text.size() && is_letter(text[i])) ++i;
    return i;
  };
  std::size_t i = from > 0 && is_letter(text[from - 1]) ? word_end(from) : from;
  while (true) {
    while (i < to && !is_letter(text[i])) ++i;
    if (i >= to) return;
    const std::size_t end = word_end(i);
    const std::string_view word = text.substr(i, end - i);
    const auto known = counts.find(word);
    ++(known != counts.end() ? known : counts.emplace(word, 0).first)->second;
    i = end;
  }
}

std::optional<std::string> read_file(const fs::path& path) {
  std::error_code error;
  const std::uintmax_t size = fs::file_size(path, error);
  if (error) return std::nullopt;  // pipes too, which must not be opened
  std::ifstream in(path, std::ios::binary);
  if (!in) return std::nullopt;
  std::string text(size, '\0');
  if (!in.read(text.data(), static_cast<std::streamsize>(size))) return std::nullopt;
  return text;
}

/// `count_words(tally, text)` counts those of a text in lower case.
template <class CountWords>
void add_file(Tally& tally, const fs::path& path, CountWords count_words) {
  std::optional<std::string> text = read_file(path);
  if (!text) {
    ++tally.unreadable;
  } else if (text->find('\0') != text->npos) {
    ++tally.binary;
  } else {
    ++tally.files;
    tally.bytes += text->size();
    for (char& c : *text) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
    count_words(tally, *text);
  }
}

Tally count_serially(const std::vector<fs::path>& paths) {
  Tally tally;
  const auto count_words = [](Tally& sum, std::string_view text) {
    count_piece(sum.words, text, 0, text.size());
  };
  for (const fs::path& path : paths) add_file(tally, path, count_words);
  return tally;
}

Tally count_in_parallel(const std::vector<fs::path>& paths, std::size_t piece) {
  const furca::ReduceOptions options{.tree = furca::ReduceTree::by_schedule};
  const auto count_words = [&](Tally& sum, std::string_view text) {
    if (text.size() < 2 * piece) return count_piece(sum.words, text, 0, text.size());
    const auto add_piece = [&](Tally& part, std::size_t k) {
      count_piece(part.words, text, k * piece, std::min((k + 1) * piece, text.size()));
    };
    const std::size_t pieces = (text.size() - 1) / piece + 1;
    sum = merge(std::move(sum),
                furca::parallel_reduce(0, pieces, Tally(), add_piece, merge, options));
  };
  const auto add = [&](Tally& sum, const fs::path& path) { add_file(sum, path, count_words); };
  return furca::parallel_reduce(paths, Tally(), add, merge, options);
}

/// All regular files below `root`, or `root` itself.
void find_files(const fs::path& root, std::vector<fs::path>& paths) {
  std::error_code error;
  if (!fs::is_directory(root, error)) return paths.push_back(root);
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    std::error_code ignored;
    if (at->is_regular_file(ignored)) paths.push_back(at->path());
  }
}

void print(const Tally& tally, std::size_t top) {
  using Entry = std::pair<std::string_view, std::size_t>;
  std::vector<Entry> entries(tally.words.begin(), tally.words.end());
  const auto end = entries.begin() + static_cast<std::ptrdiff_t>(std::min(top, entries.size()));
  furca::partial_sort(entries, end, [](const Entry& a, const Entry& b) {
    return std::tie(b.second, a.first) < std::tie(a.second, b.first);
  });
  const std::size_t words =
      furca::parallel_reduce(entries, std::size_t{0}, &Entry::second, std::plus<>{});
  std::printf(
      "%zu text files, %zu bytes (skipped: %zu binary, %zu unreadable); %zu words, %zu distinct\n",
      tally.files, tally.bytes, tally.binary, tally.unreadable, words, entries.size());
  for (const auto& [word, count] : std::span(entries.begin(), end))
    std::printf("%10zu %.*s\n", count, static_cast<int>(word.size()), word.data());
}

}  // namespace

int main(int argc, char** argv) try {
  examples::Arguments arguments(
      argc, argv,
      "usage: wordcount [--top WORDS] [--piece BYTES] [PATH...]\n"
      "Prints the most frequent words (default 10) of the text files PATH or below PATH (default\n"
      "/usr/share/common-licenses). Larger files are counted in pieces of BYTES (default "
      "65536).\n");
  const std::size_t top = arguments.option("--top", 10, 1, 1'000'000);
  const std::size_t piece = arguments.option("--piece", 65'536, 1, 1'000'000'000);
  std::vector<std::string> roots = arguments.rest();
  if (roots.empty()) roots.emplace_back("/usr/share/common-licenses");

  std::vector<fs::path> paths;
  for (const std::string& root : roots) {
    if (std::error_code error; !fs::exists(root, error))
      arguments.fail("there is no '" + root + "'");
    find_files(root, paths);
  }

  // untimed: after it both find the files in the page cache
  Tally parallel = count_in_parallel(paths, piece);
  Tally serial;
  const double serial_time = examples::seconds([&] { serial = count_serially(paths); });
  const double parallel_time =
      examples::seconds([&] { parallel = count_in_parallel(paths, piece); });
  if (serial != parallel) return examples::disagreement("some count");
  print(parallel, top);
  examples::print_comparison(serial_time, parallel_time);
  return 0;
} catch (const std::exception& problem) {
  std::fprintf(stderr, "error: %s\n", problem.what());
  return 1;
}
