// How many pools two libraries start: each has three threads beside this one.
#pragma once

#include <stdio.h>
#include <stdlib.h>

#include <sys/stat.h>

using Sum = long(long n);

inline long threads() {
  struct stat tasks;
  // a directory for each
  return stat("/proc/self/task", &tasks) == 0 ? static_cast<long>(tasks.st_nlink) - 2 : 0;
}

inline int expect_pools(const char* expected, Sum* left, Sum* right) {
  setenv("FURCA_NUM_THREADS", "4", 1);
  for (int i = 0; i < 100; ++i) {
    if (left(10000) != 49995000 || right(20000) != 199990000) {
      puts("FAILED: a wrong sum");
      return 1;
    }
  }
  const long started = threads() - 1;
  printf("%ld threads started: %ld pools\n", started, started / 3);
  if (started == 3 * atol(expected)) return 0;
  printf("FAILED: expected pools: %s\n", expected);
  return 1;
}
