// plugin_host DLL: loads it, computes in it on two threads, lets go of it, three times; and ends
// while its threads sleep. It waits for no thread that needs the loader's lock to end, or is gone.
#include <cstdio>
#include <thread>

#include <windows.h>

int main(int, char** arguments) {
  for (int i = 0; i < 3; ++i) {
    const HMODULE plugin = LoadLibraryA(arguments[1]);
    if (plugin == nullptr) return 1;
    auto* const compute =
        reinterpret_cast<int (*)()>(reinterpret_cast<void*>(GetProcAddress(plugin, "compute")));
    int there = 0;
    std::thread([&] { there = compute(); }).join();
    const int here = compute();
    std::printf("%d %d\n", here, there);
    if (here != 10'000 || there != 10'000 || FreeLibrary(plugin) == 0) return 2;
  }
  return 0;
}
