// tbb's values for each thread, mutexes, clock and allocators. Also compiled with oneTBB's own
// headers, where all of this must hold too.
#include <tbb/combinable.h>

/// What that header brings by those that it includes: programs rely on it.
namespace brought {
using tbb::blocked_range;
using tbb::cache_aligned_allocator;
using tbb::enumerable_thread_specific;
using tbb::tbb_allocator;
using tbb::profiling::event;
using tbb::task::current_context;
}  // namespace brought

#include <oneapi/tbb/mutex.h>
#include <oneapi/tbb/rw_mutex.h>
#include <tbb/cache_aligned_allocator.h>
#include <tbb/enumerable_thread_specific.h>
#include <tbb/null_mutex.h>
#include <tbb/null_rw_mutex.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/queuing_mutex.h>
#include <tbb/queuing_rw_mutex.h>
#include <tbb/spin_mutex.h>
#include <tbb/spin_rw_mutex.h>
#include <tbb/tbb_allocator.h>
#include <tbb/tick_count.h>

#include "support/watchdog.hpp"

#include "support/trials.hpp"

#include <shared_mutex>

namespace {

using furca::test::on_threads;
using Lists = tbb::enumerable_thread_specific<std::vector<int>>;

TEST_CASE("each thread has a value of its own, which stays when the thread has gone") {
  tbb::enumerable_thread_specific<int> counts(100);
  CHECK(counts.empty());
  on_threads(20, [&](int i) {
    bool exists = true;
    int& mine = counts.local(exists);
    CHECK_FALSE(exists);
    CHECK(mine == 100);
    mine += i;
    CHECK(&counts.local(exists) == &mine);
    CHECK(exists);
  });
  CHECK(counts.size() <= 20);  // oneTBB's threads may have the number of one that has ended
  CHECK(counts.combine([](int a, int b) { return a + b; }) >= 100 + 190 - 20 * 19);
  counts.clear();
  CHECK(counts.empty());
  bool exists = true;
  CHECK(counts.local(exists) == 100);
  CHECK_FALSE(exists);
}

TEST_CASE("the caller's value is the same inside a loop and outside of it") {
  tbb::enumerable_thread_specific<std::thread::id> owners(
      [] { return std::this_thread::get_id(); });
  const std::thread::id* const mine = &owners.local();
  std::atomic<bool> right{true};
  for (int round = 0; round < 10; ++round)
    tbb::parallel_for(0, 10'000, [&](int) {
      if (owners.local() != std::this_thread::get_id()) right = false;
    });
  CHECK(right);
  CHECK(&owners.local() == mine);
  for (const std::thread::id& owner : owners)
    CHECK(std::count(owners.begin(), owners.end(), owner) == 1);
}

TEST_CASE("many tables at once do not mistake each other's values") {
  std::vector<std::unique_ptr<tbb::enumerable_thread_specific<int>>> tables;
  for (int i = 0; i < 50; ++i)
    tables.push_back(std::make_unique<tbb::enumerable_thread_specific<int>>(i));
  std::atomic<bool> right{true};
  tbb::parallel_for(0, 5000, [&](int i) {
    if (tables[static_cast<std::size_t>(i % 50)]->local() != i % 50) right = false;
  });
  tables.clear();
  tbb::enumerable_thread_specific<int> next(7);  // perhaps where another one was
  CHECK(next.local() == 7);
  CHECK(right);
}

TEST_CASE("values are made from nothing, a function, an exemplar or arguments") {
  Lists empty;
  CHECK(empty.local().empty());
  Lists three(std::size_t{3}, 8);
  CHECK(three.local() == std::vector<int>{8, 8, 8});
  Lists exemplar(std::vector<int>{1, 2});
  CHECK(exemplar.local() == std::vector<int>{1, 2});
  const std::vector<int> four(4);
  Lists copied(four);
  CHECK(copied.local().size() == 4);
  int made = 0;
  tbb::enumerable_thread_specific<std::unique_ptr<int>> pointers(
      [&made] { return std::make_unique<int>(++made); });
  CHECK(*pointers.local() == 1);
  CHECK(*pointers.local() == 1);
  tbb::enumerable_thread_specific<int, tbb::cache_aligned_allocator<int>, tbb::ets_key_per_instance>
      keyed(5);
  CHECK(keyed.local() == 5);
}

