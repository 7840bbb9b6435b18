// A result has to get from the thief to the caller.
#include <furca/join.hpp>

struct Movable {};

struct Immovable {
  Immovable() = default;
  Immovable(Immovable&&) = delete;
};

int main() {
#ifdef MISTAKE
  furca::join([] { return Immovable(); }, [] {});
#else
  (void)furca::join([] { return Movable(); }, [] {});
#endif
}
