// Calls and their places in the source, each once: what is kept of one is a pointer.
#pragma once

#include <cstdint>

namespace furca::detail {

struct Site {
  const char* call;  // its name: "loop"
  const char* file;
  const char* function;
  std::uint32_t line;  // 0: not known
  std::uint32_t column;

  /// The file's name without directories.
  const char* file_name() const noexcept;

  /// The one with these values. They live as long as the process, and so do copies of their texts;
  /// most are known for some nanoseconds' look into the thread's own cache. Never null: those for
  /// which there is no more room are all one.
  static const Site* of(const char* call, const char* file, const char* function,
                        std::uint32_t line, std::uint32_t column) noexcept;
};

}  // namespace furca::detail
