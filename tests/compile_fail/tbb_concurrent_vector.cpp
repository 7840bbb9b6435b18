// Containers stay with oneTBB.
#ifdef MISTAKE
#include <furca/compat/tbb/concurrent_vector.h>
#endif

int main() {}
