// A child process of this program's own.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace bench {

/// This program's own path, to be started again.
std::string own_path();

/// Runs a program with these arguments and these changes to the environment ("NAME=value"). Returns
/// what it wrote to stdout, or nothing if it failed, which is said on stderr, about `what`. Its
/// stderr is ours, or goes into `errors` if that is not null.
std::optional<std::string> run_process(const std::string& program,
                                       std::vector<std::string> arguments,
                                       const std::vector<std::string>& environment,
                                       const std::string& what, std::string* errors = nullptr);

}  // namespace bench
