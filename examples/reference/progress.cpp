// Progress, in use.
#include "../expect.hpp"

#include <furca/parallel_for.hpp>
#include <furca/progress.hpp>
#include <furca/scope.hpp>

#include <atomic>
#include <cstdio>

namespace {

void loop() {
  //! [Progress]
  furca::Progress progress(100'000);
  std::atomic<long> sum{0};
  // Another thread may ask at any time:
  const auto draw = [&progress] {
    std::printf("%llu of %llu, %.0f %%, %.3f s, %.0f a second, %.0f s left\n",
                static_cast<unsigned long long>(progress.done()),
                static_cast<unsigned long long>(progress.total()), 100 * progress.fraction(),
                progress.elapsed(), progress.rate(), progress.seconds_left());
  };
  furca::parallel_for(0, 100'000, [&](int i) { sum += i; }, {.progress = &progress});
  draw();
  //! [Progress]
  examples::expect(progress.done() == 100'000 && sum == 4'999'950'000,
                   "every iteration has run, and is counted");
}

void tasks() {
  //! [add]
  furca::Progress files(3);
  furca::scope([&](furca::Scope& s) {
    for (int i = 0; i < 3; ++i) s.spawn([&] { files.add(); });
  });
  //! [add]
  examples::expect(files.fraction() == 1, "all tasks are counted");
}

}  // namespace

int main() {
  loop();
  tasks();
  return examples::unexpected;
}
