// Halide on furca's threads: a pipeline that is compiled as it runs.
#include "everywhere.hpp"

#include <furca/plugs/callbacks.hpp>

#include <Halide.h>
#include <HalideRuntime.h>
#include <cstdint>

namespace {

std::atomic<int> calls = 0;

int counted(Halide::JITUserContext* user, int (*task)(Halide::JITUserContext*, int, std::uint8_t*),
            int min, int size, std::uint8_t* closure) {
  ++calls;
  return furca::plugs::halide(user, task, min, size, closure);
}

constexpr int kSide = 200;

/// Rows in parallel, and in each the columns in parallel.
class Squares {
 public:
  Squares() {
    Halide::Var x;
    Halide::Var y;
    sums_(x, y) = x * x + y;
    sums_.parallel(y).parallel(x);
    Halide::Pipeline pipeline(sums_);
    pipeline.jit_handlers().custom_do_par_for = counted;
    pipeline.compile_jit();
    pipeline_ = pipeline;
  }
  bool right() {
    Halide::Buffer<int> result(kSide, kSide);
    pipeline_.realize(result);
    for (int y = 0; y < kSide; ++y)
      for (int x = 0; x < kSide; ++x)
        if (result(x, y) != x * x + y) return false;
    return true;
  }

 private:
  Halide::Func sums_;
  Halide::Pipeline pipeline_;
};

TEST_CASE("Halide's loops everywhere") {
  Squares squares;
  everywhere::call_everywhere_inside([&] { return squares.right(); });
  CHECK(calls.load() > 0);
}

// of a pipeline that is compiled ahead of time
[[maybe_unused]] const halide_do_par_for_t ahead_of_time = furca::plugs::halide;

TEST_CASE("furca's loops in jobs, and what one throws ends the program") {
  std::atomic<int> steps = 0;
  const auto job = [](void* count, int, std::uint8_t*) {
    furca::parallel_for(0, 30, [=](int) { ++*static_cast<std::atomic<int>*>(count); });
    return 0;
  };
  CHECK(furca::plugs::halide<void>(&steps, job, 0, 20, nullptr) == 0);
  CHECK(steps == 600);
  const auto thrower = [](void*, int, std::uint8_t*) -> int { throw 1; };
  CHECK(everywhere::ends_program([&](furca::ThreadPool& pool) {
    pool.install([&] { furca::plugs::halide<void>(nullptr, thrower, 0, 8, nullptr); });
  }));
}

TEST_CASE("after a job has failed none begins, and its code comes back") {
  struct Seen {
    std::atomic<int> ran = 0;
    int fails = 0;
  };
  constexpr auto job = [](void* user, int i, std::uint8_t* closure) {
    auto& seen = *static_cast<Seen*>(user);
    CHECK(closure == reinterpret_cast<std::uint8_t*>(user));
    ++seen.ran;
    return i == seen.fails ? -i : 0;
  };
  for (const std::size_t size : {1, 2, 64}) {
    furca::ThreadPool pool({.threads = size});
    pool.install([&] {
      Seen seen{.fails = 7};
      auto* const closure = reinterpret_cast<std::uint8_t*>(&seen);
      CHECK(furca::plugs::halide<void>(&seen, job, 5, 1000, closure) == -7);
      if (size == 1) CHECK(seen.ran == 3);
      seen.ran = 0;
      seen.fails = -1;
      CHECK(furca::plugs::halide<void>(&seen, job, 5, 1000, closure) == 0);
      CHECK(seen.ran == 1000);
      CHECK(furca::plugs::halide<void>(&seen, job, 5, 0, closure) == 0);
      CHECK(seen.ran == 1000);
    });
  }
}

}  // namespace
