// OpenCV's loops on furca's threads.
#include "everywhere.hpp"

#include <furca/plugs/opencv.hpp>

#include <opencv2/core.hpp>
#include <opencv2/core/utility.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace {

using furca::plugs::OpenCV;

void use(furca::ThreadPool* pool) {
  // false: an earlier cv::setNumThreads does not hold for this one
  cv::parallel::setParallelForBackend(std::make_shared<OpenCV>(pool), false);
}

constexpr int kLength = 5000;

/// Each index once.
bool covers(double stripes = -1.) {
  std::vector<std::atomic<int>> seen(kLength);
  cv::parallel_for_(
      cv::Range(0, kLength),
      [&](const cv::Range& range) {
        for (int i = range.start; i < range.end; ++i) ++seen[static_cast<std::size_t>(i)];
      },
      stripes);
  return std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n.load() == 1; });
}

TEST_CASE("OpenCV says that it uses furca, and its own functions are right") {
  use(nullptr);
  cv::Mat image(1200, 1600, CV_32FC3);
  cv::randu(image, 0., 1.);
  cv::Mat other;
  cv::transpose(image, other);
  cv::Mat back;
  cv::transpose(other, back);
  CHECK(cv::norm(image, back, cv::NORM_INF) == 0.);
  cv::Mat smaller;
  cv::Mat expected;
  const int threads = cv::getNumThreads();
  CHECK(threads == static_cast<int>(furca::num_threads()));
  cv::setNumThreads(1);
  cv::sort(image.reshape(1), expected, cv::SORT_EVERY_ROW);
  cv::exp(image, expected);
  cv::setNumThreads(threads);
  cv::exp(image, smaller);
  CHECK(cv::norm(smaller, expected, cv::NORM_INF) == 0.);
}

TEST_CASE("loops of OpenCV everywhere") {
  // OpenCV has one backend for all, so pools take turns
  furca::ThreadPool* current = nullptr;
  use(current);
  CHECK(covers());
  CHECK(covers(3.));
  CHECK(covers(1.));
  everywhere::call_everywhere([&](furca::ThreadPool* pool) {
    OpenCV threads(pool);
    std::vector<std::atomic<int>> seen(300);
    threads.parallel_for(
        300,
        [](int lo, int hi, void* data) {
          auto& counts = *static_cast<std::vector<std::atomic<int>>*>(data);
          for (int i = lo; i < hi; ++i) ++counts[static_cast<std::size_t>(i)];
        },
        &seen);
    return covers() &&
           std::all_of(seen.begin(), seen.end(), [](const auto& n) { return n.load() == 1; });
  });
}

TEST_CASE("furca's loops in those of OpenCV, and OpenCV's in these") {
  use(nullptr);
  std::atomic<long> sum = 0;
  cv::parallel_for_(cv::Range(0, 40), [&](const cv::Range& range) {
    for (int i = range.start; i < range.end; ++i)
      furca::parallel_for(0, 50, [&](int) {
        cv::parallel_for_(cv::Range(0, 4),
                          [&](const cv::Range& inner) { sum += inner.end - inner.start; });
      });
  });
  CHECK(sum.load() == 40L * 50 * 4);
}

TEST_CASE("thread numbers are below what OpenCV was told, and differ at a time") {
  for (const std::size_t size : {1, 2, 64}) {
    for (const int limit : {0, 1, 2, 5}) {
      CAPTURE(size);
      CAPTURE(limit);
      furca::ThreadPool pool({.threads = size});
      use(&pool);
      if (limit > 0) cv::setNumThreads(limit);
      const int told = cv::getNumThreads();
      CHECK(told == (limit > 0 ? std::min(limit, static_cast<int>(size)) : static_cast<int>(size)));
      everywhere::Numbers numbers(static_cast<std::size_t>(told));
      const auto loop = [&] {
        cv::parallel_for_(cv::Range(0, 500), [&](const cv::Range&) {
          numbers.visit(static_cast<std::size_t>(cv::getThreadNum()));
        });
      };
      loop();
      // more outside threads than one
      std::thread other(loop);
      other.join();
      pool.install(loop);
      CHECK(numbers.right());
      CHECK(cv::getThreadNum() == 0);
      use(nullptr);
    }
  }
}

TEST_CASE("what a body throws comes to the caller") {
  use(nullptr);
  struct Thrown {};
  for (int round = 0; round < 50; ++round) {
    bool caught = false;
    try {
      cv::parallel_for_(cv::Range(0, 100), [](const cv::Range& range) {
        if (range.start <= 57 && 57 < range.end) CV_Error(cv::Error::StsError, "57");
      });
    } catch (const cv::Exception& error) {
      caught = error.err == "57";
    }
    CHECK(caught);
  }
  OpenCV threads;
  CHECK_THROWS_AS(
      threads.parallel_for(100, [](int, int, void*) { throw Thrown(); }, nullptr), Thrown);
  // on every thread
  CHECK(furca::broadcast([&] { return threads.getThreadNum(); }) ==
        std::vector<int>(furca::num_threads(), 0));
  CHECK(covers());
}

TEST_CASE("all lanes come into use") {
  furca::ThreadPool pool({.threads = 2});
  OpenCV threads(&pool);
  struct Both {
    std::atomic<int> here = 0;
  } both;
  // two stretches that wait for each other are on two threads; no clock bounds it but the test's
  cv::parallel::ParallelForAPI& api = threads;
  api.parallel_for(
      2,
      [](int, int, void* data) {
        auto& here = static_cast<Both*>(data)->here;
        ++here;
        while (here.load() < 2) std::this_thread::yield();
      },
      &both);
  CHECK(both.here.load() == 2);
}

const everywhere::AtExit after_main([] { return covers(); });

}  // namespace
