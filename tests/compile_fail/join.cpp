// Wrong calls of join.hpp: each under words that its first error has (wrong_calls.py).
#define FURCA_TOLD decltype([] {})
#include <furca/join.hpp>

#include <functional>
#include <vector>

struct Immovable {
  Immovable() = default;
  Immovable(const Immovable&) = delete;
  Immovable& operator=(const Immovable&) = delete;
};

void right() {
  furca::join([] {}, [] {});
}

void wrong(const std::vector<std::function<void()>>& arms) {
  const auto one = [] { return 1; };
  // furca: write join([&] { return f(x); }, [&] { return g(y); })
  furca::join(one, one());
  // and what they return can be moved
  furca::join([] { return Immovable(); }, [] {});
  // each called without arguments
  furca::join([] {}, [](int) {});
  // two arms or more
  furca::join();
  // two arms or more
  furca::join([] {});
  // furca: write join(
  furca::join([] {}, [] {}, 3);
  // furca: write join(
  furca::join([] {}, [] {}, [] {}, [] {}, [] {}, 3);
  // for as many as a container holds write parallel_for(arms,
  furca::join(arms);
  // nodiscard
  furca::join(one, [] {});
}
