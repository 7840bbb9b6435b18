#include "options.hpp"

#include "host.hpp"
#include "system/processors.hpp"

#include <furca/thread_pool.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>

namespace bench {
namespace {

constexpr const char* kUsage = R"(usage: furca-bench [options]
Compares furca with oneTBB, OpenMP and the serial run.

  --quick              smaller inputs, fewer rounds: under a minute
                       (default: under five minutes)
  --full               the largest inputs, more rounds: three quarters of an hour or so
  --targets            only what the project's targets are about, and whether they are reached; with --full, at
                       the sizes they name; with --show, of that run
  --filter SUBSTRING   only rows and probes whose name contains it, or of the group so called:
                       forks, loops, reductions, behaviour, micro, instructions
  --threads 1,2,...    numbers of threads to run the parallel contenders with; of three or more, curves: speed-up,
                       efficiency, and what bounds them
  --threads all        1, 2, 4 and so on to all processors, and where caches, sockets and cores end
  --rounds N           how often each contender runs, whatever time it takes
  --seed N             for the order within a round; otherwise random, and printed
  --text DIR           the text for wordcount (/usr/share/common-licenses)

  --json FILE          writes all samples
  --html FILE          writes a page: the chart of all ratios, and the tables
  --svg FILE           writes the chart of all ratios alone
  --curves FILE        writes the curves over the numbers of threads alone, as SVG
  --compare OLD.json   shows this run beside an earlier one
  --show OLD.json      runs nothing: shows an earlier run (or writes its --html, --svg, --curves)

  --list               what there is to run
  --help               this text

Exit code: 0; 1 if a run died or gave a wrong result, or a file cannot be written;
2 for wrong arguments and for builds that cannot be timed. Being slower is no error.
)";

/// One thread, and all; `between`: with what lies between.
std::vector<unsigned> default_threads(bool between) {
  const auto all = static_cast<unsigned>(furca::num_threads());
  if (between) return numbers_of_threads(host_topology(), all);
  return all > 1 ? std::vector<unsigned>{1, all} : std::vector<unsigned>{1};
}

/// As many rounds as fit the time that the usage promises.
void set_rounds(Plan& plan) {
  if (plan.rounds > 0) return;
  plan.rounds = plan.effort == Effort::quick ? 5 : plan.effort == Effort::normal ? 11 : 15;
  plan.budget_seconds = plan.effort == Effort::quick ? 45 : plan.effort == Effort::normal ? 270 : 2'400;
}

}  // namespace

Options parse(std::span<char* const> arguments) {
  Options options;
  Plan& plan = options.plan;
  bool all_threads = false;
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
    } else if (option == "--targets") {
      plan.targets = true;
    } else if (option == "--filter") {
      plan.filter = value();
    } else if (option == "--threads") {
      const std::string counts = value();
      all_threads = counts == "all";
      const std::vector<std::uint64_t> listed = all_threads ? std::vector<std::uint64_t>{} : parse_counts(option, counts, 1024);
      plan.threads.assign(listed.begin(), listed.end());
    } else if (option == "--rounds") {
      plan.rounds = static_cast<unsigned>(parse_number(option, value(), 1, 10'000));
    } else if (option == "--seed") {
      plan.seed = parse_number(option, value(), 0, std::uint64_t{1} << 53U);  // what JSON can hold
    } else if (option == "--text") {
      plan.text_dir = value();
      if (!std::filesystem::is_directory(plan.text_dir)) refuse("--text: no such directory: " + plan.text_dir);
    } else if (option == "--json") {
      options.json = value();
    } else if (option == "--html") {
      options.html = value();
    } else if (option == "--svg") {
      options.svg = value();
    } else if (option == "--curves") {
      options.curves = value();
    } else if (option == "--compare") {
      options.earlier = value();
    } else if (option == "--show") {
      options.shown = value();
    } else {
      refuse("no such option: " + option + "; see --help");
    }
  }
  set_rounds(plan);
  if (plan.threads.empty()) plan.threads = default_threads(all_threads || plan.effort == Effort::full);
  plan.processors = static_cast<unsigned>(furca::detail::processors_in_affinity_mask());
  if (select_rows(plan).empty() && select_probes(plan).empty() && !group_called(plan.filter))
    refuse("nothing is called \"" + plan.filter + "\"; see --list");
  return options;
}

}  // namespace bench
