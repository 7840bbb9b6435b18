// tbb's concurrent containers and its own allocator. Also compiled with oneTBB's own headers, where
// all of this must hold too.
#define TBB_DEFINE_STD_HASH_SPECIALIZATIONS 1
#include <tbb/concurrent_hash_map.h>
#include <tbb/concurrent_map.h>
#include <tbb/concurrent_priority_queue.h>
#include <tbb/concurrent_queue.h>
#include <tbb/concurrent_set.h>
#include <tbb/concurrent_unordered_map.h>
#include <tbb/concurrent_unordered_set.h>
#include <tbb/concurrent_vector.h>
#include <tbb/parallel_for.h>
#include <tbb/parallel_reduce.h>
#include <tbb/scalable_allocator.h>

#include "support/trials.hpp"

#include <cerrno>
#include <typeinfo>

namespace {

constexpr int kMany = 20'000;

/// f(0) to f(n - 1), on several threads.
template <class F>
void together(int n, const F& f) {
  tbb::parallel_for(0, n, f, tbb::simple_partitioner());
}

/// What one can do with f, counted by the type of what it throws.
template <class Error, class F>
bool throws(F f) {
  try {
    f();
  } catch (const Error&) {
    return true;
  }
  return false;
}

#if defined(FURCA_TBB)
/// Throws when it is made for the n-th time from now on.
struct Fragile {
  static inline int left = 1'000'000'000;
  static inline std::atomic<int> alive{0};
  explicit Fragile(int n = 0) : number(n) {
    if (--left == 0) throw std::runtime_error("fragile");
    ++alive;
  }
  Fragile(const Fragile& other) : Fragile(other.number) {}
  Fragile& operator=(const Fragile&) = default;
  ~Fragile() {
    if (number >= 0) --alive;
  }
  int number;
};

int left_of_failing = 1000;

/// Makes so many allocations, of whatever type.
template <class T>
struct Failing : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Failing<U>;
  };
  Failing() = default;
  template <class U>
  Failing(const Failing<U>&) {}  // NOLINT: as the standard's
  T* allocate(std::size_t n) {
    if (--left_of_failing < 0) throw std::bad_alloc();
    return std::allocator<T>::allocate(n);
  }
};

/// Gives memory for so many values at the most.
template <class T>
struct Scarce : std::allocator<T> {
  static inline std::ptrdiff_t left = 1'000'000'000;
  template <class U>
  struct rebind {
    using other = Scarce<U>;
  };
  Scarce() = default;
  template <class U>
  Scarce(const Scarce<U>&) {}  // NOLINT: as the standard's
  T* allocate(std::size_t n) {
    if ((left -= static_cast<std::ptrdiff_t>(n)) < 0) throw std::bad_alloc();
    return std::allocator<T>::allocate(n);
  }
};
#endif

}  // namespace

TEST_CASE("vector: threads grow it together") {
  tbb::concurrent_vector<int> vector;
  together(kMany, [&](int i) {
    CHECK(*vector.push_back(i) == i);
    const auto at = vector.grow_by(2, i);
    CHECK(at[0] == i);
    CHECK(*(at + 1) == i);
  });
  CHECK(vector.size() == 3 * kMany);
  CHECK(vector.capacity() >= vector.size());
  const long long sum = tbb::parallel_reduce(
      vector.range(100), 0LL,
      [](const auto& range, long long all) {
        return std::accumulate(range.begin(), range.end(), all);
      },
      std::plus<>());
  CHECK(sum == 3LL * kMany * (kMany - 1) / 2);
  std::sort(vector.begin(), vector.end());
  CHECK(vector.front() == 0);
  CHECK(vector.back() == kMany - 1);
  CHECK(std::equal(vector.rbegin(), vector.rend(),
                   std::vector<int>(vector.crbegin(), vector.crend()).begin()));

  tbb::concurrent_vector<std::size_t> least;
  together(1000, [&](int i) { least.grow_to_at_least(static_cast<std::size_t>(i), 7); });
  CHECK(least == tbb::concurrent_vector<std::size_t>(999, 7));
}

TEST_CASE("vector: elements stay where they are, and need neither copy nor move") {
  tbb::concurrent_vector<std::unique_ptr<int>> owners;
  const std::unique_ptr<int>* const first = &*owners.push_back(std::make_unique<int>(1));
  for (int i = 0; i < 100; ++i) owners.emplace_back(new int(i));
  CHECK(first == &owners[0]);
  tbb::concurrent_vector<std::unique_ptr<int>> moved(std::move(owners));
  CHECK(first == &moved[0]);
  CHECK(owners.empty());
  tbb::concurrent_vector<std::atomic<int>> fixed(10);
  fixed.grow_by(10);
  CHECK(fixed.size() == 20);
  struct alignas(128) Wide {
    char c = 'w';
  };
  tbb::concurrent_vector<Wide> wide(20);
  for (const Wide& each : wide) CHECK(reinterpret_cast<std::uintptr_t>(&each) % 128 == 0);
}

