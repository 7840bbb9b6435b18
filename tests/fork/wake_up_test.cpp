// Wake-ups in whole pools: what is taken for their time, what is not, and which loops ask for one.
// Nothing here depends on how fast the machine is: a system call that the test comes before takes
// as long as the test likes, and what a crowded machine spoils is tried again.
#include <furca/furca.hpp>

#include "measuring/costs.hpp"
#include "pool/pool.hpp"
#include "support/observe.hpp"
#include "support/watchdog.hpp"

#include <cstdarg>

#include <dlfcn.h>
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace furca::test;
using furca::ThreadPool;
using furca::detail::Pool;
using furca::detail::ticks;
using furca::detail::ticks_per_microsecond;
using furca::detail::WakeLatency;
using furca::detail::Worker;

namespace {

/// What a test does before a thread makes a system call.
struct Before {
  std::atomic<void (*)()> wake{nullptr};      // it wakes another thread
  std::atomic<void (*)()> affinity{nullptr};  // it changes where it may run
} before;

void call(const std::atomic<void (*)()>& hook) noexcept {
  if (void (*const wanted)() = hook.load()) wanted();
}

using SystemCall = long (*)(long, ...);
std::atomic<SystemCall> real_system_call{nullptr};

}  // namespace

extern "C" long syscall(long number, ...) noexcept {
  SystemCall real = real_system_call.load();
  if (real == nullptr) {  // not a static variable: waiting for one may be a system call
    real = reinterpret_cast<SystemCall>(dlsym(RTLD_NEXT, "syscall"));
    real_system_call.store(real);
  }
  std::array<long, 6> arguments{};
  va_list list;
  va_start(list, number);
  for (long& argument : arguments) argument = va_arg(list, long);
  va_end(list);
  if (number == SYS_futex && (arguments[1] & FUTEX_CMD_MASK) == FUTEX_WAKE) call(before.wake);
  if (number == SYS_sched_setaffinity) call(before.affinity);
  return real(number, arguments[0], arguments[1], arguments[2], arguments[3], arguments[4],
              arguments[5]);
}

/// Every thread wakes up beside its waker, as far as furca sees.
extern "C" int sched_getcpu() noexcept { return 0; }

namespace {

/// Before the system calls of one kind, from here to the end of the block.
class Hook {
 public:
  Hook(std::atomic<void (*)()>& place, void (*hook)()) noexcept : place_(place) {
    place_.store(hook);
  }
  ~Hook() { place_.store(nullptr); }
  Hook(const Hook&) = delete;
  Hook& operator=(const Hook&) = delete;

 private:
  std::atomic<void (*)()>& place_;
};

/// At least so long.
void spend(float microseconds) {
  const auto wanted = static_cast<std::uint64_t>(microseconds * ticks_per_microsecond());
  for (const std::uint64_t start = ticks(); ticks() - start < wanted;) {
  }
}

/// A pool, and which threads are its own.
struct Sleepers {
  explicit Sleepers(std::size_t threads)
      : pool({.threads = threads}), ids(threads_since(before_pool)) {}

  Pool& inside() {
    return pool.install([]() -> Pool& { return Worker::current().pool(); });
  }

  void wait_until_asleep() {
    eventually([&] { return inside().sleep().sleepers() == ids.size(); });
    for (const std::string& id : ids) eventually([&] { return is_asleep(id); });
  }

  const ThreadIds before_pool = thread_ids();
  ThreadPool pool;
  const ThreadIds ids;
};

/// A wake-up is taken to last so many microseconds, up to 100, and its waker to lose as many.
void pretend(WakeLatency& latency, float microseconds) {
  const auto wanted = static_cast<std::uint64_t>(microseconds * ticks_per_microsecond());
  for (int i = 0; i < 200; ++i) {
    latency.waking(ticks() - wanted);
    latency.woken();
    latency.has_been_woken(ticks() - wanted);
  }
}

}  // namespace

TEST_CASE("a pool measures how long it takes until a woken thread looks for work") {
  const Watchdog watchdog("a measured wake-up");
  Sleepers threads(2);
  Pool& pool = threads.inside();
  for (int attempt = 0; attempt < 100 && pool.sleep().latency.get() <= 0; ++attempt) {
    threads.wait_until_asleep();
    threads.pool.install([] {
      Meeting meeting(2);
      furca::join([&] { meeting.attend(); }, [&] { meeting.attend(); });
    });
  }
  CHECK(pool.sleep().latency.get() > 0);
  CHECK(pool.sleep().latency.wakers_own() > 0);
}

namespace {

/// What a woken thread has learned of its wake-up by the time at which it makes a system call for
/// the first time.
struct Learned {
  static inline std::atomic<const WakeLatency*> latency{nullptr};
  static inline std::atomic<float> known{0};
  static inline std::thread::id caller;
  static inline std::atomic<int> calls{0};
  static inline std::atomic<bool> already{false};

  static void look() {
    if (std::this_thread::get_id() != caller && calls.fetch_add(1) == 0)
      already = latency.load()->get() != known.load();
  }
};

/// A thread of an idle pool is woken. Is the answer as expected, one time in a hundred, at its
/// first system call of that kind?
bool learned_at(std::atomic<void (*)()>& place, bool expected) {
  Sleepers threads(8);
  Pool& pool = threads.inside();
  for (int attempt = 0; attempt < 100; ++attempt) {
    threads.wait_until_asleep();
    while (pool.lookers.wanted() < 2) pool.lookers.woken_found_work();
    pretend(pool.sleep().latency, 5);
    Learned::latency = &pool.sleep().latency;
    Learned::known = pool.sleep().latency.get();
    Learned::caller = std::this_thread::get_id();
    Learned::calls = 0;
    {
      const Hook hook(place, &Learned::look);
      pool.wake(nullptr);
      threads.wait_until_asleep();
    }
    if (Learned::calls > 0 && Learned::already == expected) return true;
  }
  return false;
}

}  // namespace

