// Two shared objects with hidden visibility, and a program that has them both: contexts, isolation,
// values of threads and controls are common to all.
#include "half.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <utility>
#include <vector>

namespace {

const Half& a = first_half();
const Half& b = second_half();

}  // namespace

TEST_CASE("what one cancels the other sees, also if it has asked before") {
  for (const auto& [first, second] : {std::pair(&a, &b), std::pair(&b, &a)}) {
    tbb::task_group_context context;
    std::vector<bool> said;
    first->in_group(&context, [&, second = second, first = first] {
      second->in_group(nullptr, [&] {
        said.push_back(second->cancelling());
        said.push_back(first->cancelling());
        said.push_back(second->asks(context));
        first->cancel(context);
        said.push_back(second->cancelling());
        said.push_back(first->cancelling());
        said.push_back(second->asks(context));
      });
    });
    CHECK(said == std::vector<bool>{false, false, false, true, true, true});
  }
}

TEST_CASE("groups of one are used and ended by the other") {
  for (int i = 0; i < 1000; ++i) {
    std::unique_ptr<tbb::task_group> group = a.group();
    std::atomic<int> ran{0};
    b.in_group(nullptr, [&] {
      group->run([&] { ++ran; });
      group->wait();
    });
    CHECK(ran == 1);
    group.reset();
    b.group()->run_and_wait([] {});
  }
}

TEST_CASE("isolation holds for what the other waits for") {
  std::atomic<int> intruded{0};
  std::atomic<int> ran{0};
  tbb::task_group outside;
  tbb::task_arena arena(1);
  arena.execute([&] {
    for (int i = 0; i < 5; ++i) outside.run([&] { ++intruded; });
    a.in_isolation([&] {
      b.in_group(nullptr, [&] { ++ran; });
      const std::unique_ptr<tbb::task_group> inside = b.group();
      inside->run([&] { ++ran; });
      inside->wait();
      CHECK(intruded == 0);
    });
    outside.wait();
  });
  CHECK(ran == 2);
  CHECK(intruded == 5);
}

TEST_CASE("a thread has one value") {
  tbb::enumerable_thread_specific<int> values(7);
  a.value(values) = 3;
  CHECK(b.value(values) == 3);
  CHECK(values.local() == 3);
  CHECK(values.size() == 1);
}

TEST_CASE("controls are common") {
  const tbb::global_control stack(tbb::global_control::thread_stack_size, 1U << 20U);
  CHECK(a.stack_size() == 1U << 20U);
  CHECK(b.stack_size() == 1U << 20U);
}
