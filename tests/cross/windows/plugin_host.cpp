// plugin_host DLL: loads it, computes in it, lets go of it, and computes again, three times; ends
// while its threads sleep. The DLL stays, for its threads, and waits for none that needs the
// loader's lock to end, or is gone.
//
// Threads that compute end at once. One that goes on keeps the DLL loaded by itself: the compiler's
// runtime has its thread_local variables to destroy.
#include <cstdio>
#include <thread>

#include <windows.h>

int main(int, char** arguments) {
  int (*compute)() = nullptr;
  const auto on_a_thread = [&] {
    int result = 0;
    std::thread([&] { result = compute(); }).join();
    return result;
  };
  for (int i = 0; i < 3; ++i) {
    const HMODULE plugin = LoadLibraryA(arguments[1]);
    if (plugin == nullptr) return 1;
    compute =
        reinterpret_cast<int (*)()>(reinterpret_cast<void*>(GetProcAddress(plugin, "compute")));
    const int loaded = on_a_thread();
    if (FreeLibrary(plugin) == 0) return 2;
    if (GetModuleHandleA(arguments[1]) == nullptr) return 3;
    const int let_go = on_a_thread();
    std::printf("%d %d\n", loaded, let_go);
    if (loaded != 10'000 || let_go != 10'000) return 4;
  }
  return compute() == 10'000 ? 0 : 5;
}
