// FlushProcessWriteBuffers.
#include "../process_fence.hpp"

#include "windows.hpp"

namespace furca::detail {

/// On Windows, and not on Wine, whose version 8 has a function of this name that does nothing. Wine
/// is known by what it adds to ntdll.dll.
///
/// Rejected: to try whether it reaches a thread that writes, looks, and has no fence. A store waits
/// for nanoseconds, and in most rounds no processor shows that there was no fence. So a machine
/// passes by luck, and then some task runs twice.
bool has_process_fence() noexcept {
  using Version = const char* __cdecl();
  return find_function<Version>(L"ntdll.dll", "wine_get_version") == nullptr;
}

void process_fence() noexcept { FlushProcessWriteBuffers(); }

}  // namespace furca::detail
