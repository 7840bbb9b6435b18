// The longest of the first N Collatz chains, with a bar that shows how far it has come, and a
// Ctrl-C that stops it in good order.
//
// A chain goes from x to x / 2 if x is even and to 3 x + 1 if it is odd, until it is at 1. The
// reduction counts its own progress, a chunk at a time; the serial run that it is checked against
// counts by hand. One thread draws: ten times a second where stderr is a terminal, else a line
// every five seconds. The first Ctrl-C requests a stop; what was done until then is printed, and
// the exit code is 130. The second ends the program on the spot.
//
// Work O(N s) with s the steps of a chain, some 100 to 250 on average; span O(log N + the longest
// chain).
//
// What to look at: the longest chain. Below a million it is that of 837799 with 524 steps, below
// ten that of 8400511 with 685, below a hundred that of 63728127 with 949. The time that is left is
// a little too short at first: chains get longer.
#include "arguments.hpp"
#include "timing.hpp"

#include <furca/furca.hpp>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stop_token>
#include <string>
#include <thread>

#include <pthread.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

namespace {

/// Of some numbers, all that is asked of their chains.
struct Chains {
  std::uint64_t count = 0;
  std::uint64_t steps = 0;  // all together
  std::uint64_t longest = 0;
  std::uint64_t from = 0;  // where the longest begins: the least such number
  bool operator==(const Chains&) const = default;
};

/// Of the first 10^10 numbers no chain leaves 64 bits.
constexpr std::uint64_t kMostNumbers = 10'000'000'000;

void add_chain(Chains& chains, std::uint64_t number) {
  std::uint64_t steps = 0;
  for (std::uint64_t x = number; x != 1; ++steps) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
  ++chains.count;
  chains.steps += steps;
  if (steps <= chains.longest && chains.from != 0) return;
  chains.longest = steps;
  chains.from = number;
}

/// `b` has higher numbers.
Chains together(const Chains& a, const Chains& b) {
  const Chains& longer = b.longest > a.longest || a.from == 0 ? b : a;
  return {a.count + b.count, a.steps + b.steps, longer.longest, longer.from};
}

/// Whole numbers come to the same along any tree. By schedule a stop takes effect within
/// microseconds: blocks of the aligned tree are millions of chains if N is billions, and each is
/// run to its end.
Chains chains_in_parallel(std::uint64_t n, furca::Progress& progress, const std::stop_token& stop) {
  return furca::parallel_reduce(
      std::uint64_t{1}, n + 1, Chains{}, add_chain, together,
      {.stop = stop, .progress = &progress, .tree = furca::ReduceTree::by_schedule});
}

Chains chains_serially(std::uint64_t n, furca::Progress& progress, const std::stop_token& stop) {
  constexpr std::uint64_t kAtATime = 4096;
  Chains chains;
  for (std::uint64_t number = 1; number <= n && !stop.stop_requested();) {
    const std::uint64_t before = number;
    for (const std::uint64_t end = std::min(n + 1, number + kAtATime); number < end; ++number)
      add_chain(chains, number);
    progress.add(number - before);
  }
  return chains;
}

/// The signals that the display's thread waits for; everybody else has them blocked.
struct Signals {
  static constexpr int kOver = SIGUSR1;  // from Display itself
  sigset_t set{};

  /// To be made before any thread is started, since threads inherit what is blocked. A program that
  /// was started with SIGINT ignored, as shells start those in the background, goes on ignoring it.
  Signals() {
    struct sigaction interrupt{};
    sigaction(SIGINT, nullptr, &interrupt);
    sigemptyset(&set);
    sigaddset(&set, kOver);
    if (interrupt.sa_handler != SIG_IGN) sigaddset(&set, SIGINT);
    pthread_sigmask(SIG_BLOCK, &set, nullptr);
  }
};

std::string format(const char* pattern, double value) {
  char text[64];
  std::snprintf(text, sizeof text, pattern, value);
  return text;
}

std::string rate_of(const furca::Progress& progress) {
  const double rate = progress.rate();
  return rate < 1e3   ? format("%.1f/s", rate)
         : rate < 1e6 ? format("%.1f thousand/s", rate / 1e3)
                      : format("%.2f million/s", rate / 1e6);
}

std::string time_left(const furca::Progress& progress) {
  const double seconds = progress.seconds_left();
  if (std::isinf(seconds)) return "?";
  if (seconds < 99) return format("%.0f s", std::ceil(seconds));
  return seconds < 5400 ? format("%.0f min", seconds / 60) : format("%.1f h", seconds / 3600);
}

/// Shows a progress, on a thread of its own, and stops the work when SIGINT comes.
class Display {
 public:
  Display(const char* what, const furca::Progress& progress, const Signals& signals,
          const std::stop_source& source)
      : what_(what), progress_(progress), signals_(signals.set), source_(source), thread_([this] {
          show();
        }) {}
  ~Display() {
    over_ = true;
    pthread_kill(thread_.native_handle(), Signals::kOver);
    thread_.join();
  }
  Display(const Display&) = delete;
  Display& operator=(const Display&) = delete;

