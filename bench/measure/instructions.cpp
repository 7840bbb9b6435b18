#include "instructions.hpp"

#include "contenders.hpp"
#include "process.hpp"

#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <sstream>

#include <unistd.h>

namespace bench {
namespace {

/// Something to be done n times or so.
struct Countable {
  std::string what;  // for the child
  std::string name;
  std::string summary;
  std::string family;
  std::string variant;
  std::vector<std::string> environment;
  std::uint64_t
      small;  // two values of n: what a run takes besides is in both, and not in the difference
  std::uint64_t large;
  double (*operations)(std::uint64_t n);
  void (*run)(std::uint64_t n);
};

double n_itself(std::uint64_t n) { return static_cast<double>(n); }

// --- fib: a fork for every addition --------------------------------------------------------------

[[gnu::noinline]] std::uint64_t plain_fib(std::uint64_t n) {
  return n < 2 ? n : plain_fib(n - 1) + plain_fib(n - 2);
}

double additions_in_fib(std::uint64_t n) { return static_cast<double>(plain_fib(n + 1) - 1); }

template <class C>
std::uint64_t forked_fib(std::uint64_t n) {
  if (n < 2) return n;
  const auto [a, b] =
      C::join([n] { return forked_fib<C>(n - 1); }, [n] { return forked_fib<C>(n - 2); });
  return a + b;
}

volatile std::uint64_t result;  // so that nothing is left out for having none

void run_plain_fib(std::uint64_t n) { result = plain_fib(n); }

template <class C>
void run_forked_fib(std::uint64_t n) {
  C::kContender.enter(1, [n] { result = forked_fib<C>(n); });
}

// --- loops ---------------------------------------------------------------------------------------

template <class C, std::size_t kIterations>
void run_loops(std::uint64_t n) {
  C::kContender.enter(1, [n] {
    for (std::uint64_t i = 0; i < n; ++i) C::loop(kIterations, [](std::size_t) {});
  });
}

// --- the deque -----------------------------------------------------------------------------------

template <class Fence>
void push_and_pop(furca::Deque<int, Fence>& deque, std::uint64_t n) {
  for (std::uint64_t i = 0; i < n; ++i) {
    deque.push(1);
    deque.pop();
  }
}

/// Above an item that stays: the last one is the rare case.
template <class Fence>
void run_push_and_pop(std::uint64_t n) {
  furca::Deque<int, Fence> deque;
  deque.push(0);
  push_and_pop(deque, n);
}

/// While a thief is there, the adaptive fence stays armed.
void run_push_and_pop_armed(std::uint64_t n) {
  furca::Deque<int, furca::AdaptiveFence> deque;
  deque.push(0);
  deque.steal_if([&deque, n] {
    push_and_pop(deque, n);
    return false;
  });
}

// --- all of it -----------------------------------------------------------------------------------

constexpr const char* kForkSummary =
    "for each addition of fib on one thread, with the recursion itself; serial: without a fork";

template <class C>
void add_family(std::vector<Countable>& all, const std::string& variant,
                const std::vector<std::string>& environment) {
  const std::string family = C::kContender.family;
  const std::string what = family + " " + variant;
  if constexpr ((C::kOffers & kFineForks) != 0) {
    all.push_back({"forks " + what, "fork and join", kForkSummary, family, variant, environment, 12,
                   17, &additions_in_fib, &run_forked_fib<C>});
  }
  if constexpr ((C::kOffers & kLoop) != 0) {
    all.push_back({"short loops " + what, "loop of one iteration", "for each call, on one thread",
                   family, variant, environment, 200, 1'200, &n_itself, &run_loops<C, 1>});
    all.push_back({"loops " + what, "empty loop of 1,000 iterations",
                   "for each call, on one thread", family, variant, environment, 200, 1'200,
                   &n_itself, &run_loops<C, 1'000>});
  }
}

void add_deque(std::vector<Countable>& all, const std::string& variant,
               const std::string& environment, void (*run)(std::uint64_t)) {
  all.push_back({"deque " + variant,
                 "push and pop",
                 "for each pair of them",
                 "furca",
                 variant,
                 {environment},
                 1'000,
                 101'000,
                 &n_itself,
                 run});
}

std::vector<Countable> countables() {
  const std::string classic = "FURCA_FENCE=classic";
  const std::string adaptive = "FURCA_FENCE=adaptive";
  std::vector<Countable> all;
  all.push_back({"plain recursion",
                 "fork and join",
                 kForkSummary,
                 "serial",
                 "",
                 {},
                 12,
                 17,
                 &additions_in_fib,
                 &run_plain_fib});
  add_family<Furca>(all, "classic fence", {classic});
  add_family<Furca>(all, "adaptive fence", {adaptive});
#ifdef FURCA_BENCH_TBB
  add_family<TbbInvoke>(all, "", {});
  add_family<TbbAuto>(all, "", {});
#endif
  add_deque(all, "classic fence", classic, &run_push_and_pop<furca::SeqCstFence>);
  add_deque(all, "adaptive fence, quiet", adaptive, &run_push_and_pop<furca::AdaptiveFence>);
  add_deque(all, "adaptive fence, armed", adaptive, &run_push_and_pop_armed);
  return all;
}

// --- the parent ----------------------------------------------------------------------------------

bool on_path(const std::string& program) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    if (access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  }
  return false;
}

/// From callgrind's "==pid== Collected : 12345".
std::optional<double> collected(const std::string& text) {
  constexpr const char* kLabel = "Collected : ";
  const std::size_t at = text.rfind(kLabel);
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(text.c_str() + at + std::strlen(kLabel), nullptr);
}

/// All instructions of a process that runs it with n.
std::optional<double> instructions_of(const Countable& it, std::uint64_t n,
                                      const std::string& program) {
  std::string errors;
  const auto output = run_process("valgrind",
                                  {"--tool=callgrind", "--callgrind-out-file=/dev/null", program,
                                   "--count", it.what, std::to_string(n)},
                                  it.environment, "valgrind, " + it.what, &errors);
  return output ? collected(errors) : std::nullopt;
}

double instructions_per_operation(const Countable& it, const std::string& program) {
  const std::optional<double> small = instructions_of(it, it.small, program);
  const std::optional<double> large = small ? instructions_of(it, it.large, program) : std::nullopt;
  if (!large) return std::numeric_limits<double>::quiet_NaN();
  return (*large - *small) / (it.operations(it.large) - it.operations(it.small));
}

}  // namespace

std::vector<Figure> count_instructions(const std::string& program) {
  std::vector<Figure> figures;
  if (!on_path("valgrind")) return figures;
  for (const Countable& it : countables()) {
    figures.push_back({it.name,
                       it.summary,
                       Group::instructions,
                       it.family,
                       it.variant,
                       "instructions",
                       {instructions_per_operation(it, program)}});
  }
  return figures;
}

bool run_if_counted(std::span<char* const> arguments) {
  constexpr unsigned kPatienceSeconds = 120;
  if (arguments.size() != 3 || std::strcmp(arguments[0], "--count") != 0) return false;
  for (const Countable& it : countables()) {
    if (it.what != arguments[1]) continue;
    alarm(kPatienceSeconds);
    it.run(std::strtoull(arguments[2], nullptr, 10));
    return true;
  }
  return false;
}

}  // namespace bench
