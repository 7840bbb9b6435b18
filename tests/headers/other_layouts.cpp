// A unit whose vectors and strings have other layouts than the library's: it hands over a Config,
// and gets Stats.
#include <furca/stats.hpp>
#include <furca/thread_pool.hpp>

#include <string>

int main() {
  furca::ThreadPool pool({.threads = 3,
                          .name = "a name of more than fifteen characters",
                          .start_hook = [](std::size_t) {},
                          .queue_capacity = 512});
  const furca::Stats stats = pool.stats();
  const std::string name = "a name of more than fifteen characters-1";
  const bool right = stats.workers.size() == 2 && stats.workers[1].name == name;
  return right && stats.total().jobs_run == 0 ? 0 : 1;
}
