// Eigen's tensors on furca's threads.
#include "everywhere.hpp"

#include "../support/allocations.hpp"

#include <furca/plugs/eigen.hpp>

#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <vector>

#define EIGEN_USE_THREADS
#include <unsupported/Eigen/CXX11/Tensor>

namespace {

using furca::plugs::EigenPool;
using Matrix = Eigen::Tensor<float, 2>;

const Eigen::array<Eigen::IndexPair<int>, 1> kProduct = {Eigen::IndexPair<int>(1, 0)};

/// A matrix of small whole numbers: sums are exact in any order.
Matrix numbers(int rows, int columns) {
  Matrix matrix(rows, columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) matrix(i, j) = static_cast<float>((i * 7 + j * 3) % 5);
  return matrix;
}

bool same(const Matrix& a, const Matrix& b) {
  const Eigen::Tensor<bool, 0> all = (a == b).all();
  return all();
}

struct Expected {
  Matrix a = numbers(150, 170);
  Matrix b = numbers(170, 130);
  Matrix product = a.contract(b, kProduct);
  Matrix big = numbers(700, 300);
  Matrix sums = big + big.exp();
};
const Expected expected;

bool evaluate(EigenPool& threads) {
  Eigen::ThreadPoolDevice device(&threads, threads.NumThreads());
  Matrix product(150, 130);
  product.device(device) = expected.a.contract(expected.b, kProduct);
  Matrix sums(700, 300);
  sums.device(device) = expected.big + expected.big.exp();
  Eigen::Tensor<float, 0> most;
  most.device(device) = expected.big.maximum();
  return same(product, expected.product) && same(sums, expected.sums) && most() == 4.F;
}

TEST_CASE("Eigen's evaluations everywhere") {
  everywhere::call_everywhere([](furca::ThreadPool* pool) {
    EigenPool threads(pool);
    return evaluate(threads);
  });
}

TEST_CASE("one pool for many evaluations at a time") {
  furca::ThreadPool pool({.threads = 3});
  EigenPool threads(&pool);
  std::atomic<int> wrong = 0;
  furca::parallel_for(0, 30, [&](int) { wrong += evaluate(threads) ? 0 : 1; });
  pool.install([&] { furca::parallel_for(0, 30, [&](int) { wrong += !evaluate(threads); }); });
  CHECK(wrong.load() == 0);
}

TEST_CASE("furca's loops in an expression, and evaluations on another pool in these") {
  EigenPool threads;
  EigenPool others;
  Eigen::ThreadPoolDevice device(&threads, 4);
  Matrix sums(200, 200);
  const Matrix ones = numbers(200, 200);
  std::atomic<int> evaluated = 0;
  sums.device(device) = ones.unaryExpr([&](float x) {
    return x + static_cast<float>(
                   furca::parallel_reduce(0, 40, 0, [&](int i) { return i; }, std::plus<>{}));
  });
  bool right = true;
  for (int i = 0; i < 200; ++i) right = right && sums(i, i) == ones(i, i) + 780.F;
  CHECK(right);
  device.parallelFor(8, Eigen::TensorOpCost(1e6, 1e6, 1e6), [&](Eigen::Index lo, Eigen::Index hi) {
    for (auto i = lo; i < hi; ++i) evaluated += evaluate(others) ? 1 : 0;
  });
  CHECK(evaluated.load() == 8);
}

TEST_CASE("thread numbers are below what Eigen is told, and differ at a time") {
  for (const std::size_t size : {1, 2, 64}) {
    furca::ThreadPool pool({.threads = size});
    EigenPool threads(&pool);
    CHECK(threads.NumThreads() == static_cast<int>(size));
    CHECK(threads.CurrentThreadId() == -1);
    Eigen::ThreadPoolDevice device(&threads, 8);
    everywhere::Numbers numbers(size);
    const auto loop = [&] {
      device.parallelFor(400, Eigen::TensorOpCost(1e6, 1e6, 1e6), [&](Eigen::Index, Eigen::Index) {
        const int number = threads.CurrentThreadId();
        if (number != -1) numbers.visit(static_cast<std::size_t>(number));  // else Eigen's call
      });
    };
    loop();
    std::thread(loop).join();
    CHECK(numbers.right());
  }
}

TEST_CASE("what a task throws ends the program, on this thread and on another") {
  for (const std::size_t size : {1, 2}) {
    CHECK(everywhere::ends_program([=](furca::ThreadPool&) {
      furca::ThreadPool pool({.threads = size});
      EigenPool threads(&pool);
      threads.Schedule([] { throw 1; });
    }));
  }
}

/// Schedules tasks until one of them returns true; not for ever. `returned`: Schedule() has.
template <class Job>
bool comes_to_be(EigenPool& threads, const Job& job) {
  std::atomic<bool> seen = false;
  std::atomic<int> over = 0;
  int scheduled = 0;
  while (!seen && scheduled < 20'000'000) {
    const auto returned = std::make_shared<std::atomic<bool>>(false);
    threads.Schedule([&, returned] {
      if (job(*returned)) seen = true;
      ++over;
    });
    *returned = true;
    ++scheduled;
    while (over.load() < scheduled) std::this_thread::yield();
  }
  return seen;
}

TEST_CASE("a task that schedules none runs while its caller goes on, where a thread has no work") {
  furca::ThreadPool pool({.threads = 2});
  EigenPool threads(&pool);
  CHECK(comes_to_be(threads, [caller = std::this_thread::get_id()](std::atomic<bool>& returned) {
    if (std::this_thread::get_id() == caller) return false;
    while (!returned.load()) std::this_thread::yield();
    return true;
  }));
}

TEST_CASE("what was handed to another thread has been run when the pool of Eigen ends") {
  furca::ThreadPool pool({.threads = 2});
  std::atomic<bool> go = false;
  std::atomic<bool> over = false;
  std::thread later;
  bool handed = false;
  {
    EigenPool threads(&pool);
    std::atomic<bool> elsewhere = false;
    const auto caller = std::this_thread::get_id();
    handed = comes_to_be(threads, [&, caller](std::atomic<bool>& returned) {
      if (std::this_thread::get_id() == caller) return false;
      while (!returned.load()) std::this_thread::yield();
      return true;
    });
    for (int tries = 0; handed && !elsewhere && tries < 1'000'000; ++tries) {
      std::atomic<bool> begun = false;
      threads.Schedule([&, caller] {
        const bool other = std::this_thread::get_id() != caller;
        elsewhere = other;
        begun = true;
        while (other && !go) std::this_thread::yield();
        if (other) over = true;
      });
      while (!begun) std::this_thread::yield();
    }
    handed = handed && elsewhere;
    later = std::thread([&] {  // while this thread is in the destructor
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
      go = true;
    });
  }
  CHECK(over == handed);
  later.join();
}

/// Counts its copies.
struct Counted {
  explicit Counted(std::atomic<int>& all) : copies(&all) {}
  Counted(const Counted& other) : copies(other.copies) { ++*copies; }
  Counted(Counted&&) = default;
  void operator()(furca::detail::Relaxed<bool>&) const { ++*copies; }

