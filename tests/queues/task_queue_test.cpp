#include "queues/task_queue.hpp"

#include "support/standard.hpp"

using furca::detail::Job;
using furca::detail::LinkedJob;
using furca::detail::TaskQueue;
using furca::detail::Worker;

namespace {

constexpr std::size_t kBatch = 32;

struct Numbered : LinkedJob {
  explicit Numbered(int n)
      : LinkedJob(
            [](Job&, Worker&, bool) noexcept { return furca::detail::JobEnd::of_detached(); }),
        number(n) {}
  int number;
};

struct Tasks {
  explicit Tasks(int count) {
    for (int i = 0; i < count; ++i) all.push_back(std::make_unique<Numbered>(i));
  }
  Numbered& operator[](int i) { return *all[static_cast<std::size_t>(i)]; }
  std::vector<std::unique_ptr<Numbered>> all;
};

int number(LinkedJob* task) { return task != nullptr ? static_cast<Numbered*>(task)->number : -1; }

LinkedJob* next(TaskQueue& queue) {
  LinkedJob* const task = queue.next();
  return task != nullptr ? task : queue.from_common(kBatch);
}

LinkedJob* steal(TaskQueue& queue, TaskQueue& thief) {
  LinkedJob* const task = queue.steal_into(thief);
  return task != nullptr ? task : queue.pop_newest();
}

std::vector<int> drain(TaskQueue& queue) {
  std::vector<int> numbers;
  while (LinkedJob* const task = next(queue)) numbers.push_back(number(task));
  return numbers;
}

}  // namespace

TEST_CASE("the ring is first in, first out") {
  Tasks tasks(8);
  TaskQueue::Common common;
  TaskQueue queue(8, common);
  CHECK(queue.empty());
  for (int i = 0; i < 8; ++i) queue.push(tasks[i]);
  CHECK_FALSE(queue.empty());
  CHECK(drain(queue) == std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(queue.empty());
}

TEST_CASE("the newest runs next, and what it displaces goes to the end of the ring") {
  Tasks tasks(4);
  TaskQueue::Common common;
  TaskQueue queue(8, common);
  for (int i = 0; i < 4; ++i) queue.push_next(tasks[i]);
  CHECK(drain(queue) == std::vector<int>{3, 0, 1, 2});
}

TEST_CASE("three of the newest in a row, then one of the ring") {
  Tasks tasks(20);
  TaskQueue::Common common;
  TaskQueue queue(8, common);
  queue.push(tasks[0]);
  queue.push(tasks[1]);
  std::vector<int> order;
  for (int i = 2; i < 10; ++i) {  // each task that runs starts another
    queue.push_next(tasks[i]);
    order.push_back(number(next(queue)));
  }
  CHECK(order == std::vector<int>{2, 3, 4, 0, 6, 7, 8, 1});  // when 6 came 5 went behind 1
  CHECK(drain(queue).size() == 2);
}

TEST_CASE("what does not fit goes to the common queue, in order, and comes back") {
  Tasks tasks(20);
  TaskQueue::Common common;
  TaskQueue queue(4, common);
  for (int i = 0; i < 20; ++i) queue.push(tasks[i]);
  std::vector<bool> seen(20);
  int last_of_ring = -1;
  int common_first = number(common.pop());
  CHECK(common_first == 0);
  seen[0] = true;
  for (const int n : drain(queue)) {
    CHECK_FALSE(seen[static_cast<std::size_t>(n)]);
    seen[static_cast<std::size_t>(n)] = true;
    last_of_ring = n;
  }
  CHECK(last_of_ring >= 0);
  for (const bool one : seen) CHECK(one);
}

TEST_CASE(
    "a batch of the common queue: the oldest, and the rest in the ring; one alone where so "
    "wanted") {
  Tasks tasks(40);
  TaskQueue::Common common;
  TaskQueue queue(256, common);
  for (int i = 0; i < 40; ++i) common.push(tasks[i]);
  CHECK(number(queue.from_common(1)) == 0);
  CHECK(queue.empty());
  CHECK(number(queue.from_common(8)) == 1);
  TaskQueue thief(256, common);
  CHECK(number(queue.steal_into(thief)) == 2);  // 2 .. 8 lie in the ring: a half, rounded up
  CHECK(drain(queue).front() == 6);
}

TEST_CASE("a thief takes half of the ring, and the newest only when asked to, and last") {
  Tasks tasks(5);
  TaskQueue::Common common;
  TaskQueue queue(8, common);
  TaskQueue thief(8, common);
  queue.push(tasks[0]);
  queue.push(tasks[1]);
  queue.push_next(tasks[2]);
  CHECK(number(steal(queue, thief)) == 0);
  CHECK(number(steal(queue, thief)) == 1);
  CHECK(number(queue.steal_into(thief)) == -1);
  CHECK(queue.has_newest());
  CHECK_FALSE(queue.empty());
  CHECK(number(steal(queue, thief)) == 2);
  CHECK(queue.empty());
  CHECK(number(steal(queue, thief)) == -1);
}
