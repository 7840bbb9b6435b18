// The lines of a text file in the order of their bytes, as `LC_ALL=C sort` has them: all, or each
// once (`sort -u`), or with its number (`sort | uniq -c`).
//
// Every line belongs to the piece of the text in which it begins. `collect` finds the lines, and
// they stay where they are: a line is a std::string_view. `sort` puts them in order, and `unique`
// leaves one of each; `count_by` sorts only those that differ. Another `collect` makes one text of
// the result.
//
// Work O(b) and O(n log n) comparisons, for b bytes and n lines. Span O(b / p + l log^2 n), for the
// longest line of l and p threads; counting adds O(d), for d different lines, because one thread
// brings the counts together.
#include "arguments.hpp"
#include "text_pieces.hpp"
#include "timing.hpp"

#include <furca/algorithms.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <fstream>
#include <iostream>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

enum class Repeats { keep, drop, count };

using Lines = std::vector<std::string_view>;
using Text = std::vector<char>;

/// A log of requests: few pages are asked for often, many seldom.
std::string generated(std::size_t lines) {
  std::mt19937_64 random(1951);
  std::uniform_real_distribution<double> share(0, 1);
  std::string text;
  for (std::size_t k = 0; k < lines; ++k)
    text += "GET /page/" +
            std::to_string(static_cast<std::size_t>(static_cast<double>(lines / 16) *
                                                    std::pow(share(random), 3))) +
            '\n';
  return text;
}

void append(std::string_view line, Text& out) {
  out.insert(out.end(), line.begin(), line.end());
  out.push_back('\n');
}

void append_counted(const std::pair<std::string_view, std::size_t>& counted, Text& out) {
  char number[24];
  const int length = std::snprintf(number, sizeof number, "%7zu ", counted.second);
  out.insert(out.end(), number, number + length);
  append(counted.first, out);
}

Text sorted_serially(std::string_view text, Repeats repeats) {
  Lines lines;
  examples::for_each_line(text, {0, text.size()},
                          [&](std::string_view line) { lines.push_back(line); });
  std::sort(lines.begin(), lines.end());
  Text out;
  for (auto line = lines.begin(); line != lines.end();) {
    const auto next = repeats == Repeats::keep
                          ? line + 1
                          : std::find_if(line, lines.end(),
                                         [line](std::string_view other) { return other != *line; });
    repeats == Repeats::count ? append_counted({*line, static_cast<std::size_t>(next - line)}, out)
                              : append(*line, out);
    line = next;
  }
  return out;
}

Text sorted_in_parallel(std::string_view text, std::size_t piece, Repeats repeats) {
  auto lines = furca::collect<std::string_view>(
      examples::pieces(text.size(), piece), [text](examples::Piece each, Lines& out) {
        examples::for_each_line(text, each, [&](std::string_view line) { out.push_back(line); });
      });
  if (repeats == Repeats::count)
    return furca::collect<char>(furca::count_by(lines), append_counted);
  furca::sort(lines);
  if (repeats == Repeats::drop) {
    const auto rest = furca::unique(lines);
    lines.erase(rest.begin(), rest.end());
  }
  return furca::collect<char>(lines, append);
}

}  // namespace

int main(int argc, char** argv) {
  examples::Arguments arguments(
      argc, argv,
      "usage: sortfile [--unique | --count] [--piece BYTES] [--out RESULT] [--lines N] [FILE]\n"
      "Sorts the lines of FILE by their bytes, as sort does in the C locale; without one, N "
      "generated lines (default 1000000).\n"
      "--unique: each line once, as sort -u. --count: and how often it is there, as sort | uniq "
      "-c.\n"
      "--out: where the result goes (default: nowhere); - is the standard output, and the times go "
      "to the standard error.\n"
      "--piece: how long the pieces of the text are (default 65536).\n");
  const auto repeats = arguments.flag("--unique")  ? Repeats::drop
                       : arguments.flag("--count") ? Repeats::count
                                                   : Repeats::keep;
  const std::size_t piece = arguments.option("--piece", 65'536, 1, 1'000'000'000);
  const std::string out_name = arguments.option("--out", "");
  const std::size_t lines = arguments.option("--lines", 1'000'000, 0, 100'000'000);
  const std::vector<std::string> files = arguments.rest();
  if (files.size() > 1) arguments.fail("more than one FILE");
  std::string text;
  try {
    text = files.empty() ? generated(lines) : examples::read_file(files.front());
  } catch (const std::exception& error) {
    arguments.fail(error.what());
  }

  Text serial;
  Text parallel;
  const double serial_time = examples::seconds([&] { serial = sorted_serially(text, repeats); });
  const double parallel_time =
      examples::seconds([&] { parallel = sorted_in_parallel(text, piece, repeats); });
  if (serial != parallel) return examples::disagreement("the sorted lines");

  std::FILE* const report = out_name == "-" ? stderr : stdout;
  std::fprintf(report, "%zu bytes; %td lines come out\n", text.size(),
               furca::count(parallel, '\n'));
  examples::print_comparison(serial_time, parallel_time, report);
  if (out_name.empty()) return 0;
  std::ofstream file;
  if (out_name != "-") file.open(out_name, std::ios::binary);
  std::ostream& out = out_name == "-" ? std::cout : file;
  if (out.write(parallel.data(), static_cast<std::streamsize>(parallel.size())).flush()) return 0;
  std::fprintf(stderr, "error: could not write all of '%s'\n", out_name.c_str());
  return 1;
}
