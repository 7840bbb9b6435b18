// The result of a call instead of the call.
#include <furca/join.hpp>

int half() { return 21; }

int main() {
#ifdef MISTAKE
  furca::join([] { return half(); }, half());
#else
  (void)furca::join([] { return half(); }, [] { return half(); });
#endif
}
