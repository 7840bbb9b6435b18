// What the command lines of furca-bench and furca-counted have in common.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace bench {

/// Says what is wrong on stderr, in one line after the program's name, and exits with 2.
[[noreturn]] void refuse(const std::string& why);

/// A number in [least, most]; refuses anything else.
std::uint64_t parse_number(const std::string& option, const std::string& text, std::uint64_t least,
                           std::uint64_t most);

/// Such numbers from 1 on with commas between, sorted, each once.
std::vector<std::uint64_t> parse_counts(const std::string& option, const std::string& text,
                                        std::uint64_t most);

}  // namespace bench
