// furca-counted: the shipped library on processors whose time is counted. README.md says what that
// is worth.
#include "../measure/arguments.hpp"
#include "expected.hpp"
#include "run.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace counted;

constexpr const char* kHelp =
    "furca-counted: the shipped scheduler on a machine whose time is counted\n"
    "  --machine NAME       costs: a file of bench/counted/machines (epyc-7742), or a path\n"
    "  --workers N,...      threads of the pool (16,64,128)\n"
    "  --rows NAME,...      rows whose names begin so (all but those with data or of less work)\n"
    "  --awake, --rested    only right after a call; only 1 ms after one\n"
    "  --reach              with the speed-ups that are wanted of epyc-7742\n"
    "  --cost NAME=VALUE    another cost; --costs lists them, in nanoseconds, bytes, bytes/ns\n"
    "  --processors N       if there are fewer than threads\n"
    "  --classic            without heavy fences\n"
    "  --seed N             of wake-ups that take longer, and of what is taken away (0: neither)\n"
    "  --seeds N            the mean of so many, with its standard error in percent (1)\n"
    "  --list               the rows\n"
    "  --expect FILE        runs what expected.txt has, or of it --rows, and compares;\n"
    "                       --write-expected FILE\n"
    "A line for each run: speed-up over one thread, time of a call, and where all threads' time\n"
    "went, in percent: work, waiting for lines, fences, heavy fences, asleep (the rest: looking\n"
    "for work); the number of heavy fences and of naps in all calls.\n";

struct Options {
  Machine::Setting setting;
  std::string machine = "epyc-7742";
  std::vector<std::uint64_t> workers = {16, 64, 128};
  std::vector<std::string> rows;
  std::vector<std::string> costs;
  int processors = 0;
  std::size_t seeds = 1;
  bool awake = true;
  bool rested = true;
  bool reach = false;
  bool lists_costs = false;
  std::string expected;
  bool writes_expected = false;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    words.push_back(text.substr(at, comma - at));
    at = comma + 1;
  }
  return words;
}

void list_rows() {
  for (const Row& row : rows())
    std::printf("%s%s\n", row.name, row.by_name_only ? " (by name only)" : "");
  std::exit(0);
}

Options parse(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string option = argv[i];
    const auto value = [&]() -> std::string {
      if (++i == argc) bench::refuse(option + " wants a value");
      return argv[i];
    };
    if (option == "--help") {
      std::fputs(kHelp, stdout);
      std::exit(0);
    }
    if (option == "--machine") {
      options.machine = value();
    } else if (option == "--workers") {
      options.workers = bench::parse_counts(option, value(), kMostCores);
    } else if (option == "--rows") {
      options.rows = split(value());
    } else if (option == "--awake") {
      options.rested = false;
    } else if (option == "--rested") {
      options.awake = false;
    } else if (option == "--reach") {
      options.reach = true;
    } else if (option == "--cost") {
      options.costs.push_back(value());
    } else if (option == "--costs") {
      options.lists_costs = true;
    } else if (option == "--processors") {
      options.processors =
          static_cast<int>(bench::parse_number(option, value(), 1, 4 * kMostCores));
    } else if (option == "--classic") {
      options.setting.asymmetric = false;
    } else if (option == "--seed") {
      options.setting.seed = bench::parse_number(option, value(), 0, UINT64_MAX);
    } else if (option == "--seeds") {
      options.seeds = bench::parse_number(option, value(), 1, 1'000);
    } else if (option == "--expect" || option == "--write-expected") {
      options.writes_expected = option == "--write-expected";
      options.expected = value();
    } else if (option == "--list") {
      list_rows();
    } else {
      bench::refuse("there is no option " + option);
    }
  }
  const bool is_path = options.machine.find('/') != std::string::npos;
  options.setting.costs = read_costs(
      is_path ? options.machine : std::string(FURCA_MACHINES) + "/" + options.machine + ".txt");
  for (const std::string& cost : options.costs) set_cost(options.setting.costs, cost);
  return options;
}

bool is_wanted(const Row& row, const Options& options) {
  const std::string_view name = row.name;
  if (options.rows.empty()) return !row.by_name_only;
  return std::any_of(options.rows.begin(), options.rows.end(),
                     [&](const std::string& start) { return name.starts_with(start); });
}

double wanted(const Row& row, std::uint64_t workers, Start start) {
  if (workers == 64)
    return start == Start::awake ? row.wanted.awake_at_64 : row.wanted.rested_at_64;
  return workers == 128 && start == Start::awake ? row.wanted.awake_at_128 : 0;
}

void print_run(const Row& row, const Options& options, std::uint64_t workers, Start start,
               Time alone) {
  Machine::Setting setting = options.setting;
  setting.processors = options.processors > 0 ? options.processors : static_cast<int>(workers);
  const auto [result, speed_up, error] = mean(row, setting, workers, start, alone, options.seeds);
  const auto percent = [&of = result](Time time) { return 100 * share(of, time); };
  std::printf(
      "%-15s %5llu %-6s %8.2f %5.1f %11.1f %6.1f %6.1f %7.2f %7.2f %7.1f %7llu %7llu", row.name,
      static_cast<unsigned long long>(workers), start == Start::awake ? "awake" : "rested",
      speed_up, error, static_cast<double>(result.time) / 1e6, percent(result.spent.work),
      percent(result.spent.lines), percent(result.spent.fences), percent(result.spent.heavy),
      percent(result.spent.asleep), static_cast<unsigned long long>(result.counts.heavy_fences),
      static_cast<unsigned long long>(result.counts.naps));
  if (const double least = wanted(row, workers, start); options.reach && least > 0)
    std::printf(" %6.0f %s", least, speed_up >= least ? "reached" : "missed");
  std::printf("\n");
  std::fflush(stdout);
}

void print_rows(const Options& options) {
  std::printf("%-15s %5s %-6s %8s %5s %11s %6s %6s %7s %7s %7s %7s %7s%s\n", "row", "P", "start",
              "speed-up", "+-%", "time,us", "work", "lines", "fences", "heavy,%", "asleep", "heavy",
              "naps", options.reach ? " wanted" : "");
  for (const Row& row : rows()) {
    if (!is_wanted(row, options)) continue;
    Machine::Setting setting = options.setting;
    setting.processors = 1;
    const Time alone = run(row, setting, 1, Start::awake).time;
    for (const std::uint64_t workers : options.workers) {
      if (options.awake) print_run(row, options, workers, Start::awake, alone);
      if (options.rested) print_run(row, options, workers, Start::rested, alone);
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const Options options = parse(argc, argv);
    if (options.lists_costs) {
      std::fputs(list(options.setting.costs).c_str(), stdout);
    } else if (options.writes_expected) {
      write_expected(options.expected, options.setting);
    } else if (!options.expected.empty()) {
      return meets(options.expected, options.setting, options.rows) ? 0 : 1;
    } else {
      print_rows(options);
    }
  } catch (const std::exception& error) {
    bench::refuse(error.what());
  }
}
