// Times algorithms in several ways. Usage: main SIZE,... ROUNDS [ALGORITHM,...]. What it prints is
// for run.py: a line for each algorithm, size and way, with the nanoseconds of a call in every
// round.
#include "rows.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <thread>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

std::string only;  // ",map,copy,": some of the algorithms
int rounds = 21;

double nanoseconds(std::size_t calls, const std::function<void()>& call) {
  const Clock::time_point start = Clock::now();
  for (std::size_t k = 0; k < calls; ++k) call();
  return std::chrono::duration<double, std::nano>(Clock::now() - start).count() /
         static_cast<double>(calls);
}

}  // namespace

/// The machine's own speed is always measured; rows whose name ends with "keys", if that is asked
/// for.
bool Rows::wanted(const char* algorithm) const {
  const std::string name = algorithm;
  const std::string last = name.substr(name.rfind(' ') + 1);
  if (only.empty()) return last != "keys";
  return only.find("," + name + ",") != std::string::npos ||
         (last == "keys" && only.find(",keys,") != std::string::npos) || name == "triad";
}

/// In turns, so that what slows the machine for a while slows all of them, in another order each
/// round. Before each way a rest, until the threads of the way before have gone to sleep: OpenMP's
/// look for work for milliseconds, and would take a processor from whoever comes next. Then some
/// calls without a clock, which wake its own threads and fill the caches; then, of a short call, as
/// many as take a millisecond.
void Rows::compare(const char* algorithm, double bytes, std::initializer_list<Way> ways,
                   const std::function<bool()>& right) const {
  if (!wanted(algorithm)) return;
  constexpr std::chrono::milliseconds kRest(6);
  std::vector<std::size_t> calls;
  for (const Way& way : ways) {
    double once = nanoseconds(1, way.call);
    if (!right()) {
      std::fprintf(stderr, "%s, %zu elements, %s: wrong result\n", algorithm, size, way.name);
      std::exit(1);
    }
    if (once < 1e8) once = nanoseconds(3, way.call);
    calls.push_back(once < 1e6 ? static_cast<std::size_t>(1e6 / once) + 1 : 1);
  }
  std::vector<std::vector<double>> times(ways.size());
  std::vector<std::size_t> order(ways.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937_64 random(2);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t way : order) {
      std::this_thread::sleep_for(kRest);
      nanoseconds(calls[way] / 4 + 1, ways.begin()[way].call);
      times[way].push_back(nanoseconds(calls[way], ways.begin()[way].call));
    }
  }
  for (std::size_t way = 0; way < ways.size(); ++way) {
    std::printf("%s\t%zu\t%g\t%s", algorithm, size, bytes, ways.begin()[way].name);
    for (const double one : times[way]) std::printf("\t%.1f", one);
    std::printf("\n");
  }
  std::fflush(stdout);
}

}  // namespace bench

int main(int argc, char** argv) {
  if (argc < 3 || argc > 4) return 2;
  bench::rounds = std::atoi(argv[2]);
  if (argc == 4) bench::only = "," + std::string(argv[3]) + ",";
  for (const char* sizes = argv[1]; *sizes != '\0';) {
    char* end = nullptr;
    const bench::Rows rows(std::strtoul(sizes, &end, 10));
    if (end == sizes) return 2;
    sizes = *end == ',' ? end + 1 : end;
    bench::rows_of_memory(rows);
    bench::rows_of_collect(rows);
    bench::rows_of_search(rows);
    bench::rows_of_sort(rows);
    bench::rows_of_order(rows);
  }
}