TEST_CASE("vector: as a container of the standard's") {
  using Vector = tbb::concurrent_vector<int>;
  Vector a{3, 1, 2};
  CHECK(a < Vector{3, 2});
  CHECK(a != Vector{});
  Vector b(a.begin(), a.end());
  CHECK(a == b);
  b.resize(5, 9);
  CHECK(b == Vector{3, 1, 2, 9, 9});
  b.resize(1);
  b.shrink_to_fit();
  swap(a, b);
  CHECK(a == Vector{3});
  a.assign({4, 5});
  a = b;
  CHECK(a.at(2) == 2);
  CHECK(throws<std::out_of_range>([&] { a.at(3); }));
  CHECK(throws<std::length_error>([&] { a.reserve(a.max_size() + 1); }));
  a.reserve(1000);
  CHECK(a.capacity() >= 1000);
  a.clear();
  CHECK(a.empty());
  CHECK(tbb::concurrent_vector(b.begin(), b.end()) == b);
  Vector::const_iterator at = b.begin();
  CHECK(at + 3 == b.cend());
  CHECK(*--(at += 3) == 2);
  CHECK(b.end() - at == 1);
}

#if defined(FURCA_TBB)  // oneTBB's reads null pointers here
TEST_CASE("vector: an element that throws is bytes of zero; without memory the vector ends") {
  {
    tbb::concurrent_vector<Fragile> vector(3, Fragile(-1));
    vector.reserve(200);
    Fragile::left = 3;
    CHECK(throws<std::runtime_error>([&] { vector.grow_by(100, Fragile(-1)); }));
    Fragile::left = 1'000'000'000;
    CHECK(vector.size() <= 103);
    CHECK(vector[3].number == -1);
    CHECK(std::all_of(vector.begin() + 5, vector.end(), [](Fragile& f) { return f.number == 0; }));
    for (Fragile& each : vector) each.number = -1;
  }
  Fragile::alive = 0;
  Fragile::left = 10;
  CHECK(throws<std::runtime_error>([&] { tbb::concurrent_vector<Fragile> vector(20); }));
  CHECK(Fragile::alive == 0);
  Fragile::left = 1'000'000'000;

  tbb::concurrent_vector<int, Scarce<int>> vector(10);
  Scarce<int>::left = 20;
  CHECK(throws<std::bad_alloc>([&] { vector.grow_by(1000); }));
  Scarce<int>::left = 1'000'000'000;
  CHECK(vector.size() >= 10);
  CHECK(vector.size() < 100);
  CHECK(throws<std::bad_alloc>([&] { vector.push_back(1); }));
  vector.clear();
  vector.grow_by(1000);
  CHECK(vector.size() == 1000);

  {
    tbb::concurrent_vector<Fragile, Scarce<Fragile>> gap(8, Fragile(1));
    Scarce<Fragile>::left = 7;
    for (int i = 0; i < 8; ++i) CHECK(throws<std::bad_alloc>([&] { gap.push_back(Fragile(1)); }));
    Scarce<Fragile>::left = 1'000'000'000;
    gap.grow_by(10, Fragile(1));
    CHECK(gap.size() == 8);
  }
  CHECK(Fragile::alive == 0);
}

namespace {

/// A copy of the first one adds another to the vector.
struct Adds {
  explicit Adds(tbb::concurrent_vector<Adds>* to) : vector(to) {}
  Adds(const Adds& other) : vector(nullptr) {
    if (other.vector != nullptr) other.vector->push_back(Adds(nullptr));
  }
  tbb::concurrent_vector<Adds>* vector;
};

/// Throws in its next copy, if it is told to.
struct Copied {
  static inline std::atomic<bool> fails{false};
  Copied() = default;
  Copied(const Copied&) {
    if (fails.exchange(false)) throw std::runtime_error("copied");
  }
  Copied(Copied&&) noexcept {}
  Copied& operator=(const Copied&) = default;
  ~Copied() = default;
};

}  // namespace

