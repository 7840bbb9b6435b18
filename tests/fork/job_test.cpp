#include <furca/detail/fork/job.hpp>
#include <furca/detail/fork/latch.hpp>
#include <furca/detail/fork/worker.hpp>
#include <furca/thread_pool.hpp>

#include "pool/pool.hpp"

#include "support/standard.hpp"

using furca::detail::call;
using furca::detail::Job;
using furca::detail::Latch;
using furca::detail::Outcome;
using furca::detail::Pool;
using furca::detail::Unit;
using furca::detail::Worker;

namespace {

/// Counts how many of it live.
class Counted {
 public:
  explicit Counted(int number) : number_(number) { ++living; }
  Counted(Counted&& other) noexcept : number_(std::exchange(other.number_, -1)) {
    ++living;
    ++moves;
  }
  ~Counted() { --living; }

  int number() const { return number_; }

  static inline int living = 0;
  static inline int moves = 0;

 private:
  int number_;
};

struct Refusal : std::runtime_error {
  explicit Refusal(int why) : std::runtime_error("refused"), token(why) {}
  Counted token;  // lives as long as the exception does
  Refusal(const Refusal& other) : std::runtime_error(other), token(other.token.number()) {}
};

struct ThrowsWhenMoved {
  ThrowsWhenMoved() { ++living; }
  ThrowsWhenMoved(ThrowsWhenMoved&&) { throw std::runtime_error("moved"); }
  ~ThrowsWhenMoved() { --living; }
  static inline int living = 0;
};

class Doubling : public furca::detail::ForkedJob {
 public:
  explicit Doubling(int number) noexcept : ForkedJob(&run), number_(number) {}
  int number() const { return number_; }
  const Worker* runner() const { return runner_; }
  bool ran_on_empty_deque() const { return on_empty_deque_; }

 private:
  static furca::detail::JobEnd run(Job& job, Worker& runner, bool on_empty_deque) noexcept {
    auto& self = static_cast<Doubling&>(job);
    self.number_ *= 2;
    self.runner_ = &runner;
    self.on_empty_deque_ = on_empty_deque;
    return furca::detail::JobEnd::of(self.latch);
  }
  int number_;
  const Worker* runner_ = nullptr;
  bool on_empty_deque_ = false;
};

/// Somebody to take a latch.
struct Takers {
  Pool pool{furca::Config{.threads = 1}, Pool::OnFailure::fail};
  Worker first{pool};
  Worker second{pool};
};

}  // namespace

TEST_CASE("open: not set, and nobody has it") {
  const Latch latch;
  CHECK_FALSE(latch.is_set());
  CHECK(latch.claimer() == nullptr);
}

TEST_CASE("taken: not set, and says by whom") {
  const Takers claimers;
  Latch one;
  Latch two;
  one.claim(claimers.first);
  two.claim(claimers.second);
  CHECK_FALSE(one.is_set());
  CHECK(one.claimer() == &claimers.first);
  CHECK(two.claimer() == &claimers.second);
}

TEST_CASE("set: done, and nobody has it any more") {
  const Takers claimers;
  Latch latch;
  latch.claim(claimers.first);
  latch.set();
  CHECK(latch.is_set());
  CHECK(latch.claimer() == nullptr);
}

TEST_CASE("a latch is one word") { static_assert(sizeof(Latch) == sizeof(void*)); }

TEST_CASE("a job runs its own function, knows who runs it, and leaves the latch to that") {
  furca::ThreadPool pool({.threads = 1});
  pool.install([] {
    Doubling job(21);
    Job& as_thieves_see_it = job;
    static_cast<void>(as_thieves_see_it.run(Worker::current(), true));
    CHECK(job.number() == 42);
    CHECK(job.runner() == &Worker::current());
    CHECK(job.ran_on_empty_deque());
    CHECK_FALSE(job.latch.is_set());
  });
}

TEST_CASE("call turns void into Unit, and passes everything else on") {
  static_assert(std::is_same_v<decltype(call([] {})), Unit>);
  static_assert(std::is_same_v<decltype(call([] { return 1; })), int>);
  static_assert(
      std::is_same_v<decltype(call([](int& i) -> int& { return i; }, std::declval<int&>())), int&>);
  int number = 1;
  call([](int& i) { i = 2; }, number);
  CHECK(number == 2);
  CHECK(&call([](int& i) -> int& { return i; }, number) == &number);
  CHECK(*call([](std::unique_ptr<int> p) { return p; }, std::make_unique<int>(3)) == 3);
}

