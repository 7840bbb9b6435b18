// A user's program: a little of everything, so that all of furca that is not in headers has to be
// linked.
#include <furca/furca.hpp>

#include <atomic>
#include <cstdio>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#if FURCA_VERSION < 100
#error "FURCA_VERSION is not a version"
#endif

namespace {

furca::Async<int> six() { co_return 6; }

}  // namespace

int main() {
  std::vector<int> squares(100);
  furca::Progress progress(squares.size());
  furca::parallel_for(std::size_t{0}, squares.size(),
                      [&](std::size_t i) { squares[i] = static_cast<int>(i * i); },
                      {.progress = &progress});
  const int sum =
      furca::parallel_reduce(squares, 0, [](int square) { return square; }, std::plus<>{});
  const auto [left, right] = furca::join([] { return 6; }, [] { return 7; });
  std::atomic<int> tasks{0};
  furca::scope([&](furca::Scope& scope) {
    for (int i = 0; i < 10; ++i) scope.spawn([&] { ++tasks; });
  });
  furca::spawn([&] { ++tasks; });
  furca::wait_idle();
  furca::ThreadPool pool({.threads = 2});
  const bool right_results = sum == 328350 && progress.done() == 100 && left * right == 42 &&
                             tasks == 11 && furca::sync_wait(six()) == 6 &&
                             pool.install(furca::num_threads) == 2 &&
                             furca::stats().workers.size() >= 1;
  const bool right_library = std::strcmp(furca::version(), FURCA_VERSION_STRING) == 0;
  std::printf("furca %s, %zu threads: %s\n", furca::version(), furca::num_threads(),
              right_results && right_library ? "right" : "WRONG");
  return right_results && right_library ? 0 : 1;
}
