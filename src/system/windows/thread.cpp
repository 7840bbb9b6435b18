// Threads of the C library's, so that it knows them.
#include "../thread.hpp"

#include "../placement.hpp"
#include "windows.hpp"

#include <cerrno>
#include <memory>
#include <system_error>
#include <vector>

#include <process.h>

namespace furca::detail {

namespace {

struct Start {
  Thread::Entry entry;
  void* argument;
  std::string name;
  std::vector<Processor> processors;  // none: it runs where its starter does
};

void introduce_thread(const std::string& name) noexcept {
  using SetDescription = HRESULT WINAPI(HANDLE, PCWSTR);
  auto* const set = find_function<SetDescription>(L"kernelbase.dll", "SetThreadDescription");
  wchar_t wide[16] = {};
  for (std::size_t i = 0; i < name.size() && i < 15; ++i)
    wide[i] = static_cast<unsigned char>(name[i]);
  if (set != nullptr) set(GetCurrentThread(), wide);
}

unsigned __stdcall run_thread(void* memory) {
  auto* const start = static_cast<Start*>(memory);
  introduce_thread(start->name);
  if (!start->processors.empty()) restrict_to(start->processors);
  const Thread::Entry entry = start->entry;
  void* const argument = start->argument;
  delete start;
  entry(argument);
  return 0;
}

/// A DLL with furca inside stays loaded from here on: threads run its code, and one that is
/// unloaded could not wait for them. Its end runs under the loader's lock, and a thread needs that
/// lock to end.
void stay_loaded() noexcept {
  HMODULE here = nullptr;
  GetModuleHandleExW(GET_MODULE_HANDLE_EX_FLAG_FROM_ADDRESS | GET_MODULE_HANDLE_EX_FLAG_PIN,
                     reinterpret_cast<LPCWSTR>(&run_thread), &here);
}

HANDLE handle_of(std::uintptr_t handle) noexcept { return reinterpret_cast<HANDLE>(handle); }

}  // namespace

Thread::Thread(Entry entry, void* argument, const std::string& name, std::size_t stack_size) {
  if (stack_size > UINT_MAX)
    throw std::system_error(EINVAL, std::generic_category(),
                            "furca: the system refuses a stack of this size");
  stay_loaded();
  auto start = std::make_unique<Start>(Start{entry, argument, name.substr(0, 15), {}});
  // who is bound to one of these starts threads that are not
  if (const auto binding = find_binding()) start->processors = *binding->among;
  handle_ = _beginthreadex(nullptr, static_cast<unsigned>(stack_size), run_thread, start.get(),
                           STACK_SIZE_PARAM_IS_A_RESERVATION, nullptr);
  if (handle_ == 0)
    throw std::system_error(errno, std::generic_category(),
                            "furca: cannot start thread " + name + " (fewer threads)");
  start.release();  // run_thread's now
}

void Thread::join() noexcept {
  WaitForSingleObject(handle_of(handle_), INFINITE);
  CloseHandle(handle_of(handle_));
}

void Thread::detach() noexcept { CloseHandle(handle_of(handle_)); }

/// Stacks are reserved in steps of this size.
std::size_t Thread::least_stack_size() noexcept { return 65'536; }

std::pair<const void*, std::size_t> Thread::stack() noexcept {
  ULONG_PTR low = 0;
  ULONG_PTR high = 0;
  GetCurrentThreadStackLimits(&low, &high);
  return {reinterpret_cast<const void*>(low), high - low};
}

/// A stack's pages are committed as they are touched, from the top down.
std::size_t Thread::stack_used(const char* lowest, std::size_t size) noexcept {
  const char* const end = lowest + size;
  MEMORY_BASIC_INFORMATION part;
  for (const char* at = lowest; at < end && VirtualQuery(at, &part, sizeof part) != 0;) {
    const auto* const begin = static_cast<const char*>(part.BaseAddress);
    if (part.State == MEM_COMMIT && (part.Protect & PAGE_GUARD) == 0)
      return static_cast<std::size_t>(end - begin);
    at = begin + part.RegionSize;
  }
  return 0;
}

}  // namespace furca::detail
