// The plugs for senders, with the library that LIBRARY and NAMESPACE name.
#include LIBRARY

#include "everywhere.hpp"

#include <furca/plugs/parallel_scheduler.hpp>
#include <furca/plugs/scheduler.hpp>
#include <furca/plugs/sync_wait.hpp>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <optional>
#include <semaphore>
#include <span>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace ex = NAMESPACE;
namespace replacement = ex::parallel_scheduler_replacement;

auto NAMESPACE::parallel_scheduler_replacement::query_parallel_scheduler_backend()
    -> std::shared_ptr<parallel_scheduler_backend> {
  return furca::plugs::parallel_scheduler<ex::sender_tag>();
}

// --- memory that is counted, and runs out --------------------------------------------------------

namespace {
std::atomic<long> allocations = 0;
thread_local bool no_memory = false;
}  // namespace

void* operator new(std::size_t size) {
  ++allocations;
  void* const memory = no_memory ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void* operator new(std::size_t size, std::align_val_t alignment) {
  ++allocations;
  const auto unit = static_cast<std::size_t>(alignment);
  void* const memory =
      no_memory ? nullptr : std::aligned_alloc(unit, (size + unit - 1) / unit * unit);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::align_val_t) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t, std::align_val_t) noexcept { std::free(memory); }

namespace {

using Scheduler = furca::plugs::Scheduler<ex::sender_tag>;
static_assert(ex::scheduler<Scheduler>);
static_assert(std::is_nothrow_copy_constructible_v<Scheduler>);
using Scheduled = decltype(ex::schedule(std::declval<Scheduler>()));
static_assert(ex::sender<Scheduled>);

enum class End { none, value, error, stopped };

/// What the ends of operations are told to.
struct Ends {
  std::binary_semaphore over{0};
  End end = End::none;

  void is(End how) {
    end = how;
    over.release();
  }
  End await() {
    over.acquire();
    return end;
  }
};

/// A receiver whose stop token is of this source.
struct StoppableReceiver {
  using receiver_concept = ex::receiver_tag;
  struct Environment {
    auto query(ex::get_stop_token_t) const noexcept { return token; }
    ex::inplace_stop_token token;
  };

  template <class... T>
  void set_value(T&&...) noexcept {
    ends->is(End::value);
  }
  template <class E>
  void set_error(E&&) noexcept {
    ends->is(End::error);
  }
  void set_stopped() noexcept { ends->is(End::stopped); }
  Environment get_env() const noexcept { return {source->get_token()}; }

  Ends* ends;
  ex::inplace_stop_source* source;
};

template <class Sender>
End end_of(Sender sender, ex::inplace_stop_source& source) {
  Ends ends;
  auto operation = ex::connect(std::move(sender), StoppableReceiver{&ends, &source});
  ex::start(operation);
  return ends.await();
}

/// An operation that is made and starts again each time it ends, and destroys itself at last.
template <class Sched>
class Repeated {
 public:
  static void start(Sched scheduler, int times, Ends& ends) {
    (new Repeated(scheduler, times, ends))->next();
  }

 private:
  struct Receiver {
    using receiver_concept = ex::receiver_tag;
    void set_value() noexcept {
      if (--self->times_ > 0) return self->next();
      Ends& ends = self->ends_;
      delete self;  // the operation that completes is in it
      ends.is(End::value);
    }
    template <class E>
    void set_error(E&&) noexcept {
      std::abort();
    }
    void set_stopped() noexcept { std::abort(); }

    Repeated* self;
  };
  using Operation = ex::connect_result_t<decltype(ex::schedule(std::declval<Sched&>())), Receiver>;
  struct Made {
    Made(Sched& s, Repeated* self) : operation(ex::connect(ex::schedule(s), Receiver{self})) {}
    Operation operation;
  };

  Repeated(Sched scheduler, int times, Ends& ends)
      : scheduler_(scheduler), times_(times), ends_(ends) {}

  /// The operation before, which completes just now, goes.
  void next() noexcept {
    made_.emplace(scheduler_, this);
    ex::start(made_->operation);
  }

