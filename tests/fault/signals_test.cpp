// Signals at any moment: threads that stop for milliseconds wherever they are, sleeps that are
// interrupted a thousand times a second, a process that is stopped and goes on. And the mask of
// signals that everything started in a body inherits.
#include <furca/furca.hpp>

#include "support/observe.hpp"
#include "support/subprocess.hpp"
#include "support/trials.hpp"

#include <cerrno>
#include <csignal>

#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id  // the manual's name, which not every libc has
#define sigev_notify_thread_id _sigev_un._tid
#endif

using namespace furca::test;
using furca::ThreadPool;
using furca::WaitPolicy;

namespace {

constexpr std::size_t kThreads = 4;

void rest(std::uint64_t microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

/// Without SA_RESTART, so that it interrupts what sleeps. For good: a signal may be on its way for
/// a while.
void handle(int signal, void (*handler)(int)) {
  struct sigaction action{};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

/// Every thread of a pool at once, twice over with a nap between, so that the caller and the idle
/// fall asleep and must be woken;
/// and then what computes() does.
bool computes_between_naps() {
  Meeting first(kThreads);
  join_all(kThreads, [&first](std::size_t) { first.attend(); });
  furca::join([] {}, [] { rest(1000); });
  Meeting second(kThreads);
  join_all(kThreads, [&second](std::size_t) { second.attend(); });
  return computes();
}

// --- threads that stop ---------------------------------------------------------------------------

std::atomic<std::uint64_t> stalls{0};
std::atomic<std::uint64_t> stalled_milliseconds{0};

/// Holds its thread up for 1 to 50 ms.
void stall(int) {
  const int error = errno;
  const std::uint64_t milliseconds = 1 + Random(stalls.fetch_add(1)).below(50);
  stalled_milliseconds += milliseconds;
  const timespec nap{0, static_cast<long>(milliseconds) * 1'000'000};
  nanosleep(&nap, nullptr);
  errno = error;
}

void send(const std::string& id, int signal) {
  syscall(SYS_tgkill, getpid(), std::stoi(id), signal);
}

// --- storms --------------------------------------------------------------------------------------

std::atomic<std::uint64_t> interruptions{0};

/// Sends a signal to one thread of this process a thousand times a second.
class Storm {
 public:
  Storm(const std::string& id, int signal) {
    sigevent event{};
    event.sigev_notify = SIGEV_THREAD_ID;
    event.sigev_signo = signal;
    event.sigev_notify_thread_id = std::stoi(id);
    REQUIRE(timer_create(CLOCK_MONOTONIC, &event, &timer_) == 0);
    const timespec millisecond{0, 1'000'000};
    const itimerspec times{millisecond, millisecond};
    REQUIRE(timer_settime(timer_, 0, &times, nullptr) == 0);
  }
  ~Storm() { timer_delete(timer_); }
  Storm(const Storm&) = delete;
  Storm& operator=(const Storm&) = delete;

 private:
  timer_t timer_{};
};

// --- what a body starts --------------------------------------------------------------------------

std::string own_mask() { return thread_status(std::to_string(syscall(SYS_gettid)), "SigBlk"); }

int status_of(pid_t child) {
  int status = -1;
  return waitpid(child, &status, 0) == child ? status : -1;
}

int by_popen(const char* command) {
  std::FILE* const pipe = popen(command, "r");
  return pipe != nullptr ? pclose(pipe) : -1;
}

/// A shell's child is told to end, and does.
bool ends_by_kill(int (*start)(const char*)) {
  const int status = start("exec 2>/dev/null; sleep 20 & kill $!; wait $!");
  return WIFEXITED(status) && WEXITSTATUS(status) == 128 + SIGTERM;
}

/// Without a shell between, since some shells clear their mask.
bool processes_have(const std::string& mask) {
  const std::string line = "^SigBlk:.*" + mask;
  const char* const arguments[] = {"grep", "-q", line.c_str(), "/proc/self/status", nullptr};
  const auto list = const_cast<char**>(arguments);
  pid_t spawned = 0;
  if (posix_spawnp(&spawned, "grep", nullptr, nullptr, list, environ) != 0) return false;
  const pid_t forked = fork();
  if (forked == 0) {
    execvp("grep", list);
    _exit(127);
  }
  return status_of(spawned) == 0 && status_of(forked) == 0;
}

const ChildProcess ended_by_a_task{"a task raises SIGTERM", [] {
                                     ThreadPool pool({.threads = 2});
                                     pool.spawn([] { std::raise(SIGTERM); });
                                     for (;;) pause();
                                     return 0;
                                   }};

// --- a process that is stopped -------------------------------------------------------------------

/// In memory that the process and its child have in common.
struct Progress {
  std::atomic<std::uint64_t> rounds{0};
  std::atomic<std::uint64_t> wrong{0};
  std::atomic<bool> enough{false};
};

/// The child computes; the parent, which has no pool, stops it at random moments and has it go on.
const ChildProcess stopped_and_continued{
    "a process is stopped and continued", [] {
      void* const shared = mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0);
      if (shared == MAP_FAILED) return 1;
      auto* const progress = new (shared) Progress;
      const pid_t child = fork();
      if (child == 0) {
        ThreadPool pool({.threads = kThreads});
        for (; !progress->enough; ++progress->rounds)
          if (!pool.install(computes_between_naps)) ++progress->wrong;
        _exit(0);
      }
      Random random(seed());
      const auto waits_for = [child](int options) {
        int status = 0;
        return waitpid(child, &status, options) == child ? status : 0;
      };
      const std::uint64_t stops = rounds(200);
      for (std::uint64_t i = 0; i < stops; ++i) {
        rest(random.below(4000));
        kill(child, SIGSTOP);
        if (!WIFSTOPPED(waits_for(WUNTRACED))) return 2;
        rest(random.below(1000));
        const std::uint64_t rounds = progress->rounds;
        kill(child, SIGCONT);
        if (i % 16 == 0) eventually([&] { return progress->rounds > rounds; });
      }
      progress->enough = true;
      if (waits_for(0) != 0) return 3;
      std::printf("%llu stops of the process, %llu rounds, %llu of them wrong\n",
                  static_cast<unsigned long long>(stops),
                  static_cast<unsigned long long>(progress->rounds),
                  static_cast<unsigned long long>(progress->wrong));
      return progress->wrong == 0 && progress->rounds > 0 ? 7 : 4;
    }};

}  // namespace

TEST_CASE("what a body starts has the mask of signals that the pool's maker has") {
  const Watchdog watchdog("masks");
  sigset_t two;
  sigemptyset(&two);
  sigaddset(&two, SIGUSR2);
  sigaddset(&two, SIGWINCH);
  std::thread([&two] {
    pthread_sigmask(SIG_BLOCK, &two, nullptr);
    const std::string mask = own_mask();
    const std::string command = "grep -q '^SigBlk:.*" + mask + "' /proc/self/status";
    for (const std::size_t threads : {1U, 3U}) {  // a pool of one has a thread for tasks
      const ThreadIds before = thread_ids();
      ThreadPool pool({.threads = threads});
      std::atomic<bool> over{false};
      pool.spawn([&] {
        std::string of_thread;
        std::thread([&of_thread] { of_thread = own_mask(); }).join();
        CHECK(of_thread == mask);
        CHECK(processes_have(mask));
        CHECK(ends_by_kill(std::system));
        CHECK(ends_by_kill(by_popen));
        over = true;
      });
      // Not by wait_idle(), in which this thread may run it.
      eventually([&over] { return over.load(); });
      // one that is just being created blocks all
      for (const std::string& id : threads_since(before))
        eventually([&] { return thread_status(id, "SigBlk") == mask; });
    }
  }).join();
}

TEST_CASE("a signal that a task raises is not lost") {
  const Ending ending = ended_by_a_task.run();
  INFO(ending);
  CHECK(ending.signal == SIGTERM);
}

TEST_CASE(
    "threads that stop for milliseconds at any moment delay the result and do not change it") {
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    const Watchdog watchdog("stalled threads");
    handle(SIGUSR1, stall);
    const ThreadIds before = thread_ids();
    ThreadPool pool({.threads = kThreads, .wait = wait});
    std::atomic<bool> enough{false};
    std::atomic<std::uint64_t> rounds{0};
    std::atomic<std::uint64_t> wrong{0};
    std::thread caller([&] {
      for (; !enough; ++rounds)
        if (!pool.install(computes_between_naps)) ++wrong;
    });
    const ThreadIds found = threads_since(before);
    const std::vector<std::string> ids(found.begin(), found.end());
    CHECK(ids.size() == kThreads);
    Random random(seed());
    stalls = 0;
    stalled_milliseconds = 0;
    for (const std::uint64_t wanted = furca::test::rounds(60); stalls < wanted;) {
      const std::uint64_t seen = rounds;
      for (std::uint64_t left = random.below(4); left > 0; --left) {
        send(ids[random.below(ids.size())], SIGUSR1);
        rest(random.below(2000));
      }
      eventually([&] { return rounds > seen; });
      watchdog.feed();
    }
    enough = true;
    caller.join();
    CHECK(wrong == 0);
    CHECK(rounds > 0);
    std::printf("%llu stalls, %llu ms together, %llu rounds, %llu of them wrong\n",
                static_cast<unsigned long long>(stalls),
                static_cast<unsigned long long>(stalled_milliseconds),
                static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(wrong));
  }
}

