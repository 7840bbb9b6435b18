// What a system is told of a running thread, and tells: its name.
#pragma once

#include <string>

namespace furca::detail {

/// The calling thread has this name in what the system shows of threads, where it shows names.
void name_thread(const std::string& name) noexcept;

}  // namespace furca::detail