TEST_CASE("an outcome nobody fills makes and destroys nothing") {
  const int before = Counted::living;
  {
    const Outcome<Counted> outcome;
  }
  CHECK(Counted::living == before);
}

TEST_CASE("fill and take: the value, moved once, and nothing stays behind") {
  Counted::living = Counted::moves = 0;
  Outcome<Counted> outcome;
  outcome.fill([] { return Counted(7); });
  CHECK(Counted::living == 1);
  CHECK(Counted::moves == 0);  // made in place
  {
    const Counted got = outcome.get();
    CHECK(got.number() == 7);
    CHECK(Counted::living == 1);
    CHECK(Counted::moves == 1);
  }
  CHECK(Counted::living == 0);
}

TEST_CASE("values that only move, values that are large, Unit") {
  Outcome<std::unique_ptr<std::string>> pointer;
  pointer.fill([] { return std::make_unique<std::string>("furca"); });
  CHECK(*pointer.get() == "furca");

  Outcome<std::array<long, 100>> large;
  large.fill([] {
    std::array<long, 100> numbers{};
    numbers[99] = 5;
    return numbers;
  });
  CHECK(large.get()[99] == 5);

  Outcome<const int> constant;
  constant.fill([] { return 3; });
  CHECK(constant.get() == 3);

  Outcome<Unit> nothing;
  nothing.fill([] { return Unit{}; });
  nothing.get();
}

TEST_CASE("a reference stays the same reference") {
  int number = 1;
  const std::string text = "furca";
  Outcome<int&> mutable_one;
  mutable_one.fill([&]() -> int& { return number; });
  int& got = mutable_one.get();
  CHECK(&got == &number);
  Outcome<const std::string&> constant_one;
  constant_one.fill([&]() -> const std::string& { return text; });
  CHECK(&constant_one.get() == &text);
  Outcome<int&&> temporary;
  temporary.fill([&]() -> int&& { return std::move(number); });
  int&& moved = temporary.get();
  CHECK(&moved == &number);
}

TEST_CASE("what the job threw is what take throws, and the exception dies with its last handler") {
  Counted::living = 0;
  Outcome<std::string> outcome;
  outcome.fill([]() -> std::string { throw Refusal(9); });
  CHECK(Counted::living == 1);
  int caught = 0;
  try {
    outcome.get();
  } catch (const Refusal& refusal) {
    caught = refusal.token.number();
    CHECK(Counted::living == 1);
  }
  CHECK(caught == 9);
  CHECK(Counted::living == 0);
}

TEST_CASE("things that are no std::exception are carried as well") {
  Outcome<Unit> outcome;
  outcome.fill([]() -> Unit { throw 42; });
  CHECK_THROWS_AS(outcome.get(), int);

  Outcome<int&> reference;
  reference.fill([]() -> int& { throw std::string("no"); });
  CHECK_THROWS_AS(reference.get(), std::string);
}

TEST_CASE("discard drops a value, a reference, an exception") {
  Counted::living = 0;
  Outcome<Counted> value;
  value.fill([] { return Counted(1); });
  value.discard();
  CHECK(Counted::living == 0);

  int number = 5;
  Outcome<int&> reference;
  reference.fill([&]() -> int& { return number; });
  reference.discard();
  CHECK(number == 5);

  Outcome<Counted> failed;
  failed.fill([]() -> Counted { throw Refusal(2); });
  CHECK(Counted::living == 1);
  failed.discard();
  CHECK(Counted::living == 0);
}

TEST_CASE("a value whose move throws on the way out is destroyed once") {
  Outcome<ThrowsWhenMoved> outcome;
  outcome.fill([] { return ThrowsWhenMoved(); });
  CHECK(ThrowsWhenMoved::living == 1);
  CHECK_THROWS_AS(outcome.get(), std::runtime_error);
  CHECK(ThrowsWhenMoved::living == 0);
}

TEST_CASE("a constructor that throws half-way is an exception like any other") {
  struct Fragile {
    Fragile() : part(1) { throw std::runtime_error("fragile"); }
    Counted part;
  };
  Counted::living = 0;
  Outcome<Fragile> outcome;
  outcome.fill([] { return Fragile(); });
  CHECK(Counted::living == 0);
  CHECK_THROWS_AS(outcome.get(), std::runtime_error);
}
