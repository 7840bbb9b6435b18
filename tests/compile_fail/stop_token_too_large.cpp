// A stop token is as small as a pointer.
#include <furca/parallel_for.hpp>

struct Flags {
#ifdef MISTAKE
  const bool* also = nullptr;
#endif
  const bool* raised = nullptr;

  bool stop_requested() const noexcept { return *raised; }
  bool stop_possible() const noexcept { return raised != nullptr; }
};

int main() {
  furca::parallel_for(0, 10, [](int) {}, {.stop = Flags()});
}