TEST_CASE("tables are copied, moved and combined") {
  Lists lists;
  on_threads(3, [&](int i) { lists.local() = {i, i + 10}; });
  lists.local() = {99};
  const auto sum = [](const Lists& of) {
    int all = 0;
    for (const std::vector<int>& list : of) all = std::accumulate(list.begin(), list.end(), all);
    return all;
  };
  const int all = sum(lists);
  Lists copy(lists);
  CHECK(sum(copy) == all);
  CHECK(copy.local() == std::vector<int>{99});
  CHECK(&copy.local() != &lists.local());
  copy.local().push_back(1);
  Lists moved(std::move(copy));
  CHECK(sum(moved) == all + 1);
  CHECK(moved.local().size() == 2);
  lists = moved;
  CHECK(sum(lists) == all + 1);
  CHECK(lists.local().size() == 2);
  tbb::enumerable_thread_specific<std::vector<int>, tbb::tbb_allocator<std::vector<int>>> other(
      lists);
  CHECK(other.local().size() == 2);
  CHECK(other.size() == lists.size());

  std::size_t elements = 0;
  moved.combine_each([&](const std::vector<int>& list) { elements += list.size(); });
  const auto flat = tbb::flatten2d(moved);
  CHECK(flat.size() == elements);
  int flat_sum = 0;
  for (const int i : flat) flat_sum += i;
  CHECK(flat_sum == all + 1);
  const std::vector<int> joined = moved.combine([](std::vector<int> a, const std::vector<int>& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
  });
  CHECK(joined.size() == elements);
  const std::size_t by_loop = tbb::parallel_reduce(
      moved.range(), std::size_t{0},
      [](const Lists::range_type& part, std::size_t n) {
        for (const std::vector<int>& list : part) n += list.size();
        return n;
      },
      [](std::size_t a, std::size_t b) { return a + b; });
  CHECK(by_loop == elements);
  CHECK(std::as_const(moved).range().size() == moved.size());
  CHECK((moved.end() - moved.begin()) == static_cast<std::ptrdiff_t>(moved.size()));
  CHECK(moved.begin()[0].size() == moved.begin()->size());
  const Lists::const_iterator first = moved.begin();
  CHECK(first == std::as_const(moved).begin());
  CHECK(first < moved.end());
  const Lists::iterator to_change = first;  // programs rely on it
  to_change->push_back(0);
  CHECK(first == to_change);
  CHECK(to_change == first);
  CHECK(to_change - first == 0);
  CHECK(moved.begin()->back() == 0);
}

