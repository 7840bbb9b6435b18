#include "arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

namespace bench {

void refuse(const std::string& why) {
  std::fprintf(stderr, "%s: %s\n", program_invocation_short_name, why.c_str());
  std::exit(2);
}

std::uint64_t parse_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most)
    refuse(option + " wants a number from " + std::to_string(least) + " to " +
           std::to_string(most) + ", not \"" + text + "\"");
  return value;
}

std::vector<std::uint64_t> parse_counts(const std::string& option, const std::string& text,
                                        std::uint64_t most) {
  std::vector<std::uint64_t> counts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    counts.push_back(parse_number(option, text.substr(at, comma - at), 1, most));
    at = comma + 1;
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

}  // namespace bench