TEST_CASE("a queue whose element cannot be made wakes the next one, and gives its memory back") {
  tbb::concurrent_bounded_queue<Copied> queue;
  queue.set_capacity(1);
  const Copied item;
  queue.push(item);
  std::atomic<int> added{0};
  std::atomic<int> failed{0};
  std::vector<std::thread> adders;
  for (int i = 0; i < 2; ++i)
    adders.emplace_back([&] {
      try {
        queue.push(item);
        ++added;
      } catch (const std::runtime_error&) {
        ++failed;
      } catch (const tbb::user_abort&) {
      }
    });
  while (queue.size() < 3) std::this_thread::yield();
  Copied::fails = true;
  Copied result;
  queue.pop(result);
  for (int i = 0; i < 1000 && added + failed < 2; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  queue.abort();
  for (std::thread& adder : adders) adder.join();
  CHECK(added == 1);
  CHECK(failed == 1);

  tbb::concurrent_queue<Copied> blocks;
  for (int i = 0; i < 64; ++i) blocks.push(item);
  Copied::fails = true;
  CHECK(throws<std::runtime_error>([&] { blocks.push(item); }));
}

// oneTBB 2021.8 crashes there.
TEST_CASE("vector: where memory ends at any allocation, the elements before that stay") {
  for (int allocations = 0; allocations < 12; ++allocations) {
    CAPTURE(allocations);
    left_of_failing = allocations;
    tbb::concurrent_vector<int, Failing<int>> vector;
    int made = 0;
    CHECK(throws<std::bad_alloc>([&] {
      for (; made < 5000; ++made) vector.push_back(made);
    }));
    CHECK(throws<std::bad_alloc>([&] { vector.grow_by(5000); }));
    REQUIRE(vector.size() == static_cast<std::size_t>(made));
    for (int i = 0; i < made; ++i) REQUIRE(vector[static_cast<std::size_t>(i)] == i);
    left_of_failing = 1000;
    vector.shrink_to_fit();
    vector.grow_by(5000);
    CHECK(vector.size() == static_cast<std::size_t>(made) + 5000);
    tbb::concurrent_vector<int, Failing<int>> other;
    vector.swap(other);
    CHECK(vector.empty());
    CHECK(other.back() == 0);
  }
}
#endif

TEST_CASE("vector: a constructor may add elements; what asks for less gets the end") {
#if defined(FURCA_TBB)
  tbb::concurrent_vector<Adds> vector;
  vector.grow_by(20, Adds(&vector));
  CHECK(vector.size() == 40);
#endif
  tbb::concurrent_vector<int> numbers;
  numbers.grow_to_at_least(3);
  CHECK(numbers.grow_to_at_least(2) == numbers.end());
  CHECK(numbers.grow_to_at_least(0) == numbers.begin());
}

TEST_CASE_TEMPLATE("queue: one that nobody has used answers as an empty one", Queue,
                   tbb::concurrent_queue<int>, tbb::concurrent_bounded_queue<int>) {
  CHECK(sizeof(Queue) <= 64);
  Queue queue;
  int item = 7;
  CHECK_FALSE(queue.try_pop(item));
  CHECK(item == 7);
  CHECK(queue.empty());
  CHECK(queue.unsafe_begin() == queue.unsafe_end());
  queue.clear();
  Queue copy(queue);
  Queue moved(std::move(copy));
  CHECK(moved.empty());
  moved.push(8);
  const Queue with_an_item(std::move(moved));
  CHECK(*with_an_item.unsafe_begin() == 8);
  CHECK(moved.empty());  // NOLINT: as any container that was moved from
  if constexpr (requires { queue.abort(); }) {
    CHECK(queue.size() == 0);
    CHECK(queue.capacity() > 1'000'000'000);
    queue.abort();
    queue.set_capacity(1);
    CHECK(queue.try_push(1));
    CHECK_FALSE(queue.try_push(2));
  }
}

TEST_CASE_TEMPLATE("queue: what several threads add several take, in order", Queue,
                   tbb::concurrent_queue<std::pair<int, int>>,
                   tbb::concurrent_bounded_queue<std::pair<int, int>>) {
  Queue queue;
  constexpr int kAdders = 2;
  std::atomic<int> left{kAdders * kMany};
  std::atomic<long long> sum{0};
  std::vector<std::thread> threads;
  for (int adder = 0; adder < kAdders; ++adder) {
    threads.emplace_back([&, adder] {
      for (int i = 0; i < kMany; ++i) queue.emplace(adder, i);
    });
    threads.emplace_back([&] {
      std::pair<int, int> item;
      int last[kAdders] = {-1, -1};
      while (left > 0) {
        if (!queue.try_pop(item)) continue;
        --left;
        sum += item.second;
        const bool in_order = std::exchange(last[item.first], item.second) < item.second;
        if (!in_order) FAIL("out of order");
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(sum == 1LL * kAdders * kMany * (kMany - 1) / 2);
  CHECK(queue.empty());

  for (int i = 0; i < 300; ++i) queue.push({i, i});
  Queue copy(queue);
  Queue moved(std::move(queue));
  CHECK(queue.empty());
  CHECK(std::distance(moved.unsafe_begin(), moved.unsafe_end()) == 300);
  CHECK(std::equal(moved.unsafe_cbegin(), moved.unsafe_cend(), copy.unsafe_begin()));
  std::pair<int, int> item;
  for (int i = 0; i < 200; ++i) CHECK((copy.try_pop(item) && item.first == i));
  CHECK(copy.unsafe_begin()->first == 200);
  copy.clear();
  CHECK(!copy.try_pop(item));
}

TEST_CASE("bounded queue: who waits goes on with an item, with room, or by abort()") {
  tbb::concurrent_bounded_queue<std::unique_ptr<int>> queue;
  queue.set_capacity(2);
  CHECK(queue.try_push(std::make_unique<int>(0)));
  queue.push(std::make_unique<int>(1));
  CHECK(!queue.try_emplace());
  std::thread adder([&] {
    for (int i = 2; i < 1000; ++i) queue.push(std::make_unique<int>(i));
  });
  std::unique_ptr<int> item;
  for (int i = 0; i < 1000; ++i) {
    queue.pop(item);
    CHECK(*item == i);
  }
  adder.join();

  std::atomic<int> aborted{0};
  std::vector<std::thread> waiters;
  for (int i = 0; i < 2; ++i)
    waiters.emplace_back([&] {
      std::unique_ptr<int> none;
      aborted += throws<tbb::user_abort>([&] { queue.pop(none); }) ? 1 : 0;
    });
  while (queue.size() > -2) std::this_thread::yield();
  CHECK(queue.empty());
  queue.abort();
  for (std::thread& waiter : waiters) waiter.join();
  CHECK(aborted == 2);
  CHECK(queue.size() == 0);
}

TEST_CASE("priority queue: the largest first") {
  tbb::concurrent_priority_queue<int> queue;
  together(1000, [&](int i) { queue.push(i); });
  CHECK(queue.size() == 1000);
  int item = 0;
  for (int i = 999; i >= 500; --i) CHECK((queue.try_pop(item) && item == i));
  tbb::concurrent_priority_queue<int, std::greater<>> least({3, 1, 2}, std::greater<>());
  CHECK((least.try_pop(item) && item == 1));
  least.clear();
  CHECK(!least.try_pop(item));
}

namespace {

/// A number that is no longer constructed once `stops` is set.
struct Built {
  explicit Built(int n = 0) : number(n) {}
  Built(const Built& other) : number(other.number) {
    if (stops) throw std::runtime_error("built");
  }
  Built& operator=(const Built&) = default;
  bool operator<(const Built& other) const { return number < other.number; }

  int number;
  static inline bool stops = false;
};

}  // namespace

TEST_CASE("priority queue: an item that cannot be constructed comes out, and leaves those in it") {
  tbb::concurrent_priority_queue<Built> queue;
  for (int i = 0; i < 100; ++i) queue.push(Built(i * 37 % 100));
  Built::stops = true;
  CHECK(throws<std::exception>([&] { queue.push(Built(7)); }));
  Built item;
  for (int i = 99; i >= 0; --i) CHECK((queue.try_pop(item) && item.number == i));
  CHECK(queue.empty());
  Built::stops = false;
}

namespace {

/// The value that a set or a map has for a number.
template <class Container>
typename Container::value_type made_of(int i) {
  if constexpr (std::is_same_v<typename Container::value_type, int>) {
    return i;
  } else {
    return {i, i};
  }
}
int key_in(int value) { return value; }
int key_in(const std::pair<const int, int>& value) { return value.first; }

}  // namespace

TEST_CASE_TEMPLATE("ordered: threads add, look and go through", Container,
                   tbb::concurrent_map<int, int>, tbb::concurrent_multimap<int, int>,
                   tbb::concurrent_set<int>, tbb::concurrent_multiset<int>) {
  const bool several = std::string(typeid(Container).name()).find("multi") != std::string::npos;
  Container container;
  std::atomic<int> added{0};
  together(2 * kMany, [&](int i) {
    // threads in parts of the loop add at the front, one beside the other
    const int key = kMany - 1 - (i % 1000 * (kMany / 1000) + i % kMany / 1000);
    added += container.insert(made_of<Container>(key)).second ? 1 : 0;
    CHECK(key_in(*container.find(key)) == key);
    CHECK(key_in(*container.lower_bound(key)) == key);
    CHECK(container.count(key) >= 1);
    if (i % 5000 == 0)
      CHECK(std::is_sorted(container.begin(), container.end(), container.value_comp()));
  });
  CHECK(added == (several ? 2 : 1) * kMany);
  CHECK(container.size() == static_cast<std::size_t>(added));
  CHECK(std::distance(container.begin(), container.end()) == added);
  CHECK(std::is_sorted(container.begin(), container.end(), container.value_comp()));
  for (int key = 0; key < kMany; ++key) CHECK(container.count(key) == (several ? 2 : 1));
  CHECK(container.upper_bound(kMany - 1) == container.end());
  CHECK(key_in(*container.upper_bound(7)) == 8);
  CHECK(!container.contains(-1));
  std::atomic<int> parts{0};
  const auto sum_of = [&](auto range) {
    return tbb::parallel_reduce(
        range, 0LL,
        [&](const auto& part, long long all) {
          ++parts;
          for (const auto& value : part) all += key_in(value);
          return all;
        },
        std::plus<>());
  };
  CHECK(sum_of(container.range()) == 1LL * added * (kMany - 1) / 2);
  CHECK(sum_of(std::as_const(container).range()) == 1LL * added * (kMany - 1) / 2);
  CHECK(parts > 2);

  Container copy(container);
  CHECK(copy == container);
  CHECK(copy.unsafe_erase(7) == (several ? 2 : 1));
  CHECK(copy != container);
  CHECK(container < copy);
  auto node = copy.unsafe_extract(8);
  CHECK(!node.empty());
  CHECK(copy.insert(std::move(node)).second);
  for (int key = 0; key < kMany; key += 2) CHECK(copy.unsafe_erase(key) == (several ? 2 : 1));
  CHECK(std::is_sorted(copy.begin(), copy.end(), copy.value_comp()));
  copy.merge(container);
  CHECK(copy.size() == (several ? 3U * kMany - 2U : 1U * kMany));
  CHECK(container.size() == (several ? 0U : 1U * kMany / 2 - 1));
  CHECK(std::is_sorted(copy.begin(), copy.end(), copy.value_comp()));
  const Container moved(std::move(copy));
  CHECK(moved.contains(kMany - 1));
}

/// Lets other threads run in the middle of what a container does. On a busy machine a yield takes
/// milliseconds.
struct SlowLess {
  bool operator()(int a, int b) const {
    std::this_thread::yield();
    return a < b;
  }
};

TEST_CASE_TEMPLATE("ordered: threads that add in one place lose nothing", Container,
                   tbb::concurrent_set<int, SlowLess>, tbb::concurrent_multiset<int, SlowLess>) {
  Container container;
  furca::test::on_threads(4, [&](int t) {
    for (int i = 200; i-- > 0;) container.insert(4 * i + t);
  });
  CHECK(std::distance(container.begin(), container.end()) == 800);
  CHECK(std::is_sorted(container.begin(), container.end()));
  for (int i = 0; i < 800; ++i) CHECK(container.count(i) == 1);
}

namespace {

/// A comparison, or a hash, that may throw when it is assigned.
struct Stubborn {
  static inline bool throws = false;
  Stubborn() = default;
  Stubborn(const Stubborn&) = default;
  Stubborn& operator=(const Stubborn&) {
    if (throws) throw std::runtime_error("stubborn");
    return *this;
  }
  bool operator()(int a, int b) const { return a < b; }
  std::size_t operator()(int a) const { return static_cast<std::size_t>(a); }
};

}  // namespace

TEST_CASE_TEMPLATE("a function that throws when it is assigned ends no program", Container,
                   tbb::concurrent_set<int, Stubborn>,
                   tbb::concurrent_unordered_set<int, Stubborn>) {
  Container container{1, 2};
  Container other{3};
  Stubborn::throws = true;
  CHECK(throws<std::runtime_error>([&] { container = other; }));
  CHECK(throws<std::runtime_error>([&] { container = std::move(other); }));
  Stubborn::throws = false;
  CHECK(other.count(3) == 1);
  container = std::move(other);
  CHECK(container.size() == 1);
}

#if defined(FURCA_TBB)  // oneTBB's gives it back to an allocator of the handle's own
namespace {

/// Does not go along with what is assigned or swapped; counts the blocks of each number.
struct Blocks {
  static inline int number_of[3] = {};
};
template <class T>
struct Numbered {
  using value_type = T;
  Numbered() = default;
  explicit Numbered(int n) : number(n) {}
  template <class U>
  Numbered(const Numbered<U>& other) : number(other.number) {}  // NOLINT: as the standard's
  T* allocate(std::size_t n) {
    ++Blocks::number_of[number];
    return std::allocator<T>().allocate(n);
  }
  void deallocate(T* p, std::size_t n) {
    --Blocks::number_of[number];
    std::allocator<T>().deallocate(p, n);
  }
  bool operator==(const Numbered&) const = default;
  int number = 0;
};

/// Goes along with what is swapped.
template <class T>
struct Swapped : Numbered<T> {
  using propagate_on_container_swap = std::true_type;
  using Numbered<T>::Numbered;
  template <class U>
  Swapped(const Swapped<U>& other) : Numbered<T>(other) {}  // NOLINT: as the standard's
};

}  // namespace

TEST_CASE_TEMPLATE(
    "a node's memory goes back to where it is from", Container,
    tbb::concurrent_set<int, std::less<int>, Numbered<int>>,
    tbb::concurrent_unordered_set<int, std::hash<int>, std::equal_to<int>, Numbered<int>>) {
  {
    Container one(Numbered<int>(1));
    Container two(Numbered<int>(2));
    one.insert({1, 2, 3});
    two.insert({1, 2, 3});
    typename Container::node_type node;
    node = one.unsafe_extract(1);
    CHECK(node.get_allocator().number == 1);
    typename Container::node_type other = two.unsafe_extract(2);
    swap(node, other);
    CHECK(node.value() == 2);
    CHECK(two.insert(std::move(node)).second);
    node = std::move(other);
    other = two.unsafe_extract(3);
    node = std::move(other);
    CHECK(node.get_allocator().number == 2);
  }
  for (const int blocks : Blocks::number_of) CHECK(blocks == 0);
}

TEST_CASE_TEMPLATE("a swap whose functions throw leaves memory where it is from", Container,
                   tbb::concurrent_set<int, Stubborn, Swapped<int>>,
                   tbb::concurrent_unordered_set<int, Stubborn, std::equal_to<int>, Swapped<int>>) {
  {
    Container one(Swapped<int>(1));
    Container two(Swapped<int>(2));
    one.insert({1, 2, 3});
    two.insert(4);
    Stubborn::throws = true;
    CHECK(throws<std::runtime_error>([&] { one.swap(two); }));
    Stubborn::throws = false;
  }
  for (const int blocks : Blocks::number_of) CHECK(blocks == 0);
}

TEST_CASE_TEMPLATE(
    "unordered: a merge without memory loses nothing", Container,
    tbb::concurrent_unordered_set<int, std::hash<int>, std::equal_to<int>, Scarce<int>>,
    tbb::concurrent_unordered_multiset<int, std::hash<int>, std::equal_to<int>, Scarce<int>>) {
  Container from;
  Container to;
  for (int i = 0; i < 9000; ++i) from.insert(i);
  Scarce<std::atomic<tbb::detail::HashLink*>>::left = 300;
  CHECK(throws<std::bad_alloc>([&] { to.merge(from); }));
  Scarce<std::atomic<tbb::detail::HashLink*>>::left = 1'000'000'000;
  CHECK(from.size() + to.size() == 9000);
  for (int i = 0; i < 9000; ++i) CHECK(from.count(i) + to.count(i) == 1);
  to.merge(from);
  CHECK(to.size() == 9000);
}
#endif

#if defined(FURCA_TBB)  // oneTBB says nothing of this
TEST_CASE("a container merged with itself, and a node moved to itself, lose nothing") {
  tbb::concurrent_multimap<int, int> ordered{{1, 1}, {1, 2}, {2, 3}};
  ordered.merge(ordered);
  CHECK(ordered.size() == 3);
  tbb::concurrent_unordered_multiset<int> unordered{1, 1, 2};
  unordered.merge(unordered);
  CHECK(unordered.size() == 3);
  auto node = ordered.unsafe_extract(2);
  auto& same = node;
  node = std::move(same);
  CHECK(node.mapped() == 3);
}
#endif

TEST_CASE("ordered: a comparison that throws leaves ways to elements that are there") {
  const auto left = std::make_shared<int>(1 << 30);
  const auto order = [left](int a, int b) {
    if (--*left < 0) throw std::runtime_error("no more comparisons");
    return a < b;
  };
  using Set = tbb::concurrent_multiset<int, decltype(order)>;
  for (int round = 0; round < 400; ++round) {
    Set from(order);
    for (int i = 0; i < 200; ++i) from.insert(i % 50);
    Set to(order);
    for (int i = 0; i < 200; i += 3) to.insert(i % 50);
    const std::size_t had = to.size();
    auto node = from.unsafe_extract(from.find(round % 49));
    from.clear();  // what that node was followed by is gone
    *left = round / 10;
    bool added = true;
    try {
      to.insert(std::move(node));
    } catch (const std::runtime_error&) {
      added = false;
    }
    *left = 1 << 30;
    CHECK(to.size() == had + (added ? 1 : 0));
    std::size_t seen = 0;
    const std::function<void(typename Set::range_type)> go_through = [&](auto part) {
      if (!part.is_divisible()) {
        seen += static_cast<std::size_t>(std::distance(part.begin(), part.end()));
        return;
      }
      typename Set::range_type rest(part, tbb::split());
      go_through(part);
      go_through(rest);
    };
    go_through(to.range());
    CHECK(seen == to.size());
  }
}

TEST_CASE("ordered: other types than the key's, nodes, functions") {
  tbb::concurrent_map<std::string, int, std::less<>> map{{"b", 2}, {"a", 1}, {"c", 3}};
  CHECK(map.find(std::string_view("b"))->second == 2);
  CHECK(map.lower_bound(std::string_view("aa"))->first == "b");
  CHECK(map.unsafe_erase(std::string_view("b")) == 1);
  map["d"] += 4;
  CHECK(map.at("d") == 4);
  CHECK_THROWS_AS((void)map.at("e"), std::out_of_range);
  auto node = map.unsafe_extract("a");
  node.key() = "z";
  node.mapped() = 26;
  CHECK(map.insert(std::move(node)).first->second == 26);
  CHECK(map.begin()->first == "c");

  tbb::concurrent_multimap<std::string, int, std::greater<std::string>> down{{"x", 1}, {"x", 2}};
  down.emplace("y", 3);
  CHECK(down.begin()->second == 3);
  CHECK(std::next(down.begin())->second == 1);
  tbb::concurrent_set guided({3, 1, 2}, std::greater<int>());
  CHECK(*guided.begin() == 3);
}

TEST_CASE_TEMPLATE("unordered: threads add, look and go through", Container,
                   tbb::concurrent_unordered_map<int, int>,
                   tbb::concurrent_unordered_multimap<int, int>, tbb::concurrent_unordered_set<int>,
                   tbb::concurrent_unordered_multiset<int>) {
  const bool several = Container().insert(made_of<Container>(1)).second &&
                       std::string(typeid(Container).name()).find("multi") != std::string::npos;
  Container container;
  std::atomic<int> added{0};
  together(2 * kMany, [&](int i) {
    const int key = i % kMany;
    added += container.insert(made_of<Container>(key)).second ? 1 : 0;
    CHECK(key_in(*container.find(key)) == key);
    CHECK(container.count(key) >= 1);
    if (i % 5000 == 0) {
      int number = 0;
      for (const auto& value : container) number += key_in(value) >= 0 ? 1 : 0;
      CHECK(number >= 1);
    }
  });
  CHECK(added == (several ? 2 : 1) * kMany);
  CHECK(container.size() == static_cast<std::size_t>(added));
  const auto [first, last] = container.equal_range(7);
  CHECK(std::distance(first, last) == (several ? 2 : 1));
  CHECK(!container.contains(-1));
  const auto sum_of = [](auto range) {
    return tbb::parallel_reduce(
        range, 0LL,
        [](const auto& part, long long all) {
          for (const auto& value : part) all += key_in(value);
          return all;
        },
        std::plus<>());
  };
  CHECK(sum_of(container.range()) == 1LL * added * (kMany - 1) / 2);
  CHECK(sum_of(std::as_const(container).range()) == 1LL * added * (kMany - 1) / 2);
  std::size_t in_buckets = 0;
  for (std::size_t i = 0; i < container.unsafe_bucket_count(); ++i)
    in_buckets += container.unsafe_bucket_size(i);
  CHECK(in_buckets == container.size());

  Container copy(container);
  CHECK(copy == container);
  CHECK(copy.unsafe_erase(7) == (several ? 2 : 1));
  CHECK(copy != container);
  auto node = copy.unsafe_extract(8);
  CHECK(copy.insert(std::move(node)).second);
  CHECK(node.empty());
  Container other;
  for (const int i : {7, 9}) other.insert(made_of<Container>(i));
  copy.merge(other);
  CHECK(copy.contains(7));
  CHECK(other.size() == (several ? 0 : 1));
  Container moved(std::move(copy));
  CHECK(copy.empty());
  copy = {made_of<Container>(1)};
  swap(copy, moved);
  CHECK(moved.size() == 1);
  copy.clear();
  CHECK(copy.begin() == copy.end());
}

TEST_CASE("unordered map: elements are made once, and only if they are new") {
  tbb::concurrent_unordered_map<std::string, std::unique_ptr<int>> map;
  map["a"] = std::make_unique<int>(1);
  CHECK(!map.emplace("a", nullptr).second);
  CHECK(*map.at("a") == 1);
  CHECK(throws<std::out_of_range>([&] { map.at("b"); }));
  tbb::concurrent_unordered_map<int, std::atomic<int>> counts;
  together(kMany, [&](int i) { ++counts[i % 7]; });
  int all = 0;
  for (const auto& [key, count] : counts) all += count;
  CHECK(all == kMany);
  std::vector<std::pair<int, int>> pairs{{1, 2}, {3, 4}};
  CHECK(tbb::concurrent_unordered_map(pairs.begin(), pairs.end()).at(3) == 4);
}

TEST_CASE("hash map: threads count, erase and look") {
  using Map = tbb::concurrent_hash_map<int, std::vector<int>>;
  constexpr int kKeys = 37;
  Map map;
  together(kMany, [&](int i) {
    {
      Map::accessor it;
      map.insert(it, i % kKeys);
      CHECK(it->first == i % kKeys);
      it->second.push_back(i);
    }
    Map::const_accessor it;
    if (i % 100 == 0 && map.find(it, i % kKeys) && it->second.size() > 50) map.erase(it);
    if (i % 1000 == 0) map.erase((i + 1) % kKeys);
    CHECK(map.count(kKeys) == 0);
  });
  CHECK(map.size() == static_cast<std::size_t>(std::distance(map.begin(), map.end())));

  tbb::concurrent_hash_map<int, int> counts(1000);
  together(10 * kMany, [&](int i) {
    tbb::concurrent_hash_map<int, int>::accessor it;
    counts.insert(it, {i % kMany, 0});
    ++it->second;
  });
  CHECK(counts.size() == kMany);
  const auto total = tbb::parallel_reduce(
      counts.range(), 0,
      [](const auto& part, int all) {
        for (const auto& value : part) all += value.second;
        return all;
      },
      std::plus<>());
  CHECK(total == 10 * kMany);
  auto copy = counts;
  CHECK(copy == counts);
  std::atomic<int> erased{0};
  together(2 * kMany, [&](int i) {
    tbb::concurrent_hash_map<int, int>::const_accessor it;
    if (i % 2 == 0 ? counts.erase(i / 2) : counts.find(it, i / 2) && counts.erase(it)) ++erased;
  });
  CHECK(erased == kMany);
  CHECK(counts.empty());
  CHECK(!counts.emplace(copy.begin()->first, 1) == false);
  tbb::concurrent_hash_map<int, int>::const_accessor it;
  CHECK(copy.find(it, 5));
  CHECK(it->second == 10);
  CHECK(copy.find(it, 5));  // what it had is released
  it.release();
  CHECK(it.empty());
}

TEST_CASE("hash map: an empty one finds nothing; elements that pass to another stay locked there") {
  using Map = tbb::concurrent_hash_map<int, int>;
  Map map;
  Map other;
  CHECK(map.count(1) == 0);
  CHECK(!map.erase(1));
  other.insert({1, 0});
  for (int i = 0; i < 4; ++i) {
    map.swap(other);
    together(kMany, [&](int) {
      Map::accessor it;
      CHECK(!(i % 2 == 0 ? map : other).insert(it, 1));
      ++it->second;
    });
    CHECK((i % 2 == 0 ? other : map).count(1) == 0);
  }
  const Map last(std::move(other));
  Map::const_accessor it;
  CHECK((last.find(it, 1) && it->second == 4 * kMany));
  other.insert({2, 2});
  CHECK(other.count(2) == 1);
}

TEST_CASE("TBB_DEFINE_STD_HASH_SPECIALIZATIONS: pairs and strings of any kind have a hash") {
  using Pair = std::pair<std::string, int>;
  tbb::concurrent_unordered_set<Pair> pairs{{"a", 1}, {"a", 2}, {"b", 1}};
  CHECK(pairs.count({"a", 2}) == 1);
  CHECK(std::hash<Pair>()({"a", 2}) == std::hash<Pair>()({"a", 2}));
  using String =
      std::basic_string<char, std::char_traits<char>, tbb::cache_aligned_allocator<char>>;
  tbb::concurrent_hash_map<String, int> strings;
  strings.insert({"a", 3});
  CHECK(strings.count("a") == 1);
  CHECK(strings.count("b") == 0);
}

#if defined(FURCA_TBB)
namespace {

/// Cannot be made out of nothing.
template <class T>
struct Given : std::allocator<T> {
  template <class U>
  struct rebind {
    using other = Given<U>;
  };
  explicit Given(int) {}
  template <class U>
  Given(const Given<U>&) {}  // NOLINT: as the standard's
};

}  // namespace

TEST_CASE("an allocator without a default constructor; containers of a moderate size") {
  using Map = tbb::concurrent_map<int, int, std::less<>, Given<std::pair<const int, int>>>;
  Map map{Map::allocator_type(0)};
  map.insert({1, 2});
  const Map::node_type node = map.unsafe_extract(1);
  static_cast<void>(node.get_allocator());
  CHECK(node.mapped() == 2);
  static_assert(sizeof(tbb::concurrent_hash_map<int, int>) <= 576);
  static_assert(sizeof(tbb::concurrent_unordered_map<int, int>) <= 592);
}

TEST_CASE("unordered: after memory has run out elements can be added again") {
  using Pair = std::pair<const int, int>;
  const auto check = [](auto container) {
    int i = 0;
    for (; i < 1000; ++i) container.insert(Pair{i, i});
    Scarce<std::atomic<tbb::detail::HashLink*>>::left = 300;
    int missing = 0;
    for (; i < 9000; ++i)
      missing += throws<std::bad_alloc>([&] { container.insert(Pair{i, i}); }) ? 1 : 0;
    CHECK(missing > 0);
    Scarce<std::atomic<tbb::detail::HashLink*>>::left = 1'000'000'000;
    for (i = 0; i < 9000; ++i) container.insert(Pair{i, i});
    CHECK(container.size() == 9000);
  };
  check(
      tbb::concurrent_unordered_map<int, int, std::hash<int>, std::equal_to<int>, Scarce<Pair>>());
  check(tbb::concurrent_hash_map<int, int, tbb::tbb_hash_compare<int>, Scarce<Pair>>());

  tbb::concurrent_unordered_set<int> crowded;
  crowded.max_load_factor(0);
  crowded.reserve(10);
  for (int i = 0; i < 100; ++i) crowded.insert(i);
  CHECK(crowded.unsafe_bucket_count() < 10'000);
}
#endif

TEST_CASE("scalable_malloc and its kind are an allocator") {
  char* p = static_cast<char*>(scalable_malloc(100));
  std::memset(p, 7, 100);
  p = static_cast<char*>(scalable_realloc(p, 10'000));
  CHECK(std::count(p, p + 100, 7) == 100);
  CHECK(scalable_msize(p) >= 10'000);
  CHECK(scalable_realloc(p, 0) == nullptr);
  p = static_cast<char*>(scalable_calloc(10, 10));
  CHECK(std::count(p, p + 100, 0) == 100);
  scalable_free(p);
  for (const std::size_t alignment : {1U, 8U, 16U, 64U, 4096U}) {
    void* q = scalable_aligned_malloc(10, alignment);
    CHECK(reinterpret_cast<std::uintptr_t>(q) % alignment == 0);
    CHECK(scalable_msize(q) >= 10);
    std::memset(q, 3, 10);
    q = scalable_aligned_realloc(q, 5000, 2 * alignment);
    CHECK(reinterpret_cast<std::uintptr_t>(q) % (2 * alignment) == 0);
    CHECK(std::count(static_cast<char*>(q), static_cast<char*>(q) + 10, 3) == 10);
    scalable_aligned_free(q);
  }
  CHECK(scalable_aligned_malloc(10, 3) == nullptr);
  CHECK(errno == EINVAL);
  void* q = nullptr;
  CHECK(scalable_posix_memalign(&q, 3, 10) == EINVAL);
  CHECK(scalable_posix_memalign(&q, 128, 10) == 0);
  scalable_free(q);
  CHECK(scalable_allocation_command(TBBMALLOC_CLEAN_ALL_BUFFERS, &q) == TBBMALLOC_INVALID_PARAM);
  CHECK(scalable_allocation_mode(1000, 0) == TBBMALLOC_INVALID_PARAM);

  std::vector<std::string, tbb::scalable_allocator<std::string>> strings(100, "a");
  CHECK(strings.back() == "a");
  CHECK(tbb::scalable_allocator<int>() == tbb::scalable_allocator<char>());
  CHECK(throws<std::bad_alloc>([] {
    int* const volatile block = tbb::scalable_allocator<int>().allocate(~std::size_t{0} / 2);
    static_cast<void>(block);
  }));
  std::pmr::vector<int> numbers(10, tbb::scalable_memory_resource());
  CHECK(numbers.size() == 10);
  CHECK(!tbb::scalable_memory_resource()->is_equal(*std::pmr::new_delete_resource()));
  CHECK(tbb::scalable_memory_resource()->is_equal(*tbb::scalable_memory_resource()));
  // not by asking for too much: sanitizers end the program then
  const volatile std::size_t wrong_alignment = 3;
  CHECK(throws<std::bad_alloc>(
      [&] { static_cast<void>(tbb::scalable_memory_resource()->allocate(10, wrong_alignment)); }));
}
