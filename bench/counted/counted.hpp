// What a program on the counted machine says of itself. Nothing on any other.
#pragma once

#include <cstddef>
#include <functional>

namespace counted {

/// The calling thread computes for so many nanoseconds.
void work(double ns) noexcept;

/// Runs f(), which calls nothing of furca's: it computes for so long as f() takes here, now. Then
/// the same seed is not the same picosecond.
void measured(const std::function<void()>& f);

/// It reads, or writes, so many bytes of its program's data. The address is that of any memory, or
/// of none: nothing is looked at.
void read(const void* address, std::size_t bytes) noexcept;
void write(const void* address, std::size_t bytes) noexcept;

/// Nanoseconds since the machine was started.
double now() noexcept;

}  // namespace counted
