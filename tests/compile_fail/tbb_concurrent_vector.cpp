// Containers stay with oneTBB.
#ifdef MISTAKE
# include <furca/compat/tbb/concurrent_vector.h>  // not at the beginning of the line: right.sh takes such lines of all sources
#endif

int main() {}
