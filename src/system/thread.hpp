// Threads with a name and a stack size, which std::thread does not offer.
#pragma once

#include <furca/detail/base/config.hpp>

#include <string>

namespace furca::detail {

/// A started thread. Not joined by its destructor: the pool joins, or knows why it must not.
class Thread {
 public:
  using Entry = void (*)(void*);

  /// Starts entry(argument). A spurious EAGAIN is tried again a few times. Throws
  /// std::system_error.
  /// `stack_size` in bytes; 0: the system's default, or least_stack_size(). `name` is cut to the 15
  /// characters that Linux keeps.
  Thread(Entry entry, void* argument, const std::string& name, std::size_t stack_size);

  void join() noexcept;
  void detach() noexcept;

  /// The smallest stack_size that the system takes, in bytes.
  static std::size_t least_stack_size() noexcept;

  /// The calling thread's stack: its lowest address, and its size in bytes; null where the system
  /// does not tell.
  static std::pair<const void*, std::size_t> stack() noexcept;

  /// The number of bytes of such a stack that have ever been used, in whole pages, as far as the
  /// system has them in memory; 0 where it does not tell. Any thread, while the stack's is there.
  static std::size_t stack_used(const char* lowest, std::size_t size) noexcept;

  /// The address in the middle of the calling thread's stack; null where the system does not tell.
  static const void* middle_of_stack() noexcept;

  /// More than half of the calling thread's stack is in use; false where the system does not tell
  /// how large it is.
  static bool past_middle_of_stack() noexcept;

 private:
  std::uintptr_t handle_ = 0;  // the system's
};

}  // namespace furca::detail
