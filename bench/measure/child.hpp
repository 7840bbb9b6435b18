// What harness.cpp and its children say to each other.
#pragma once

#include "measure.hpp"
#include "registry.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace bench {

std::vector<std::string> child_arguments(const Workload& workload, const Contender& contender,
                                         unsigned threads, const Input& input, Effort effort);
std::vector<std::string> child_arguments(const Probe& probe, unsigned threads);

/// For the span of a call of furca's, in nanoseconds. The child needs FURCA_STATS=span in its
/// environment.
std::vector<std::string> span_arguments(const Workload& workload, const Contender& contender,
                                        unsigned threads, const Input& input);

/// What a contender's child printed.
std::optional<Measurement> parse_measurement(const std::string& output);

/// What the program does in a child: if the arguments are a child's, its exit code.
std::optional<int> run_if_child(std::span<char* const> arguments);

}  // namespace bench
