// <windows.h> without what takes names away from others. For the files of this folder.
#pragma once

#if !defined(WIN32_LEAN_AND_MEAN)
#define WIN32_LEAN_AND_MEAN
#endif
#if !defined(NOMINMAX)
#define NOMINMAX
#endif
// WaitOnAddress is Windows 8's, names of threads are Windows 10's.
#if !defined(_WIN32_WINNT) || _WIN32_WINNT < 0x0A00
#undef _WIN32_WINNT
#define _WIN32_WINNT 0x0A00
#endif
#include <windows.h>
#undef near
#undef far

namespace furca::detail {

/// A function that older systems, or others' versions of them, do not have; null where there is
/// none.
template <class Function>
Function* find_function(const wchar_t* library, const char* name) noexcept {
  const HMODULE module = GetModuleHandleW(library);
  if (module == nullptr) return nullptr;
  return reinterpret_cast<Function*>(reinterpret_cast<void*>(GetProcAddress(module, name)));
}

}  // namespace furca::detail