 private:
  void show() {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const timespec pause = terminal ? timespec{0, 100'000'000} : timespec{5, 0};
    while (!over_) {
      if (terminal) draw_bar();
      const int signal = sigtimedwait(&signals_, nullptr, &pause);
      if (signal == SIGINT) {
        stop();
      } else if (signal != Signals::kOver && !terminal) {
        std::fprintf(stderr, "%s\n", line().c_str());
      }
    }
    if (!terminal) return;
    draw_bar();
    std::fputc('\n', stderr);
  }

  /// request_stop() calls what others have registered, and may lock: nothing for a signal's
  /// handler, so this thread waits for the signal. From here on SIGINT does what it does by
  /// default, and this is the only thread that it can come to.
  void stop() {
    source_.request_stop();
    sigset_t interrupt;
    sigemptyset(&interrupt);
    sigaddset(&interrupt, SIGINT);
    sigdelset(&signals_, SIGINT);
    pthread_sigmask(SIG_UNBLOCK, &interrupt, nullptr);
  }

  std::string line() const {
    const std::string left = source_.stop_requested() ? "stopping" : time_left(progress_) + " left";
    return what_ + format(": %5.1f %%", 100 * progress_.fraction()) + ", " + rate_of(progress_) +
           ", " + left;
  }

  /// Over the one before, as wide as fits: what wraps cannot be drawn over.
  void draw_bar() const {
    winsize window{};
    const std::size_t columns =
        ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0 ? window.ws_col : 80;
    constexpr std::size_t kText = 56;  // the most that comes after the bar
    std::string text = line();
    if (columns > kText) {
      const std::size_t width = std::min<std::size_t>(40, columns - kText);
      const auto full = static_cast<std::size_t>(progress_.fraction() * static_cast<double>(width));
      text = "[" + std::string(full, '#') + std::string(width - full, '.') + "] " + text;
    }
    text = "\r" + text.substr(0, columns - 1) + "\x1b[K";  // erases to the end of the line
    std::fwrite(text.data(), 1, text.size(), stderr);
  }

  const std::string what_;
  const furca::Progress& progress_;
  sigset_t signals_;
  std::stop_source source_;
  std::atomic<bool> over_{false};
  std::thread thread_;
};

void print_chains(const char* which, const Chains& chains) {
  const double mean = static_cast<double>(chains.steps) /
                      static_cast<double>(std::max<std::uint64_t>(chains.count, 1));
  std::printf("%s the longest chain is that of %ju with %ju steps; the mean is %.2f\n", which,
              std::uintmax_t{chains.from}, std::uintmax_t{chains.longest}, mean);
}

/// The exit code that shells give to a program that Ctrl-C has ended.
constexpr int kInterrupted = 128 + SIGINT;

}  // namespace

int main(int argc, char** argv) {
  const Signals signals;
  examples::Arguments arguments(argc, argv,
                                "usage: progress [N]\n"
                                "Finds the longest of the first N Collatz chains (default "
                                "20000000), and shows how far it has come:\n"
                                "a bar, or a line every five seconds if stderr is no terminal. "
                                "Ctrl-C stops it and prints what it\n"
                                "has; once more ends it on the spot.\n");
  const std::uint64_t n = arguments.number("N", 20'000'000, 1, kMostNumbers);
  arguments.done();
  std::printf("the first %ju Collatz chains\n", std::uintmax_t{n});
  std::fflush(stdout);

  const std::stop_source source;
  Chains chains;
  furca::Progress progress(n);
  const double parallel_time = examples::seconds([&] {
    const Display display("furca", progress, signals, source);
    chains = chains_in_parallel(n, progress, source.get_token());
  });
  if (chains.count != progress.done())
    return examples::disagreement("how many chains were followed");
  if (source.stop_requested()) {
    std::printf("interrupted after %.1f s: %ju of %ju chains followed, %.1f %%\n", parallel_time,
                std::uintmax_t{chains.count}, std::uintmax_t{n}, 100 * progress.fraction());
    print_chains("of these", chains);
    return kInterrupted;
  }
  print_chains("of all", chains);
  std::fflush(stdout);

  Chains serial;
  furca::Progress serial_progress(n);
  const double serial_time = examples::seconds([&] {
    const Display display("serial check", serial_progress, signals, source);
    serial = chains_serially(n, serial_progress, source.get_token());
  });
  if (source.stop_requested()) {
    std::printf("interrupted after %.1f s of the serial check: nothing was compared\n",
                serial_time);
    return kInterrupted;
  }
  if (serial != chains) return examples::disagreement("the longest chain, or how long all are");
  examples::print_comparison(serial_time, parallel_time);
  return 0;
}
