// How often each word occurs in real text: a reduction whose accumulators are hash tables. A small
// text is repeated until it fills as many megabytes as the row says; of a large one, as many are
// read.
#include "../../contenders.hpp"
#include "../support.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>
#include <unordered_map>

namespace bench {
namespace {

using Counts = std::unordered_map<std::string_view, std::uint64_t>;

bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

void count_words(std::string_view text, Counts& counts) {
  for (auto at = text.begin();;) {
    const auto begin = std::find_if(at, text.end(), is_letter);
    if (begin == text.end()) return;
    at = std::find_if_not(begin, text.end(), is_letter);
    ++counts[std::string_view(begin, at)];
  }
}

Counts merge(Counts into, Counts from) {
  if (into.size() < from.size()) into.swap(from);
  for (const auto& [word, count] : from) into[word] += count;
  return into;
}

/// `size` bytes of what the files in a directory say, over and over if need be.
std::string read_text(const std::string& dir, std::size_t size) {
  namespace fs = std::filesystem;
  std::vector<fs::path> paths;
  for (const auto& entry :
       fs::recursive_directory_iterator(dir, fs::directory_options::skip_permission_denied)) {
    if (entry.is_regular_file() && !entry.is_symlink()) paths.push_back(entry.path());
  }
  std::sort(paths.begin(), paths.end());
  std::string text;
  for (auto path = paths.begin(); path != paths.end() && text.size() < size; ++path) {
    std::ifstream file(*path, std::ios::binary);
    text.append(std::istreambuf_iterator<char>(file), {});
    text += '\n';
  }
  if (text.empty()) throw std::runtime_error("no text in " + dir);
  while (text.size() < size) text.append(text, 0, size - text.size());
  text.resize(size);
  return text;
}

class WordCount {
 public:
  static constexpr const char* kName = "wordcount";
  static constexpr const char* kSummary =
      "how often each word occurs in n MB of text (--text, repeated): a reduction to hash maps";
  static constexpr bool kReadsText = true;
  static constexpr Group kGroup = Group::reductions;
  static constexpr Operations kUses = kReduce;
  static std::vector<std::size_t> sizes(Effort effort) { return {by_effort(effort, 1, 8, 24)}; }

  explicit WordCount(const Input& input)
      : text_(read_text(input.text_dir, input.size * 1'000'000)) {
    constexpr std::size_t kBlock = 4096;
    const std::string_view text = text_;
    for (std::size_t begin = 0; begin < text.size();) {
      std::size_t end = std::min(begin + kBlock, text.size());
      while (end < text.size() && is_letter(text[end])) ++end;
      blocks_.push_back(text.substr(begin, end - begin));
      begin = end;
    }
  }

  std::uint64_t serial() const {
    Counts counts;
    count_words(text_, counts);
    return outcome(counts);
  }

  template <class Runtime>
  std::uint64_t parallel() const {
    const auto count_block = [this](Counts& counts, std::size_t i) {
      count_words(blocks_[i], counts);
    };
    return outcome(Runtime::reduce(blocks_.size(), Counts{}, count_block, merge));
  }

 private:
  /// The same in whatever order the table holds the words.
  static std::uint64_t outcome(const Counts& counts) {
    std::uint64_t hash = 0;
    for (const auto& [word, count] : counts)
      hash += mix(mix(std::hash<std::string_view>{}(word)) ^ count);
    return hash;
  }

  std::string text_;
  std::vector<std::string_view> blocks_;
};

const Registration<WordCount> kRegistration;

}  // namespace
}  // namespace bench