TEST_CASE("the wake-ups that a woken thread makes for others are no part of its own") {
  if (built_portable()) return;
  const Watchdog watchdog("a chain of wake-ups");
  CHECK(learned_at(before.wake, true));
}

TEST_CASE("a wake-up lasts until the thread is back on all its processors") {
  furca::detail::Affinity mine;
  if (!mine.keep_off(0)) return;  // there is no other one, or furca is not to say where threads run
  mine.let_back();
  const Watchdog watchdog("a thread that was kept off a processor");
  CHECK(learned_at(before.affinity, false));
}

namespace {

struct SlowWakeUp {
  static inline std::atomic<int> count{0};
  static inline std::thread::id caller;

  static void wait() {
    if (std::this_thread::get_id() != caller) return;
    ++count;
    spend(2'000);
  }
};

}  // namespace

// A loop whose chunks take longer than it thinks has them shorter: after a wake-up of 2 ms that
// counted, of one step. Four threads have a part each, two steal.
TEST_CASE("the time that a loop takes to wake a thread is not its chunks'") {
  if (built_portable()) return;
  const Watchdog watchdog("a slow wake-up");
  for (const std::size_t number : {2U, 4U}) {
    CAPTURE(number);
    Sleepers threads(number);
    SlowWakeUp::caller = std::this_thread::get_id();
    int woke_first = 0;
    std::vector<int> chunks;  // the caller's first ones
    const auto run_loop = [&](int steps) {
      chunks.clear();
      threads.pool.install([&] {
        furca::parallel_for_chunks(0, steps, [&](int lo, int hi) {
          if (std::this_thread::get_id() == SlowWakeUp::caller && chunks.size() < 2) {
            if (chunks.empty()) woke_first = SlowWakeUp::count;
            chunks.push_back(hi - lo);
          }
          spend(static_cast<float>(hi - lo));
        });
      });
    };
    bool grew = false;
    int woke = 0;
    for (int attempt = 0; attempt < 1'000 && !grew; ++attempt) {
      // What a step costs becomes known, and that steps are even: on a crowded machine a long call
      // is often interrupted, which looks uneven, and the next ones would run in pieces of one
      // length. Short calls seldom are.
      for (int i = 0; i < 10; ++i) run_loop(100);
      threads.wait_until_asleep();
      SlowWakeUp::count = 0;
      {
        const Hook hook(before.wake, &SlowWakeUp::wait);
        run_loop(2'000);
      }
      watchdog.feed();
      // a second wake-up would hide what the first one counted for
      if (woke_first != 1 || chunks.size() < 2) continue;
      ++woke;
      grew = chunks[1] > chunks[0];
    }
    CHECK(woke > 0);
    CHECK(grew);
  }
}

namespace {

/// A loop of cheap steps, whose first one takes that many microseconds.
void run_loop(int steps, float slow) {
  furca::parallel_for(0, steps, [slow](int i) {
    if (i == 0 && slow > 0) spend(slow);
  });
}

/// The machine is one on which a loop is worth sharing from 3 us on, whatever others have it do.
void pretend_usual_costs() {
  const furca::detail::Costs usual;
  furca::detail::measured_costs.pretend(usual);
}

/// How many cheap steps take two to four times as long as what is short, however slow they are in
/// this build: a wake-up is said to take longer.
int cheap_steps() {
  pretend_usual_costs();
  for (int steps = 16'384;; steps /= 2) {
    std::uint64_t least = ~std::uint64_t{0};
    for (int i = 0; i < 5; ++i) {
      const std::uint64_t began = ticks();
      run_loop(steps, 0);
      least = std::min(least, ticks() - began);
    }
    if (static_cast<float>(least) <= 4 * furca::detail::measured_costs.sharing_ticks())
      return steps;
  }
}

/// A loop that is known to be cheap, though not short, while all sleep; its first step takes so
/// long now. Did it wake a thread?
bool wakes_if_slow(Sleepers& threads, int steps, float microseconds) {
  Pool& pool = threads.inside();
  return threads.pool.install([&] {
    for (int i = 0; i < 10; ++i) run_loop(steps, 0);
    threads.wait_until_asleep();
    pretend_usual_costs();
    pretend(pool.sleep().latency, 100);
    const std::uint64_t wakes = pool.sleep().wakes();
    run_loop(steps, microseconds);
    return pool.sleep().wakes() != wakes;
  });
}

}  // namespace

TEST_CASE(
    "what a cheap loop's first step takes wakes nobody before it has lasted for two wake-ups") {
  const Watchdog watchdog("a slow first step");
  bool waited = false;
  bool woke = false;
  // On a crowded machine so many steps may be short a moment later, and those are known by their
  // first ones; or they look uneven, and then what a step took is believed at once. So each attempt
  // has threads of its own, who know nothing. Now and then a wake-up is measured.
  for (int attempt = 0; attempt < 100 && !(waited && woke); ++attempt) {
    Sleepers threads(2);
    const int steps = threads.pool.install(cheap_steps);
    waited = !wakes_if_slow(threads, steps, 100) || waited;
    woke = wakes_if_slow(threads, steps, 1'000) || woke;
    watchdog.feed();
  }
  CHECK(waited);
  CHECK(woke);
}
