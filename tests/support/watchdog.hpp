// Turns a hang into a failure: a test that makes no progress for too long aborts, with a word on
// which one it was.
#pragma once

#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if !defined(_WIN32)
#include <time.h>
#include <unistd.h>
#endif

namespace furca::test {

#if defined(_WIN32)

/// There is no such signal: Meson's own limit ends a test.
class Watchdog {
 public:
  explicit Watchdog(const char*, unsigned = 60) noexcept {}
  void feed() const noexcept {}
};

#else

/// One at a time. A signal rather than a thread: it works when every thread of the process is
/// stuck.
///
/// On a crowded machine a test can stand still for a minute because it does not get a processor. So
/// time alone is no evidence.
/// Either the process has also computed for half of that time, and has nothing to show for it; or
/// it has not computed at all, twice running: everybody is asleep.
class Watchdog {
 public:
  explicit Watchdog(const char* test, unsigned seconds = 60) noexcept {
    watched().test = test;
    watched().seconds = seconds;
    struct sigaction action{};
    action.sa_handler = [](int) { look(); };
    sigaction(SIGALRM, &action, nullptr);
    feed();
  }
  ~Watchdog() { alarm(0); }
  Watchdog(const Watchdog&) = delete;
  Watchdog& operator=(const Watchdog&) = delete;

  /// There was progress: the time begins anew.
  void feed() const noexcept {
    Watched& watch = watched();
    const std::uint64_t now = computed();
    watch.computed_when_fed = now;
    watch.computed_when_looked = now;
    watch.was_asleep = false;
    alarm(watch.seconds);
  }

 private:
  struct Watched {
    const char* test = "";
    unsigned seconds = 0;
    std::atomic<std::uint64_t> computed_when_fed{0};
    std::atomic<std::uint64_t> computed_when_looked{0};
    std::atomic<bool> was_asleep{false};
  };

  static Watched& watched() noexcept {
    static constinit Watched watch;
    return watch;
  }

  /// Milliseconds of processor time, all threads together.
  static std::uint64_t computed() noexcept {
    timespec time{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<std::uint64_t>(time.tv_sec) * 1000 +
           static_cast<std::uint64_t>(time.tv_nsec) / 1'000'000;
  }

  /// In the signal's handler: async-signal-safe calls only.
  static void look() noexcept {
    Watched& watch = watched();
    const std::uint64_t now = computed();
    if (now - watch.computed_when_fed >= watch.seconds * 500U)
      bark("no progress, though it computes: ");
    const bool asleep = now - watch.computed_when_looked < 10;
    if (asleep && watch.was_asleep) bark("everybody is asleep, deadlock or lost wake-up: ");
    watch.computed_when_looked = now;
    watch.was_asleep = asleep;
    alarm(asleep ? watch.seconds / 4 + 1 : watch.seconds);
  }

  [[noreturn]] static void bark(const char* finding) noexcept {
    say("watchdog: ");
    say(finding);
    say(watched().test);
    say("\n");
    std::signal(SIGABRT, SIG_DFL);
    std::abort();
  }

  static void say(const char* text) noexcept {
    if (write(STDERR_FILENO, text, std::strlen(text)) < 0) return;
  }
};

#endif

}  // namespace furca::test