  Sched scheduler_;
  int times_;
  Ends& ends_;
  std::optional<Made> made_;
};

template <class Sched>
void many_times(Sched scheduler) {
  Ends ends;
  Repeated<Sched>::start(scheduler, 10, ends);
  ends.await();
  const long before = allocations;
  Repeated<Sched>::start(scheduler, 100'000, ends);
  CHECK(ends.await() == End::value);
  CHECK(allocations - before == 1);  // itself
}

// --- the pool's own scheduler --------------------------------------------------------------------

TEST_CASE("a pool's scheduler: what it is") {
  furca::ThreadPool pool({.threads = 2});
  furca::ThreadPool other({.threads = 1});
  const Scheduler scheduler(pool);
  CHECK(scheduler == furca::scheduler(pool));
  CHECK(scheduler != Scheduler(other));
  CHECK(ex::get_forward_progress_guarantee(scheduler) == ex::forward_progress_guarantee::parallel);
  CHECK(ex::get_completion_scheduler<ex::set_value_t>(ex::get_env(ex::schedule(scheduler))) ==
        scheduler);
}

TEST_CASE("a pool's scheduler: starts_on") {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    furca::ThreadPool pool({.threads = threads});
    std::size_t size = 0;
    std::thread::id there;
    const auto ran =
        ex::sync_wait(ex::starts_on(Scheduler(pool), ex::just(7) | ex::then([&](int i) {
                                                       size = furca::num_threads();
                                                       there = std::this_thread::get_id();
                                                       return i + 1;
                                                     })));
    CHECK(ran.value() == std::tuple(8));
    CHECK(size == threads);
    CHECK(there != std::this_thread::get_id());
  }
}

TEST_CASE("a pool's scheduler: 100,000 times in turn, in one allocation") {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    furca::ThreadPool pool({.threads = threads});
    many_times(Scheduler(pool));
  }
}

TEST_CASE("a pool's scheduler: the pool runs what was scheduled before it ends") {
  std::vector<std::unique_ptr<Ends>> ends;
  for (int i = 0; i < 200; ++i) ends.push_back(std::make_unique<Ends>());
  for (const std::size_t threads : {1U, 3U}) {
    {
      furca::ThreadPool pool({.threads = threads});
      for (auto& each : ends) Repeated<Scheduler>::start(Scheduler(pool), 5, *each);
    }
    for (auto& each : ends) CHECK(each->over.try_acquire());
  }
}

TEST_CASE("a pool's scheduler: stop") {
  furca::ThreadPool pool({.threads = 1});
  ex::inplace_stop_source source;
  bool ran = false;
  const auto sender = ex::schedule(Scheduler(pool)) | ex::then([&] { ran = true; });
  CHECK(end_of(sender, source) == End::value);
  CHECK(std::exchange(ran, false));

  // requested before the task begins
  std::binary_semaphore go{0};
  pool.spawn([&] { go.acquire(); });
  Ends ends;
  auto operation = ex::connect(sender, StoppableReceiver{&ends, &source});
  ex::start(operation);
  source.request_stop();
  go.release();
  CHECK(ends.await() == End::stopped);
  CHECK(end_of(sender, source) == End::stopped);
  CHECK(!ran);
}

// --- the parallel scheduler ----------------------------------------------------------------------

TEST_CASE("the parallel scheduler: one backend, of furca's threads") {
  const auto scheduler = ex::get_parallel_scheduler();
  CHECK(scheduler == ex::get_parallel_scheduler());
  const auto here = std::this_thread::get_id();
  const auto [there] = ex::sync_wait(ex::schedule(scheduler) | ex::then([] {
                                       CHECK(furca::thread_index() <= furca::num_threads());
                                       return std::this_thread::get_id();
                                     }))
                           .value();
  CHECK(there != here);
  many_times(scheduler);
}

// --- bulks on both -------------------------------------------------------------------------------

