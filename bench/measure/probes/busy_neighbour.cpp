// Another program keeps one processor busy, so that one thread gets half of what the others get.
// Work must move to where there is time for it, and nobody may spin for a thread that does not run.
#include "../statistics.hpp"
#include "processors.hpp"
#include "steady_work.hpp"

#include <cerrno>
#include <csignal>
#include <system_error>

#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace bench {
namespace {

/// A process that spins on one processor while this object lives, and no longer than this process.
class Neighbour {
 public:
  Neighbour() {
    const pid_t parent = getpid();
    allowed_processors();  // not first in the child, which must not allocate
    child_ = fork();
    if (child_ < 0) throw std::system_error(errno, std::generic_category(), "fork");
    if (child_ > 0) return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(1);  // it died before the line above
    stay_on_processor(0);
    for (const volatile bool spinning = true; spinning;) {
    }
  }

  ~Neighbour() {
    kill(child_, SIGKILL);
    waitpid(child_, nullptr, 0);
  }

  Neighbour(const Neighbour&) = delete;
  Neighbour& operator=(const Neighbour&) = delete;

 private:
  pid_t child_;
};

constexpr int kRounds = 5;

template <class C, class Work>
double beside_neighbour(unsigned threads) {
  std::vector<double> ratios;
  for (int i = 0; i < kRounds; ++i) {
    const double alone = time_warm<C>(threads, Work{});
    const Neighbour neighbour;
    ratios.push_back(time_warm<C>(threads, Work{}) / alone);
  }
  return median(ratios);
}

template <class C, class Work>
Probe make_probe(const char* name, const char* summary) {
  return {Group::behaviour,          name, C::kContender.family, "", "x", summary,
          &beside_neighbour<C, Work>};
}

const ProbeRegistration kLoops(kLoopFamilies, []<class C>() {
  return make_probe<C, SteadyLoops<C>>(
      "busy neighbour, loops",
      "loops: time while another program spins on one processor, to that while none does");
});

const ProbeRegistration kForks(kForkFamilies, []<class C>() {
  return make_probe<C, SteadyForks<C>>("busy neighbour, forks",
                                       "a tree of forks: time while another program spins on one "
                                       "processor, to that while none does");
});

}  // namespace
}  // namespace bench
