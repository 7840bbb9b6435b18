// A stop token answers without an exception.
#include <furca/scope.hpp>

struct Flag {
  const bool* raised = nullptr;

#ifdef MISTAKE
  bool stop_requested() const { return *raised; }
#else
  bool stop_requested() const noexcept { return *raised; }
#endif
  bool stop_possible() const noexcept { return raised != nullptr; }
};

int main() {
  furca::scope([](furca::Scope&) {}, {.stop = Flag()});
}