TEST_CASE("combinable") {
  tbb::combinable<long> sums([] { return 0L; });
  CHECK(sums.combine([](long a, long b) { return a + b; }) == 0);
  tbb::parallel_for(0L, 10'000L, [&](long i) { sums.local() += i; });
  CHECK(sums.combine([](long a, long b) { return a + b; }) == 49'995'000);
  tbb::combinable<long> copy(sums);
  long each = 0;
  copy.combine_each([&](long sum) { each += sum; });
  CHECK(each == 49'995'000);
  sums.clear();
  bool exists = true;
  CHECK(sums.local(exists) == 0);
  CHECK_FALSE(exists);
  tbb::combinable<std::string> texts;
  texts.local() = "one";
  tbb::combinable<std::string> moved(std::move(texts));
  CHECK(moved.local() == "one");
  moved = tbb::combinable<std::string>();
  CHECK(moved.local().empty());
}

template <class Mutex>
void check_scoped_lock() {
  Mutex mutex;
  int count = 0;
  tbb::parallel_for(0, 1000, [&](int) {
    const typename Mutex::scoped_lock lock(mutex);
    ++count;
  });
  CHECK(count == 1000);
  typename Mutex::scoped_lock lock;
  lock.acquire(mutex);
  on_threads(1, [&](int) {
    typename Mutex::scoped_lock other;
    CHECK_FALSE(other.try_acquire(mutex));
  });
  lock.release();
  CHECK(lock.try_acquire(mutex));
}

template <class Mutex>
void check_readers() {
  check_scoped_lock<Mutex>();
  Mutex mutex;
  typename Mutex::scoped_lock reader(mutex, false);
  on_threads(1, [&](int) {
    typename Mutex::scoped_lock other;
    if (other.try_acquire(mutex, false)) {  // not so with a queue
      other.release();
    } else {
      CHECK(Mutex::is_fair_mutex);
    }
    CHECK_FALSE(other.try_acquire(mutex, true));
  });
  reader.upgrade_to_writer();
  on_threads(1, [&](int) {
    typename Mutex::scoped_lock other;
    CHECK_FALSE(other.try_acquire(mutex, false));
  });
  reader.downgrade_to_reader();
  on_threads(1, [&](int) {
    typename Mutex::scoped_lock other(mutex, false);
    other.release();
    other.acquire(mutex, false);
  });
  reader.release();
  reader.acquire(mutex);
  CHECK(reader.upgrade_to_writer());
}

TEST_CASE("mutexes") {
  check_scoped_lock<tbb::spin_mutex>();
  check_scoped_lock<tbb::speculative_spin_mutex>();
  check_scoped_lock<tbb::mutex>();
  check_scoped_lock<tbb::queuing_mutex>();
  check_readers<tbb::spin_rw_mutex>();
  check_readers<tbb::speculative_spin_rw_mutex>();
  check_readers<tbb::rw_mutex>();
  check_readers<tbb::queuing_rw_mutex>();
  static_assert(tbb::spin_rw_mutex::is_rw_mutex && !tbb::spin_mutex::is_rw_mutex &&
                !tbb::mutex::is_recursive_mutex && !tbb::mutex::is_fair_mutex);
  tbb::spin_mutex mutex;
  {
    const std::lock_guard<tbb::spin_mutex> lock(mutex);
    on_threads(1, [&](int) { CHECK_FALSE(mutex.try_lock()); });
  }
  CHECK(mutex.try_lock());
  mutex.unlock();
  tbb::rw_mutex shared;
  const std::shared_lock<tbb::rw_mutex> reader(shared);
  CHECK(shared.try_lock_shared());
  shared.unlock_shared();
}

#if defined(FURCA_TBB)
TEST_CASE("a writer that waits comes in before readers that come later") {
  const furca::test::Watchdog watchdog("a writer that waits");
  tbb::detail::WritersFirstMutex mutex;
  mutex.lock_shared();
  std::thread writer([&mutex] {
    mutex.lock();
    mutex.unlock();
  });
  while (mutex.try_lock_shared()) {  // it does not wait yet
    mutex.unlock_shared();
    std::this_thread::yield();
  }
  mutex.unlock_shared();
  writer.join();
  CHECK(mutex.try_lock_shared());
  CHECK_FALSE(mutex.try_lock());
  mutex.unlock_shared();
}
#endif

TEST_CASE("a null mutex excludes nobody") {
  tbb::null_mutex mutex;
  const tbb::null_mutex::scoped_lock one(mutex);
  tbb::null_mutex::scoped_lock two;
  CHECK(two.try_acquire(mutex));
  tbb::null_rw_mutex shared;
  tbb::null_rw_mutex::scoped_lock writer(shared);
  tbb::null_rw_mutex::scoped_lock reader(shared, false);
  CHECK(reader.upgrade_to_writer());
}

TEST_CASE("tick_count") {
  const tbb::tick_count start = tbb::tick_count::now();
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  const tbb::tick_count::interval_t took = tbb::tick_count::now() - start;
  CHECK(took.seconds() >= 0.002);
  CHECK((took + tbb::tick_count::interval_t(10.0)).seconds() >= 10.002);
  CHECK((took - took).seconds() < 0.001);
  CHECK(tbb::tick_count::resolution() < 0.001);
}

TEST_CASE("an iterator over flattened values becomes a const one, and compares with it") {
  Lists lists;
  lists.local() = {1, 2, 3};
  tbb::flattened2d<Lists> flat = tbb::flatten2d(lists);
  tbb::flattened2d<Lists>::const_iterator at = flat.begin();
  CHECK(at == flat.begin());
  int sum = 0;
  for (; at != flat.end(); ++at) sum += *at;
  CHECK(sum == 6);
}

TEST_CASE("allocators") {
  std::vector<char, tbb::cache_aligned_allocator<char>> aligned(100);
  CHECK(reinterpret_cast<std::uintptr_t>(aligned.data()) % 64 == 0);
  std::vector<int, tbb::tbb_allocator<int>> plain(100);
  plain.resize(1000, 5);
  CHECK(plain.back() == 5);
  CHECK(tbb::cache_aligned_allocator<int>() == tbb::cache_aligned_allocator<int>());
  CHECK(tbb::cache_aligned_allocator<int>() == tbb::cache_aligned_allocator<char>());
  CHECK_FALSE(tbb::cache_aligned_allocator<int>() != tbb::cache_aligned_allocator<char>());
  CHECK(tbb::tbb_allocator<int>() == tbb::tbb_allocator<char>());
  tbb::cache_aligned_resource resource;
  void* const memory = resource.allocate(100, 8);
  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 64 == 0);
  resource.deallocate(memory, 100, 8);
}

}  // namespace
