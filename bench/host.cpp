#include "host.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include <sys/resource.h>
#include <unistd.h>

namespace bench {

std::string processor_model() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown processor";
}

std::string load() {
  double load[1];
  char text[32];
  if (getloadavg(load, 1) != 1) return "unknown";
  std::snprintf(text, sizeof text, "%.2f", load[0]);
  return text;
}

Watch::Watch() : start_(std::chrono::steady_clock::now()), before_(now()) {}

std::string Watch::disturbance() const {
  const Times after = now();
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
  const double stolen = (after.stolen - before_.stolen) / seconds.count();
  const double others = std::max(0.0, (after.used - before_.used - (after.own - before_.own)) / seconds.count());
  if (after.used == 0) return "nothing is known of what other programs used meanwhile";
  char text[160];
  std::snprintf(text, sizeof text, "meanwhile, in processors: used by other programs %.2f, stolen by the hypervisor %.2f%s",
                others, stolen, others + stolen > 0.1 ? "; NOT A QUIET MACHINE" : "");
  return text;
}

Watch::Times Watch::now() {
  double user = 0, nice = 0, system = 0, idle = 0, iowait = 0, irq = 0, softirq = 0, steal = 0;
  std::string word;
  std::ifstream("/proc/stat") >> word >> user >> nice >> system >> idle >> iowait >> irq >> softirq >> steal;
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
