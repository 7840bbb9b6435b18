// thread_ends: threads that the C++ library did not start, and fibers, give their place in the
// global pool back when they end, and no sooner.
#include <furca/furca.hpp>

#include <cstddef>
#include <cstdio>

#include <windows.h>

namespace {

/// The caller's number, which is the least that was free when it first called in.
std::size_t call_in() {
  furca::join([] {}, [] {});
  return furca::thread_index();
}

struct Numbers {
  std::size_t first = 0;
  std::size_t last = 0;
  void* fiber = nullptr;
};

std::size_t at_end = 0;  // MinGW frees a thread_local variable before it is destroyed

struct CallsInAtEnd {
  ~CallsInAtEnd() { at_end = call_in(); }
};

DWORD WINAPI plain(void* numbers) {
  static_cast<Numbers*>(numbers)->first = static_cast<Numbers*>(numbers)->last = call_in();
  return 0;
}

DWORD WINAPI with_locals(void* memory) {
  auto* const numbers = static_cast<Numbers*>(memory);
  static thread_local const CallsInAtEnd calls_in;
  (void)&calls_in;
  numbers->first = call_in();
  return 0;
}

void WINAPI last_fiber(void* memory) {
  auto* const numbers = static_cast<Numbers*>(memory);
  DeleteFiber(numbers->fiber);  // the one that has called in
  // another one calls in meanwhile: if this one had left, it would have the same number
  Numbers other;
  const HANDLE thread = CreateThread(nullptr, 0, plain, &other, 0, nullptr);
  WaitForSingleObject(thread, INFINITE);
  CloseHandle(thread);
  numbers->last = other.first == numbers->first ? 0 : call_in();
}

/// The thread ends in a fiber other than the one that has called in.
DWORD WINAPI in_fibers(void* memory) {
  auto* const numbers = static_cast<Numbers*>(memory);
  numbers->fiber = ConvertThreadToFiber(nullptr);
  numbers->first = call_in();
  SwitchToFiber(CreateFiber(0, last_fiber, memory));
  return 1;
}

bool give_back(const char* name, LPTHREAD_START_ROUTINE run) {
  std::size_t expected = 0;
  for (int i = 0; i < 20; ++i) {
    Numbers numbers;
    at_end = 0;
    const HANDLE thread = CreateThread(nullptr, 0, run, &numbers, 0, nullptr);
    WaitForSingleObject(thread, INFINITE);
    CloseHandle(thread);
    if (run == with_locals) numbers.last = at_end;
    if (i == 0) expected = numbers.first;
    if (expected > 0 && numbers.first == expected && numbers.last == expected) continue;
    std::printf("%s: thread %d had %zu, then %zu, not %zu\n", name, i, numbers.first, numbers.last,
                expected);
    return false;
  }
  return true;
}

}  // namespace

int main() {
  call_in();  // so that no other thread has number 0
  const bool all[] = {give_back("plain", plain), give_back("with locals", with_locals),
                      give_back("in fibers", in_fibers)};
  if (!all[0] || !all[1] || !all[2]) return 1;
  std::printf("60 threads gave their places back\n");
  return 0;
}
