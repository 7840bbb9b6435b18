// The result comes from another thread, and is moved to the caller.
#include <furca/spawn.hpp>

struct Immovable {
  Immovable() = default;
  Immovable(Immovable&&) = delete;
};

int main() {
#ifdef MISTAKE
  furca::spawn_task([] { return Immovable(); }).join();
#else
  furca::spawn_task([] { return 1; }).join();
#endif
}
