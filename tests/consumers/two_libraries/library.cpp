// One of the two libraries. SUM is what its function is called.
#include "sum.hpp"

extern "C" [[gnu::visibility("default")]] long SUM(long n);

long SUM(long n) { return sum(n); }
