// What oneDNN asks of a threadpool, as it does: nested calls are serial, parts know how many there
// are. Debian's oneDNN has the interface's header, and is built for OpenMP; so oneDNN's own use of
// it, `parallel(n, f)`, is written anew here.
#include "everywhere.hpp"

#include <furca/plugs/onednn.hpp>

#include <array>
#include <functional>

namespace {

using furca::plugs::OneDnnPool;
using Interface = dnnl::threadpool_interop::threadpool_iface;

/// oneDNN's loops: in a part they are serial, elsewhere on the threadpool.
void parallel(Interface& threads, int n, const std::function<void(int, int)>& part) {
  if (threads.get_in_parallel()) {
    for (int i = 0; i < n; ++i) part(i, n);
    return;
  }
  threads.parallel_for(n, part);
}

/// A primitive whose parts have loops of their own.
bool computes(Interface& threads) {
  std::array<std::atomic<int>, 64> seen{};
  std::atomic<int> wrong = 0;
  const int n = threads.get_num_threads();
  parallel(threads, n, [&](int i, int of) {
    wrong += of == n && threads.get_in_parallel() ? 0 : 1;
    parallel(threads, 3, [&](int, int inner) { seen[static_cast<std::size_t>(i)] += inner; });
  });
  for (int i = 0; i < 64; ++i)
    wrong += seen[static_cast<std::size_t>(i)].load() == (i < n ? 9 : 0) ? 0 : 1;
  return wrong.load() == 0 && !threads.get_in_parallel() &&
         (threads.get_flags() & Interface::ASYNCHRONOUS) == 0;
}

TEST_CASE("primitives everywhere") {
  everywhere::call_everywhere([](furca::ThreadPool* pool) {
    OneDnnPool threads(pool);
    return computes(threads);
  });
}

TEST_CASE("one for many streams, and furca's loops in its parts") {
  furca::ThreadPool pool({.threads = 3});
  OneDnnPool threads(&pool);
  CHECK(threads.get_num_threads() == 3);
  std::atomic<int> wrong = 0;
  furca::parallel_for(0, 100, [&](int) { wrong += computes(threads) ? 0 : 1; });
  std::atomic<int> sum = 0;
  parallel(threads, 8, [&](int, int) { furca::parallel_for(0, 20, [&](int) { ++sum; }); });
  CHECK(sum.load() == 160);
  CHECK(wrong.load() == 0);
}

TEST_CASE("what a part throws comes out of parallel_for") {
  struct Thrown {};
  OneDnnPool threads;
  CHECK_THROWS_AS(threads.parallel_for(20,
                                       [](int i, int) {
                                         if (i == 7) throw Thrown();
                                       }),
                  Thrown);
  CHECK(!threads.get_in_parallel());
  CHECK(computes(threads));
}

const everywhere::AtExit after_main([] {
  OneDnnPool threads;
  return computes(threads);
});

}  // namespace
