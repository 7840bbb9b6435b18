#include "../process.hpp"

#include <furca/detail/base/atomics.hpp>

#include "windows.hpp"

#include <cstdlib>

namespace furca::detail {

namespace {

constinit INIT_ONCE ran_once = INIT_ONCE_STATIC_INIT;
/// Of a thread that ends meanwhile it may be read before or after it is set: that one has no value.
constinit std::atomic<DWORD> end_index{TLS_OUT_OF_INDEXES};
constinit std::atomic<void (*)(void*) noexcept> at_end{nullptr};

DWORD slot() noexcept { return end_index.load(std::memory_order_relaxed); }

void end_thread() noexcept {
  const auto call = at_end.load(std::memory_order_relaxed);
  void* const value = call != nullptr ? TlsGetValue(slot()) : nullptr;
  if (value == nullptr) return;
  call(value);
  if (at_end.load(std::memory_order_relaxed) != nullptr) TlsSetValue(slot(), nullptr);
}

constinit thread_local bool locals_end = false;

/// The end of a thread's thread_local variables, before the system's own call, as those variables
/// are gone there. MinGW's are gone here already, this one too: the value lies with the system.
struct EndOfLocals {
  bool counts = false;
  ~EndOfLocals() {
    locals_end = true;
    end_thread();
  }
};
constinit thread_local EndOfLocals end_of_locals;

/// The system's own call, under the loader's lock. Not FlsAlloc's: a value there is a fiber's, and
/// that call comes when one fiber deletes another.
void NTAPI notice(void*, DWORD reason, void*) {
  if (reason == DLL_THREAD_DETACH) end_thread();
}

}  // namespace

// The linker gathers such sections by name. This one comes after the C library's own, where threads
// that it did not start have their thread_local variables destroyed.
#if defined(_MSC_VER)
#pragma section(".CRT$XLY", read)
#pragma comment(linker, "/include:_tls_used")
#pragma comment(linker, "/include:furca_notice")
extern "C" __declspec(allocate(".CRT$XLY"))
#else
[[gnu::section(".CRT$XLY"), gnu::used]]
#endif
const PIMAGE_TLS_CALLBACK furca_notice = notice;

void StdAtomics::yield() noexcept { SwitchToThread(); }

long process_id() noexcept { return static_cast<long>(GetCurrentProcessId()); }

bool is_first_thread() noexcept { return false; }

const char* trusted_variable(const char* name) noexcept { return std::getenv(name); }

/// N: the handle is not inherited.
std::FILE* create_file(const char* name) noexcept { return std::fopen(name, "wN"); }

void run_once(void (*install)() noexcept) noexcept {
  InitOnceExecuteOnce(
      &ran_once,
      [](PINIT_ONCE, void* call, void**) -> BOOL {
        (*static_cast<void (**)() noexcept>(call))();
        return TRUE;
      },
      &install, nullptr);
}

void at_fork(void (*)() noexcept, void (*)() noexcept, void (*)() noexcept) noexcept {}

bool watch_thread_ends(void (*call)(void* value) noexcept) noexcept {
  end_index.store(TlsAlloc(), std::memory_order_relaxed);
  at_end.store(call, std::memory_order_relaxed);
  return slot() != TLS_OUT_OF_INDEXES;
}

/// From the destructors of variables that outlive that one, the system's call is left.
bool set_value_at_end(void* value) noexcept {
  if (!locals_end) end_of_locals.counts = true;  // it has a destructor once it is used
  return TlsSetValue(slot(), value) != 0;
}
void* value_after_locals() noexcept { return TlsGetValue(slot()); }

void ignore_thread_ends() noexcept {
  at_end.store(nullptr, std::memory_order_relaxed);
  TlsFree(slot());
}

/// At a process's end the system ends all threads but one, and then calls the libraries' ends: a
/// DLL with furca inside has its static destructors called there.
bool other_threads_are_gone() noexcept {
  using InShutdown = BOOLEAN WINAPI();
  auto* const in_shutdown = find_function<InShutdown>(L"ntdll.dll", "RtlDllShutdownInProgress");
  return in_shutdown != nullptr && in_shutdown() != 0;
}

}  // namespace furca::detail
