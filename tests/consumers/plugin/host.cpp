// host PLUGIN TIMES: loads, uses and unloads a plugin, and looks at what is left of it. It knows
// nothing of furca.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

static long threads() {
  struct stat tasks;
  // a directory for each
  return stat("/proc/self/task", &tasks) == 0 ? static_cast<long>(tasks.st_nlink) - 2 : 0;
}

static bool is_mapped(const char* file) {
  FILE* const maps = fopen("/proc/self/maps", "r");
  bool found = false;
  char line[4096];
  while (maps != nullptr && !found && fgets(line, sizeof line, maps) != nullptr)
    found = strstr(line, file) != nullptr;
  if (maps != nullptr) fclose(maps);
  return found;
}

static int failed(const char* what) {
  printf("FAILED: %s\n", what);
  return 1;
}

int main(int, char** argv) {
  setenv("FURCA_NUM_THREADS", "4", 1);
  const int times = atoi(argv[2]);
  for (int i = 0; i < times; ++i) {
    void* const plugin = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    if (plugin == nullptr) return failed(dlerror());
    auto* const sum = reinterpret_cast<long (*)(long)>(dlsym(plugin, "plugin_sum"));
    if (sum == nullptr) return failed(dlerror());
    if (sum(100000) != 4999950000) return failed("a wrong sum");
    if (threads() != 4) return failed("the plugin has not started three threads");
    if (dlclose(plugin) != 0) return failed(dlerror());
    if (is_mapped(argv[1]) || is_mapped("libfurca"))
      return failed("dlclose does not unload the plugin, or its libfurca");
    // A thread that has been joined may be seen a little longer.
    for (int waited = 0; threads() != 1 && waited < 60'000; ++waited) usleep(1000);
    if (threads() != 1) return failed("threads of the plugin's are left");
  }
  printf("%d times loaded, used and unloaded: no thread left\n", times);
}
