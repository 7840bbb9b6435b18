// furca-bench: furca against oneTBB and the serial run. The method is in README.md.
#include "harness.hpp"
#include "host.hpp"
#include "report.hpp"

#include <furca/thread_pool.hpp>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <random>

#include <unistd.h>

namespace {

using bench::Effort;
using bench::Plan;

constexpr const char* kUsage = R"(usage: furca-bench [options]
Compares furca with oneTBB and the serial run; about two minutes.

  --quick              smaller and fewer: under a minute
  --full               larger and more: about a quarter of an hour
  --filter SUBSTRING   only rows and probes whose name contains it ("axpy 1000", "idle")
  --rounds N           how often each contender runs (quick 3, else 7, full 15)
  --seed N             for the order in a round; otherwise random, and printed
  --text DIR           the text for wordcount (/usr/share/common-licenses)
  --list               what there is to run
  --help               this text

FURCA_NUM_THREADS sets the number of threads; otherwise it is the number of processors.
Exit code: 0; 1 if a run died or gave a wrong result; 2 for wrong arguments and builds that cannot be timed.
Missed targets do not change it.
)";

[[noreturn]] void refuse(const std::string& why) {
  std::fprintf(stderr, "furca-bench: %s\n", why.c_str());
  std::exit(2);
}

/// Times of such builds mean nothing, so there are none.
void refuse_slow_builds() {
#ifndef NDEBUG
  refuse("built with assertions; configure with: meson setup --buildtype=release");
#endif
  const std::string optimization = FURCA_BENCH_LIBRARY_OPTIMIZATION;
  if (optimization == "0" || optimization == "g")
    refuse("built without optimisation; configure with: meson setup --buildtype=release");
  if (std::strcmp(FURCA_BENCH_SANITIZE, "none") != 0)
    refuse("built with a sanitizer (" FURCA_BENCH_SANITIZE "); configure with: -Db_sanitize=none");
}

std::uint64_t parse_number(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most)
    refuse(option + " wants a number from " + std::to_string(least) + " to " + std::to_string(most) + ", not \"" + text + "\"");
  return value;
}

struct Options {
  Plan plan;
  bool list = false;
};

Options parse(std::span<char* const> arguments) {
  Options options;
  Plan& plan = options.plan;
  plan.text_dir = "/usr/share/common-licenses";
  if (!std::filesystem::is_directory(plan.text_dir)) plan.text_dir.clear();
  plan.seed = std::random_device{}() % 1'000'000;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i];
    const auto value = [&]() -> std::string {
      if (++i == arguments.size()) refuse(option + " wants a value; see --help");
      return arguments[i];
    };
    if (option == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (option == "--list") {
      options.list = true;
    } else if (option == "--quick") {
      plan.effort = Effort::quick;
    } else if (option == "--full") {
      plan.effort = Effort::full;
    } else if (option == "--filter") {
      plan.filter = value();
    } else if (option == "--rounds") {
      plan.rounds = static_cast<unsigned>(parse_number(option, value(), 1, 10'000));
    } else if (option == "--seed") {
      plan.seed = parse_number(option, value(), 0, UINT64_MAX);
    } else if (option == "--text") {
      plan.text_dir = value();
      if (!std::filesystem::is_directory(plan.text_dir)) refuse("--text: no such directory: " + plan.text_dir);
    } else {
      refuse("no such option: " + option + "; see --help");
    }
  }
  if (plan.rounds == 0) plan.rounds = plan.effort == Effort::quick ? 3 : plan.effort == Effort::normal ? 7 : 15;
  plan.threads = static_cast<unsigned>(furca::num_threads());
  if (bench::select_rows(plan).empty() && bench::select_probes(plan).empty())
    refuse("nothing is called \"" + plan.filter + "\"; see --list");
  return options;
}

void print_list(const Plan& plan) {
  for (const bench::Row& row : bench::select_rows(plan))
    std::printf("%-24s %s\n", row.label().c_str(), row.workload->summary.c_str());
  for (const bench::Probe* probe : bench::select_probes(plan))
    std::printf("%-24s %s\n", probe->name.c_str(), probe->family.c_str());
}

void print_heading(const Plan& plan) {
  std::string versions;
  for (const std::string& runtime : bench::runtimes()) versions += (versions.empty() ? "" : ", ") + runtime;
  std::printf("versions: %s\n", versions.c_str());
  std::printf("host:     %s, %ld processors, load %s\n", bench::processor_model().c_str(), sysconf(_SC_NPROCESSORS_ONLN),
              bench::load().c_str());
  std::printf("compiler: %s; workloads %s, libfurca -O%s\n", FURCA_BENCH_COMPILER, FURCA_BENCH_FLAGS,
              FURCA_BENCH_LIBRARY_OPTIMIZATION);
  std::printf("run:      rounds: %u, each contender in a process of its own, in random order (--seed %llu); threads: %u\n",
              plan.rounds, static_cast<unsigned long long>(plan.seed), plan.threads);
  if (plan.text_dir.empty()) std::printf("          no text (see --text): wordcount left out\n");
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char* const> arguments(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
  // Static objects of several files filled it, in the linker's order.
  std::sort(bench::workloads().begin(), bench::workloads().end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  if (const auto code = bench::run_if_child(arguments)) return *code;

  const Options options = parse(arguments);
  if (options.list) {
    print_list(options.plan);
    return 0;
  }
  refuse_slow_builds();
  print_heading(options.plan);
  const std::string itself = "/proc/self/exe";
  const bench::Watch watch;
  const bench::Results results =
      bench::run(options.plan, std::filesystem::exists(itself) ? std::filesystem::read_symlink(itself).string() : argv[0]);
  const std::string disturbance = watch.disturbance();
  bench::print_table(results, options.plan);
  bench::print_targets(results, options.plan);
  std::printf("\n%s\n", disturbance.c_str());
  if (results.failures > 0) std::printf("FAILED: %u runs; see above\n", results.failures);
  return results.failures > 0 ? 1 : 0;
}
