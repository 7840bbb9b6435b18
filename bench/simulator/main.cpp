// furca-simulate: what furca's scheduler would do on more processors than there are. README.md
// tells what it can show.
#include "../measure/arguments.hpp"
#include "options.hpp"
#include "peers.hpp"
#include "report.hpp"
#include "scale_targets.hpp"

#include <cstdio>
#include <exception>

namespace {

using namespace simulator;

Row run_all(const Tree& tree, const Options& options) {
  Row row{tree.name(), tree.summary(), walk(tree), {}};
  for (const std::size_t workers : options.workers) {
    for (const Wait wait : options.waits) {
      if (workers == 1 && wait != options.waits.front()) continue;  // nobody to wait for
      Setting setting = options.setting;
      setting.workers = workers;
      setting.wait = wait;
      row.runs.push_back({workers, wait, simulate(tree, setting, row.totals)});
    }
  }
  return row;
}

/// A loop's time in us, in a row of 20 over one range, threads awake: what a step of a solver takes
/// (bench/ranks_model.py).
void loop_times(const Options& options) {
  constexpr Time kIteration = 100;
  std::printf("us that a loop takes, one of 20 over one range\n%10s", "work, us");
  for (const std::size_t workers : options.workers) std::printf(" %9s%zu", "P = ", workers);
  for (const std::uint64_t work : {10, 30, 100, 300, 1'000, 3'000, 10'000, 30'000}) {
    const auto tree = again(20, work * 1'000 / kIteration, kIteration, true);
    const Totals totals = walk(*tree);
    std::printf("\n%10llu", static_cast<unsigned long long>(work));
    for (const std::size_t workers : options.workers) {
      Setting setting = options.setting;
      setting.workers = workers;
      setting.start = Start::looking;
      std::printf(" %10.1f",
                  static_cast<double>(simulate(*tree, setting, totals).time) / 20 / 1'000);
      std::fflush(stdout);
    }
  }
  std::printf("\n");
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  const Options options =
      parse(std::span<char* const>(argv, static_cast<std::size_t>(argc)).subspan(1));
  std::vector<Row> rows;
  try {
    if (options.targets) return targets(options.setting, print) ? 0 : 1;
    if (options.ideas) {
      ideas(options.setting, options.workers, options.filter, options.idea, print);
      return 0;
    }
    if (options.loops) {
      loop_times(options);
      return 0;
    }
    if (options.parts) {
      kept_parts(options.setting, print);
      return 0;
    }
    if (options.peers) {
      Setting setting = options.setting;
      setting.workers = options.workers.size() == 1 ? options.workers.front() : 64;
      print(peers_table(setting, options.whole));
      return 0;
    }
    for (const auto& tree : options.sorts ? sorts(options.size) : all_trees(options.size)) {
      if (tree->name().find(options.filter) == std::string::npos) continue;
      rows.push_back(run_all(*tree, options));
      print(table(rows.back()));
      if (options.detail) print(detail(rows.back()));
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "furca-simulate: %s\n", error.what());
    return 1;
  }
  if (rows.empty()) bench::refuse("no workload's name contains \"" + options.filter + "\"");
  print(price(rows));
  return 0;
}
