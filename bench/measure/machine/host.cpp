#include "host.hpp"

#include "furca_commit.hpp"
#include "system/processors.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace bench {
namespace {

constexpr int kMostProcessors = 8192;  // Linux's own limit

std::string processor_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

std::string quota() {
  const auto processors = furca::detail::quota_of_process();
  if (!processors) return "none";
  char text[32];
  std::snprintf(text, sizeof text, "%.3g processors", *processors);
  return text;
}

/// Those of the affinity mask.
std::vector<int> processors() {
  std::vector<int> found;
  cpu_set_t* const mask = CPU_ALLOC(kMostProcessors);
  if (mask != nullptr && sched_getaffinity(0, CPU_ALLOC_SIZE(kMostProcessors), mask) == 0) {
    for (int number = 0; number < kMostProcessors; ++number) {
      if (CPU_ISSET_S(number, CPU_ALLOC_SIZE(kMostProcessors), mask)) found.push_back(number);
    }
  }
  CPU_FREE(mask);
  return found;
}

std::string kernel() {
  utsname name{};
  if (uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " " + name.machine;
}

/// The average of the last minute.
std::string load() {
  double load[1];
  char text[32];
  if (getloadavg(load, 1) != 1) return "unknown";
  std::snprintf(text, sizeof text, "%.2f", load[0]);
  return text;
}

std::string date() {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  char text[32];
  gmtime_r(&now, &utc);
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text;
}

}  // namespace

Topology host_topology() {
  return read_topology("/sys/devices/system", processors(), furca::detail::quota_of_process());
}

void describe_host(Setting& setting) {
  setting.processor = processor_model();
  setting.processors = static_cast<unsigned>(sysconf(_SC_NPROCESSORS_ONLN));
  setting.affinity = static_cast<unsigned>(furca::detail::processors_in_affinity_mask());
  setting.quota = quota();
  setting.topology = host_topology();
  setting.kernel = kernel();
  setting.compiler = FURCA_BENCH_COMPILER;
  setting.flags = without_paths("workloads " FURCA_BENCH_FLAGS
                                ", libfurca -O" FURCA_BENCH_LIBRARY_OPTIMIZATION);
  setting.versions = runtimes();
  const std::string commit = FURCA_COMMIT;
  if (!commit.empty()) setting.versions.front() += " (" + commit + ")";
}

Watch::Watch() : start_(std::chrono::steady_clock::now()), load_(load()), before_(now()) {}

void Watch::note(Setting& setting) const {
  const Times after = now();
  setting.seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
  const double processor_seconds =
      setting.seconds * static_cast<double>(sysconf(_SC_NPROCESSORS_ONLN));
  const double others = after.used - before_.used - (after.own - before_.own);
  setting.date = date();
  setting.load_before = load_;
  setting.load_after = load();
  setting.stolen_percent = 100 * (after.stolen - before_.stolen) / processor_seconds;
  setting.others_percent = 100 * std::max(0.0, others) / processor_seconds;
}

Watch::Times Watch::now() {
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  std::string word;
  std::ifstream("/proc/stat") >> word >> user >> nice >> system >> idle >> iowait >> irq >>
      softirq >> steal;
  const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  Times times{(user + nice + system + irq + softirq) / ticks, steal / ticks, 0};
  for (const int who : {RUSAGE_SELF, RUSAGE_CHILDREN}) {
    rusage usage{};
    getrusage(who, &usage);
    for (const timeval& part : {usage.ru_utime, usage.ru_stime})
      times.own += static_cast<double>(part.tv_sec) + 1e-6 * static_cast<double>(part.tv_usec);
  }
  return times;
}

}  // namespace bench
