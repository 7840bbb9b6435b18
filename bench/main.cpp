// furca-bench: furca against oneTBB, OpenMP and the serial run. The method is in README.md.
#include "child.hpp"
#include "harness.hpp"
#include "host.hpp"
#include "instructions.hpp"
#include "options.hpp"
#include "process.hpp"
#include "progress.hpp"
#include "report/chart.hpp"
#include "report/curves.hpp"
#include "report/page.hpp"
#include "results_json.hpp"
#include "terminal/terminal.hpp"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <exception>
#include <fstream>
#include <iostream>
#include <iterator>
#include <tuple>

namespace {

using bench::Options;
using bench::Results;
using bench::refuse;

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
    std::printf("%-12s %-22s %s\n", bench::name_of(row.workload->group), row.label().c_str(), row.workload->summary.c_str());
  for (const bench::Probe* probe : bench::select_probes(plan)) {
    const std::string family = probe->variant.empty() ? probe->family : probe->family + ", " + probe->variant;
    std::printf("%-12s %-22s %s (%s)\n", bench::name_of(probe->group), probe->name.c_str(), probe->summary.c_str(), family.c_str());
  }
}

Results load(const std::string& path) {
  std::ifstream file(path);
  if (!file) refuse("cannot read " + path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  try {
    return bench::from_json(text);
  } catch (const std::exception& error) {
    refuse(path + " is not a result of this program: " + error.what());
  }
}

/// Opened before the run: nobody should wait for minutes to hear that a directory does not exist.
class OutputFile {
 public:
  explicit OutputFile(const std::string& path) : path_(path) {
    if (!path.empty()) stream_.open(path);
    if (!path.empty() && !stream_) refuse("cannot write " + path);
  }

  template <class Write>
  bool write(Write write) {
    if (path_.empty()) return true;
    write(stream_);
    stream_.close();
    std::fprintf(stderr, stream_ ? "wrote %s\n" : "furca-bench: could not write %s\n", path_.c_str());
    return static_cast<bool>(stream_);
  }

 private:
  std::string path_;
  std::ofstream stream_;
};

/// Static objects of several files filled both lists, in the linker's order.
void sort_registered() {
  std::stable_sort(bench::workloads().begin(), bench::workloads().end(),
                   [](const auto& a, const auto& b) { return std::tie(a.group, a.name) < std::tie(b.group, b.name); });
  std::stable_sort(bench::probes().begin(), bench::probes().end(), [](const auto& a, const auto& b) {
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
  bench::terminal::print_heading(std::cout, setting);
  if (plan.text_dir.empty()) std::cout << "          no text (see --text): wordcount left out\n";
  std::cout.flush();
  const bench::Watch watch;
  Results results = bench::run(plan);
  // Ten seconds under valgrind are not for a quick look, and no target is about instructions.
  if ((plan.effort != bench::Effort::quick && !plan.targets) || plan.filter == name_of(bench::Group::instructions)) {
    bench::Progress progress(1);
    progress.begin(0, "counting instructions", {});
    for (bench::Figure& figure : bench::count_instructions(bench::own_path())) {
      if (bench::is_selected(plan, figure.name, figure.group)) results.figures.push_back(std::move(figure));
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

  const Options options = bench::parse(arguments);
  if (options.list) {
    print_list(options.plan);
    return 0;
  }
  const auto earlier = options.earlier.empty() ? std::nullopt : std::optional(load(options.earlier));
  const auto shown = options.shown.empty() ? std::nullopt : std::optional(load(options.shown));
  OutputFile json(options.json);
  OutputFile html(options.html);
  OutputFile svg(options.svg);
  OutputFile curves(options.curves);

  if (shown) bench::terminal::print_heading(std::cout, shown->setting);
  const Results results = shown ? *shown : measure(options.plan);
  bench::terminal::print_tables(std::cout, results);
  bench::terminal::print_summary(std::cout, results);
  if (options.plan.targets) bench::terminal::print_targets(std::cout, results);
  if (earlier) bench::terminal::print_changes(std::cout, *earlier, results);
  std::cout.flush();
  bool written = json.write([&](std::ostream& out) { out << bench::to_json(results); });
  written = html.write([&](std::ostream& out) { bench::write_page(out, results); }) && written;
  written = svg.write([&](std::ostream& out) { bench::write_chart(out, results); }) && written;
  written = curves.write([&](std::ostream& out) { bench::write_curves(out, results); }) && written;
  return results.failures == 0 && written ? 0 : 1;
}
