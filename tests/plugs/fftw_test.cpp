// FFTW on furca's threads.
#include "everywhere.hpp"

#include <furca/plugs/callbacks.hpp>

#include <fftw3.h>
#include <cmath>

namespace {

constexpr int kSide = 128;
constexpr int kSize = kSide * kSide;

/// A transform forth and back, by plans of so many jobs.
class Transform {
 public:
  explicit Transform(int jobs) {
    fftw_init_threads();
    fftw_plan_with_nthreads(jobs);
    auto* const data = fftw_alloc_complex(kSize);
    forth_ = fftw_plan_dft_2d(kSide, kSide, data, data, FFTW_FORWARD, FFTW_ESTIMATE);
    back_ = fftw_plan_dft_2d(kSide, kSide, data, data, FFTW_BACKWARD, FFTW_ESTIMATE);
    fftw_free(data);
  }
  ~Transform() {
    fftw_destroy_plan(forth_);
    fftw_destroy_plan(back_);
  }
  Transform(const Transform&) = delete;
  Transform& operator=(const Transform&) = delete;

  bool right() const {
    auto* const data = fftw_alloc_complex(kSize);
    for (int i = 0; i < kSize; ++i) {
      data[i][0] = i % 17;
      data[i][1] = i % 5;
    }
    fftw_execute_dft(forth_, data, data);
    fftw_execute_dft(back_, data, data);
    bool same = true;
    for (int i = 0; i < kSize; ++i)
      same = same && std::abs(data[i][0] / kSize - i % 17) < 1e-9 &&
             std::abs(data[i][1] / kSize - i % 5) < 1e-9;
    fftw_free(data);
    return same;
  }

 private:
  fftw_plan forth_, back_;
};

std::atomic<int> calls = 0;

void counted(void* (*work)(char*), char* jobs, std::size_t size, int count, void* pool) {
  ++calls;
  furca::plugs::fftw(work, jobs, size, count, pool);
}

TEST_CASE("FFTW's transforms everywhere") {
  const Transform transform(4);
  furca::ThreadPool* current = nullptr;
  fftw_threads_set_callback(furca::plugs::fftw, current);
  everywhere::call_everywhere_inside([&] { return transform.right(); });
  furca::ThreadPool pool({.threads = 3});
  fftw_threads_set_callback(counted, &pool);
  CHECK(transform.right());
  CHECK(calls.load() > 0);  // else the cases above have had nothing to do with furca
  fftw_threads_set_callback(furca::plugs::fftw, nullptr);
}

TEST_CASE("jobs run once each, in one pool or in another") {
  for (const std::size_t size : {1, 2, 64}) {
    furca::ThreadPool pool({.threads = size});
    for (const int count : {0, 1, 2, 3, 7, 100}) {
      std::vector<std::atomic<int>> seen(100);
      furca::plugs::fftw(
          [](char* job) -> void* {
            ++*reinterpret_cast<std::atomic<int>*>(job);
            return nullptr;
          },
          reinterpret_cast<char*>(seen.data()), sizeof(seen[0]), count, &pool);
      int ran = 0;
      for (int i = 0; i < 100; ++i) ran += seen[static_cast<std::size_t>(i)] == (i < count ? 1 : 0);
      CHECK(ran == 100);
    }
  }
}

TEST_CASE("furca's loops in jobs") {
  std::vector<std::atomic<int>> steps(20);
  furca::plugs::fftw(
      [](char* job) -> void* {
        furca::parallel_for(0, 30, [=](int) { ++*reinterpret_cast<std::atomic<int>*>(job); });
        return nullptr;
      },
      reinterpret_cast<char*>(steps.data()), sizeof(steps[0]), 20, nullptr);
  for (const auto& count : steps) CHECK(count == 30);
}

TEST_CASE("what a job throws ends the program") {
  CHECK(everywhere::ends_program([](furca::ThreadPool& pool) {
    char job = 0;
    furca::plugs::fftw([](char*) -> void* { throw 1; }, &job, 0, 8, &pool);
  }));
}

const everywhere::AtExit after_main([] { return Transform(4).right(); });

}  // namespace
