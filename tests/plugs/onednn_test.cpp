// What oneDNN asks of a threadpool, as it does: nested calls are serial, parts know how many there
// are. oneDNN's own use of it, `parallel(n, f)`, is written anew here; and primitives are computed
// where oneDNN is built for a threadpool. (Debian's is built for OpenMP.)
#include "everywhere.hpp"

#include <furca/plugs/onednn.hpp>

#include <array>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <vector>
#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_THREADPOOL
#include <oneapi/dnnl/dnnl_threadpool.hpp>
#endif

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

#if DNNL_CPU_THREADING_RUNTIME == DNNL_RUNTIME_THREADPOOL
/// A product of two matrices, all of whose elements are the same.
bool multiplies(OneDnnPool& threads) {
  using dnnl::memory;
  constexpr memory::dim kSide = 96;
  const dnnl::engine engine(dnnl::engine::kind::cpu, 0);
  dnnl::stream stream = dnnl::threadpool_interop::make_stream(engine, &threads);
  const memory::desc matrix({kSide, kSide}, memory::data_type::f32, memory::format_tag::ab);
  std::vector<float> twos(kSide * kSide, 2.F);
  std::vector<float> threes(kSide * kSide, 3.F);
  std::vector<float> product(kSide * kSide);
  const dnnl::matmul multiply(dnnl::matmul::primitive_desc(engine, matrix, matrix, matrix));
  multiply.execute(stream, {{DNNL_ARG_SRC, memory(matrix, engine, twos.data())},
                            {DNNL_ARG_WEIGHTS, memory(matrix, engine, threes.data())},
                            {DNNL_ARG_DST, memory(matrix, engine, product.data())}});
  stream.wait();
  return product == std::vector<float>(kSide * kSide, 6.F * kSide);
}

TEST_CASE("oneDNN's own primitives everywhere, and furca's threads compute them") {
  everywhere::call_everywhere([](furca::ThreadPool* pool) {
    OneDnnPool threads(pool);
    return multiplies(threads);
  });
  struct Counted : OneDnnPool {
    void parallel_for(int n, const std::function<void(int, int)>& part) override {
      parts += n;
      OneDnnPool::parallel_for(n, part);
    }
    using OneDnnPool::OneDnnPool;
    std::atomic<int> parts = 0;
  };
  furca::ThreadPool pool({.threads = 3});
  Counted threads(&pool);
  CHECK(multiplies(threads));
  CHECK(threads.parts >= 3);
}
#endif

/// oneDNN's own cache of primitives is destroyed before.
const everywhere::AtExit after_main([] {
  OneDnnPool threads;
  return computes(threads);
});

}  // namespace
