// linked POOLS: a program that was linked with both libraries.
#include "pools.hpp"

extern "C" long left_sum(long n);
extern "C" long right_sum(long n);

int main(int, char** argv) { return expect_pools(argv[1], left_sum, right_sum); }