TEST_CASE("a storm of signals on every thread interrupts every sleep and changes nothing") {
  handle(SIGUSR1, [](int) { ++interruptions; });
  const ThreadIds before = thread_ids();
  CHECK(computes());  // the global pool's threads are there too
  for (const WaitPolicy wait : {WaitPolicy::own_subtree, WaitPolicy::greedy}) {
    const Watchdog watchdog("storms");
    constexpr std::size_t kCallers = 3;
    interruptions = 0;
    // one for each caller: in all of them all threads meet
    std::vector<std::unique_ptr<ThreadPool>> pools;
    for (std::size_t i = 0; i < kCallers; ++i)
      pools.push_back(
          std::make_unique<ThreadPool>(furca::Config{.threads = kThreads, .wait = wait}));
    const ThreadIds started = threads_since(before);
    std::atomic<bool> enough{false};
    std::atomic<std::uint64_t> rounds{0};
    std::atomic<std::uint64_t> wrong{0};
    std::vector<std::thread> callers;
    for (const auto& pool : pools) {
      callers.emplace_back([&] {
        for (; !enough; ++rounds) {
          if (!pool->install(computes_between_naps)) ++wrong;
          if (!computes()) ++wrong;  // all together, on the global pool
        }
      });
    }
    {
      std::vector<std::unique_ptr<Storm>> storms;
      for (const std::string& id : threads_since(before))
        storms.push_back(std::make_unique<Storm>(id, SIGUSR1));
      CHECK(storms.size() == started.size() + kCallers);
      for (std::uint64_t left = furca::test::rounds(10); left > 0; --left) {
        const std::uint64_t seen = rounds;
        rest(100'000);
        eventually([&] { return rounds > seen; });
        watchdog.feed();
      }
      enough = true;
      for (std::thread& caller : callers) caller.join();
    }
    CHECK(wrong == 0);
    CHECK(interruptions > 0);
    std::printf("%llu interruptions, %llu rounds, %llu of them wrong\n",
                static_cast<unsigned long long>(interruptions),
                static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(wrong));
  }
}

TEST_CASE("a process that is stopped and continued many times computes on") {
  const Ending ending =
      stopped_and_continued.run({.seconds = static_cast<int>(100 + 10 * scale())});
  INFO(ending);
  CHECK(ending.cleanly(7));
  std::fputs(ending.output.c_str(), stdout);
}