/// On a pool of so many threads.
template <class Sched>
void bulks(Sched scheduler, std::size_t threads) {
  for (const std::size_t n : {0U, 1U, 2U, 3U, 63U, 64U, 65U, 128U, 129U, 1000U, 4096U, 100'003U}) {
    CAPTURE(n);
    std::vector<std::atomic<int>> calls(n);
    std::atomic<std::size_t> all = 0;
    std::atomic<std::size_t> chunks = 0;
    const auto one = [&](std::size_t i) {
      ++calls[i];
      ++all;
    };
    const auto chunk = [&](std::size_t lo, std::size_t hi) {
      ++chunks;
      for (; lo < hi; ++lo) one(lo);
    };
    const auto check = [&](int times) {
      CHECK(all == n * static_cast<std::size_t>(times));
      for (const auto& each : calls) CHECK(each == times);
    };
    ex::sync_wait(ex::schedule(scheduler) | ex::bulk_unchunked(ex::par, n, one));
    check(1);
    ex::sync_wait(ex::schedule(scheduler) | ex::bulk_chunked(ex::par, n, chunk));
    check(2);
    CHECK(chunks <= 128 * threads);
    CHECK(4 * chunks >= std::min(n, 64 * threads));
    ex::sync_wait(ex::schedule(scheduler) | ex::bulk(ex::par_unseq, n, one));
    check(3);
    ex::sync_wait(ex::schedule(scheduler) | ex::bulk(ex::seq, n, one));
    check(4);
    chunks = 0;
    ex::sync_wait(ex::schedule(scheduler) | ex::bulk_chunked(ex::seq, n, chunk));
    check(5);
    if (n > 0) CHECK(chunks == 1);
  }

  std::atomic<int> sum = 0;
  const auto ran =
      ex::sync_wait(ex::schedule(scheduler) | ex::then([] { return std::string("x"); }) |
                    ex::bulk(ex::par, 10, [&](int i, const std::string&) { sum += i; }));
  CHECK(ran.value() == std::tuple(std::string("x")));
  CHECK(sum == 45);
  const auto throws = [] { throw std::runtime_error("said"); };
  CHECK_THROWS_WITH_AS(ex::sync_wait(ex::schedule(scheduler) | ex::then(throws)), "said",
                       std::runtime_error);
  CHECK_THROWS_WITH_AS(furca::plugs::sync_wait(ex::schedule(scheduler) | ex::then(throws) |
                                               ex::bulk(ex::par, 3, [](int) {})),
                       "said", std::runtime_error);
}

template <class Sched>
void bulks_stop(Sched scheduler, std::size_t threads) {
  constexpr std::size_t kMany = 1'000'000;
  std::atomic<std::size_t> calls = 0;
  ex::inplace_stop_source source;
  const auto one = [&](std::size_t) {
    const std::size_t call = ++calls;
    if (call == 10) source.request_stop();
    while (call > 10 && !source.stop_requested()) std::this_thread::yield();
  };
  CHECK(end_of(ex::schedule(scheduler) | ex::bulk_unchunked(ex::par, kMany, one), source) ==
        End::stopped);
  CHECK(calls >= 10);
  CHECK(calls <= 10 + threads);

  ex::inplace_stop_source again;
  calls = 0;
  const auto chunk = [&](std::size_t, std::size_t) {
    ++calls;
    again.request_stop();
  };
  CHECK(end_of(ex::schedule(scheduler) | ex::bulk_chunked(ex::par, kMany, chunk), again) ==
        End::stopped);
  CHECK(calls >= 1);
  CHECK(calls <= 1 + threads);
  CHECK(end_of(ex::schedule(scheduler), again) == End::stopped);
}

TEST_CASE("the parallel scheduler: bulks") {
  bulks(ex::get_parallel_scheduler(), furca::num_threads());
  bulks_stop(ex::get_parallel_scheduler(), furca::num_threads());
}

TEST_CASE("a pool's scheduler: bulks") {
  for (const std::size_t threads : {1U, 2U, 5U}) {
    furca::ThreadPool pool({.threads = threads});
    bulks(Scheduler(pool), threads);
    bulks_stop(Scheduler(pool), threads);
  }
}

TEST_CASE("a pool's scheduler: bulks are parallel, however the pool is come to") {
  furca::ThreadPool pool({.threads = 3});  // of which one would be this thread, which sleeps
  const Scheduler scheduler(pool);
  std::atomic<int> here = 0;
  const auto meet = [&](int) {  // each waits for the other
    ++here;
    while (here.load() < 2) std::this_thread::yield();
  };
  const auto both = [&](auto sender) {
    here = 0;
    CHECK(ex::sync_wait(std::move(sender)).has_value());
    CHECK(here == 2);
  };
  const auto bulk = ex::bulk(ex::par, 2, meet);
  const auto unchunked = ex::bulk_unchunked(ex::par, 2, meet);
  both(ex::schedule(scheduler) | bulk);
  both(ex::schedule(scheduler) | unchunked);
  both(ex::just() | ex::continues_on(scheduler) | bulk);
  both(ex::schedule(scheduler) | ex::then([] {}) | bulk | ex::then([] {}));
#ifdef STDEXEC  // in beman.execution just() says nowhere that it completes where it starts
  both(ex::starts_on(scheduler, ex::just() | bulk));
  both(ex::on(scheduler, ex::just() | unchunked));
#endif
}

TEST_CASE("a pool's scheduler: a bulk ends with what serial execution would throw") {
  furca::ThreadPool pool({.threads = 3});
  for (int round = 0; round < 100; ++round) {
    int caught = -1;
    try {
      ex::sync_wait(ex::schedule(Scheduler(pool)) | ex::bulk(ex::par, 1000, [](int i) {
                      if (i >= 300) throw i;
                    }));
    } catch (int i) {
      caught = i;
    }
    CHECK(caught == 300);
  }
}

// --- the parallel scheduler's backend, called as a library does ----------------------------------

/// All that the library must keep until the completion; it goes with it.
class Kept : public replacement::bulk_item_receiver_proxy {
 public:
  explicit Kept(Ends& ends) : ends_(ends) {}

  void set_value() noexcept override { go(End::value); }
  void set_error(std::exception_ptr error) noexcept override {
    try {
      std::rethrow_exception(error);
    } catch (const std::bad_alloc&) {
      go(End::error);
    }
  }
  void set_stopped() noexcept override { go(End::stopped); }
  void execute(std::size_t lo, std::size_t hi) noexcept override {
    calls_ += static_cast<int>(hi - lo);
  }

  alignas(16) std::array<std::byte, 64> storage = {};

 protected:
#ifdef STDEXEC
  void __query_env(ex::__type_index, ex::__type_index, void*) const noexcept override {}
#endif

 private:
  void go(End end) {
    Ends& ends = ends_;
    storage.fill(std::byte{0xee});
    delete this;
    ends.is(end);
  }

  Ends& ends_;
  std::atomic<int> calls_ = 0;
};

TEST_CASE("the parallel scheduler's backend: storage that is small or askew") {
  const auto backend = replacement::query_parallel_scheduler_backend();
  Ends ends;
  backend->schedule(*new Kept(ends), {});
  CHECK(ends.await() == End::value);
  for (std::size_t offset = 0; offset < 9; ++offset) {
    for (std::size_t size = 0; offset + size <= 64; ++size) {
      CAPTURE(offset);
      CAPTURE(size);
      const auto call = [&](auto function, auto... n) {
        auto* const kept = new Kept(ends);
        const auto storage = std::span<std::byte>(kept->storage).subspan(offset, size);
        ((*backend).*function)(n..., *kept, storage);
        CHECK(ends.await() == End::value);
      };
      using Backend = replacement::parallel_scheduler_backend;
      call(&Backend::schedule);
      call(&Backend::schedule_bulk_chunked, 3U);
      call(&Backend::schedule_bulk_unchunked, 3U);
    }
  }
}

TEST_CASE("the parallel scheduler's backend: no memory, and none needed") {
  const auto backend = replacement::query_parallel_scheduler_backend();
  Ends ends;
  const auto end = [&](std::size_t size) {
    auto* const kept = new Kept(ends);
    const auto storage = std::span<std::byte>(kept->storage).first(size);
    no_memory = true;
    backend->schedule_bulk_unchunked(2, *kept, storage);
    no_memory = false;
    return ends.await();
  };
  std::thread([&] {                // one that has no memory for tasks yet
    CHECK(end(48) == End::value);  // what beman::execution has
    CHECK(end(8) == End::error);
  })
      .join();
}

// --- sync_wait, nesting --------------------------------------------------------------------------

TEST_CASE("sync_wait: values, errors, stopped") {
  using furca::plugs::sync_wait;
  CHECK(sync_wait(ex::just()).value() == std::tuple());
  CHECK(sync_wait(ex::just(1, std::string("a"))).value() == std::tuple(1, std::string("a")));
  const auto only = sync_wait(ex::just(std::make_unique<int>(3)));
  CHECK(*std::get<0>(only.value()) == 3);
  CHECK(!sync_wait(ex::just_stopped()).has_value());
  CHECK_THROWS_AS(sync_wait(ex::just_error(5)), int);
  CHECK_THROWS_AS(sync_wait(ex::just_error(std::make_error_code(std::errc::invalid_argument))),
                  std::system_error);
  CHECK_THROWS_AS(sync_wait(ex::just_error(std::make_exception_ptr(std::logic_error("l")))),
                  std::logic_error);
}

TEST_CASE("sync_wait: the environment's scheduler is the pool's") {
  furca::ThreadPool pool({.threads = 3});
  pool.install([&] {
    const auto [scheduler] = furca::plugs::sync_wait(ex::read_env(ex::get_scheduler)).value();
    CHECK(scheduler == furca::scheduler(pool));
    std::size_t inside = 0;
    std::size_t after = 0;
    furca::ThreadPool other({.threads = 2});
    furca::plugs::sync_wait(
        ex::on(Scheduler(other), ex::just() | ex::then([&] { inside = furca::num_threads(); })) |
        ex::then([&] { after = furca::num_threads(); }));
    CHECK(inside == 2);
    CHECK(after == 3);
  });
}

TEST_CASE("in a furca loop, in a task, and around a furca loop") {
  const auto scheduler = ex::get_parallel_scheduler();
  const std::size_t outer = 8 * furca::num_threads();
  std::atomic<std::size_t> calls = 0;
  const auto inner = [&] {
    furca::plugs::sync_wait(ex::schedule(scheduler) | ex::bulk(ex::par, 50, [&](int) {
                              furca::parallel_for(0, 10, [&](int) { ++calls; });
                            }));
  };
  furca::parallel_for(std::size_t{0}, outer, [&](std::size_t) { inner(); }, {.grain = 1});
  CHECK(calls == outer * 500);
  furca::wait_idle();
  for (std::size_t i = 0; i < outer; ++i) furca::spawn(inner);
  furca::wait_idle();
  CHECK(calls == outer * 1000);
  furca::plugs::sync_wait(ex::schedule(scheduler) | ex::bulk(ex::par, 20, [&](int) { inner(); }));
  CHECK(calls == outer * 1000 + 10'000);
}

TEST_CASE("bulks everywhere, on the parallel scheduler and on a pool's own") {
  everywhere::call_everywhere(
      [](furca::ThreadPool* pool) {
        std::atomic<int> calls = 0;
        const auto bulk = ex::bulk(ex::par, 100, [&](int) { ++calls; });
        if (pool != nullptr)
          furca::plugs::sync_wait(ex::schedule(Scheduler(*pool)) | bulk);
        else
          furca::plugs::sync_wait(ex::schedule(ex::get_parallel_scheduler()) | bulk);
        return calls == 100;
      },
      true);
}

TEST_CASE("both schedulers from many threads") {
  furca::ThreadPool pool({.threads = 2});
  std::atomic<int> calls = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      const auto add = [&](int) { ++calls; };
      for (int i = 0; i < 50; ++i) {
        auto both =
            ex::when_all(ex::schedule(ex::get_parallel_scheduler()) | ex::bulk(ex::par, 100, add),
                         ex::schedule(Scheduler(pool)) | ex::bulk_unchunked(ex::par, 100, add));
        i % 2 == 0 ? (void)ex::sync_wait(std::move(both))
                   : (void)furca::plugs::sync_wait(std::move(both));
      }
    });
  }
  for (auto& thread : threads) thread.join();
  CHECK(calls == 6 * 50 * 200);
}

const everywhere::AtExit after_main([] {
  int calls = 0;
  furca::plugs::sync_wait(ex::schedule(ex::get_parallel_scheduler()) |
                          ex::bulk(ex::par, 1, [&](int) { ++calls; }));
  return calls == 1;
});

}  // namespace