  std::atomic<int>* copies;
};

TEST_CASE("tries to hand tasks over become rare where nobody begins") {
  furca::ThreadPool pool({.threads = 2});
  std::atomic<bool> busy = false;
  std::atomic<bool> go = false;
  pool.spawn([&] {
    busy = true;
    while (!go) std::this_thread::yield();
  });
  while (!busy) std::this_thread::yield();
  std::atomic<int> copies = 0;
  int handed = 0;
  pool.install([&] {
    furca::plugs::HandedTasks<std::mutex> tasks;
    const Counted f(copies);
    for (int call = 0; call < 5'000; ++call) handed += tasks.hand_over(f);
  });
  go = true;
  CHECK(handed == 0);
  CHECK(copies >= 1);
  CHECK(copies <= 2 * 13);  // 1,023 + 512 + ... + 1 calls for ten tries, then one in 1,024
}

TEST_CASE("where there is no memory a task is not handed over, or is and runs once") {
  furca::ThreadPool pool({.threads = 2});
  long refused = 1;
  for (long successes = 0; refused > 0; ++successes) {
    refused = 0;
    bool handed = false;
    for (int round = 0; round < 2'000 && !handed; ++round) {
      std::atomic<int> ran = 0;
      pool.install([&] {
        furca::parallel_for(0, 8, [](int) {});  // the other thread is awake
        furca::plugs::HandedTasks<std::mutex> tasks;
        using furca::test::FailingAllocations;
        const FailingAllocations none(successes, FailingAllocations::kAllThatFollow,
                                      FailingAllocations::Where::this_thread);
        try {
          handed = tasks.hand_over([&](furca::detail::Relaxed<bool>&) {
            std::this_thread::yield();
            ++ran;
          });
        } catch (const std::bad_alloc&) {
        }
        refused += FailingAllocations::refused();
      });
      CHECK(ran == (handed ? 1 : 0));
    }
  }
}

TEST_CASE("a chain of tasks takes no stack") {
  EigenPool threads;
  int left = 100000;
  std::function<void()> next = [&] {
    if (--left > 0) threads.Schedule(next);
  };
  threads.Schedule(next);
  CHECK(left == 0);
}

TEST_CASE("the caller helps with a task that schedules others") {
  furca::ThreadPool pool({.threads = 2});
  EigenPool threads(&pool);
  CHECK(comes_to_be(threads, [&](std::atomic<bool>& returned) {
    const auto here = std::make_shared<std::atomic<int>>(0);
    const auto meet = [here, &returned] {
      ++*here;
      while (here->load() < 2 && !returned.load()) std::this_thread::yield();
    };
    threads.Schedule(meet);
    meet();
    return here->load() == 2 && !returned.load();
  }));
}

const everywhere::AtExit after_main([] {
  EigenPool threads;
  return evaluate(threads);
});

}  // namespace
