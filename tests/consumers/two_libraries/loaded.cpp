// loaded POOLS LEFT RIGHT: a program that loads both libraries, each with names of its own
// (RTLD_LOCAL), as plugins are.
#include "pools.hpp"

#include <dlfcn.h>

static Sum* sum_of(const char* library, const char* name) {
  void* const handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  void* const sum = handle == nullptr ? nullptr : dlsym(handle, name);
  if (sum == nullptr) {
    printf("FAILED: %s\n", dlerror());
    exit(1);
  }
  return reinterpret_cast<Sum*>(sum);
}

int main(int, char** argv) {
  return expect_pools(argv[1], sum_of(argv[2], "left_sum"), sum_of(argv[3], "right_sum"));
}
