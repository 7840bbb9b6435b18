// The command line of an example: options with a value, then plain words. A bad one ends the
// program with exit code 2.
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace examples {

/// Each call takes what it understands out of the list; done() or rest() comes last and objects to
/// what nobody took.
class Arguments {
 public:
  Arguments(int argc, char** argv, const char* usage) : usage_(usage) {
    if (argc > 1) words_.assign(argv + 1, argv + argc);
    if (std::find(words_.begin(), words_.end(), "--help") == words_.end()) return;
    std::fputs(usage_, stdout);
    std::exit(0);
  }

  /// Whether `name` is there, a word without a value.
  bool flag(const std::string& name) { return std::erase(words_, name) > 0; }

  /// The word after `name`.
  std::string option(const std::string& name, std::string fallback) {
    const auto at = std::find(words_.begin(), words_.end(), name);
    if (at == words_.end()) return fallback;
    if (at + 1 == words_.end()) fail(name + " needs a value");
    std::string value = std::move(at[1]);
    words_.erase(at, at + 2);
    return value;
  }

  /// The same for a whole number in [least, most].
  std::size_t option(const std::string& name, std::size_t fallback, std::size_t least,
                     std::size_t most) {
    return parse(name, option(name, std::to_string(fallback)), least, most);
  }

  /// The next plain word, a whole number in [least, most]. Options must have been taken before.
  std::size_t number(const std::string& name, std::size_t fallback, std::size_t least,
                     std::size_t most) {
    if (words_.empty()) return fallback;
    const std::string word = std::move(words_.front());
    words_.erase(words_.begin());
    return parse(name, word, least, most);
  }

  /// All that is left: plain words.
  std::vector<std::string> rest() {
    for (const std::string& word : words_)
      if (word.starts_with('-')) fail("unknown option '" + word + "'");
    return std::move(words_);
  }

  void done() const {
    if (!words_.empty()) fail("unexpected argument '" + words_.front() + "'");
  }

  [[noreturn]] void fail(const std::string& message) const {
    std::fprintf(stderr, "error: %s\n%s", message.c_str(), usage_);
    std::exit(2);
  }

 private:
  std::size_t parse(const std::string& name, const std::string& word, std::size_t least,
                    std::size_t most) const {
    std::size_t value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, value);
    if (error == std::errc() && stop == end && least <= value && value <= most) return value;
    fail(name + " must be a whole number from " + std::to_string(least) + " to " +
         std::to_string(most) + ", not '" + word + "'");
  }

  const char* usage_;
  std::vector<std::string> words_;
};

}  // namespace examples
