// furca-measure: runs furca beside oneTBB, OpenMP and the serial code, and prints two lines of
// JSON: the setting, as far as it is known before the run, and all results. The method is in
// README.md; furca_bench.py starts this and shows what it found.
#include "child.hpp"
#include "harness.hpp"
#include "instructions.hpp"
#include "machine/host.hpp"
#include "options.hpp"
#include "output/results_json.hpp"
#include "process.hpp"
#include "progress.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
#include <string>
#include <tuple>

namespace {

using bench::refuse;
using bench::Results;

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

void print_list(const bench::Plan& plan) {
  for (const bench::PlannedRow& row : bench::select_rows(plan))
    std::printf("%-12s %-22s %s\n", bench::name_of(row.workload->group), row.label().c_str(),
                row.workload->summary.c_str());
  for (const bench::Probe* probe : bench::select_probes(plan)) {
    const std::string family =
        probe->variant.empty() ? probe->family : probe->family + ", " + probe->variant;
    std::printf("%-12s %-22s %s (%s)\n", bench::name_of(probe->group), probe->name.c_str(),
                probe->summary.c_str(), family.c_str());
  }
}

/// Static objects of several files filled both lists, in the linker's order.
void sort_registered() {
  std::stable_sort(bench::workloads().begin(), bench::workloads().end(),
                   [](const auto& a, const auto& b) {
                     return std::tie(a.group, a.name) < std::tie(b.group, b.name);
                   });
  std::stable_sort(
      bench::probes().begin(), bench::probes().end(), [](const auto& a, const auto& b) {
        return std::tie(a.group, a.name, a.variant) < std::tie(b.group, b.name, b.variant);
      });
}

Results measure(const bench::Plan& plan) {
  refuse_slow_builds();
  const char* const efforts[] = {"quick", "normal", "full"};
  bench::Setting setting;
  bench::describe_host(setting);
  setting.effort = efforts[static_cast<std::size_t>(plan.effort)];
  setting.seed = plan.seed;
  setting.threads = plan.threads;
  std::puts(to_json(setting).c_str());
  std::fflush(stdout);
  if (plan.text_dir.empty()) std::fputs("no text (see --text): wordcount left out\n", stderr);
  const bench::Watch watch;
  Results results = bench::run(plan);
  // Ten seconds under valgrind are not for a quick look, and rows that were named are no
  // instructions.
  if ((plan.effort != bench::Effort::quick && plan.only.empty()) ||
      plan.filter == name_of(bench::Group::instructions)) {
    bench::Progress progress(1);
    progress.begin(0, "counting instructions", {});
    for (bench::Figure& figure : bench::count_instructions(bench::own_path())) {
      if (bench::is_selected(plan, figure.name, figure.group))
        results.figures.push_back(std::move(figure));
    }
  }
  setting.rounds = results.setting.rounds;
  watch.note(setting);
  results.setting = std::move(setting);
  return results;
}

}  // namespace

int main(int argc, char** argv) {
  const std::span<char* const> arguments(argv + 1, static_cast<std::size_t>(std::max(argc - 1, 0)));
  sort_registered();
  if (const auto code = bench::run_if_child(arguments)) return *code;
  if (bench::run_if_counted(arguments)) return 0;

  const bench::Options options = bench::parse(arguments);
  if (options.list) {
    print_list(options.plan);
  } else {
    std::puts(to_json(measure(options.plan)).c_str());
  }
  return 0;
}
