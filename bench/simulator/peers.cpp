#include "peers.hpp"

#include "text.hpp"

#include <algorithm>
#include <cmath>

namespace simulator {
namespace {

constexpr Time kColumn = 8;
// of 32 x 32: 1,995 ms for all of them, as all libraries took on one core
constexpr Time kProduct = 7'600;
constexpr Time kMaking = 3'000'000;  // of three matrices, in memory that the allocator has kept

std::unique_ptr<Tree> fib_of(int size) { return fib(size == 0 ? 32 : size == 1 ? 35 : 39); }
std::unique_ptr<Tree> skynet_of(int size) { return skynet(size == 0 ? 6 : size == 1 ? 7 : 8); }
std::unique_ptr<Tree> queens_of(int size) {
  return queens(static_cast<std::uint32_t>(12 + size), kColumn);
}
std::unique_ptr<Tree> matmul_of(int) { return matmul(2048, kProduct, kMaking); }

struct Sample {
  double work = 0;  // ns, forks included
  double time = 0;
  double on_fences = 0;
};

Sample simulate_size(const Benchmark& benchmark, int size, const Setting& setting) {
  const auto tree = benchmark.tree(size);
  const Totals totals = walk(*tree);
  const Outcome outcome = simulate(*tree, setting, totals);
  return {static_cast<double>(totals.work + totals.forks * setting.costs.fork),
          static_cast<double>(outcome.time), outcome.on_fences()};
}

}  // namespace

const std::array<Benchmark, 4>& benchmarks() {
  static const std::array<Benchmark, 4> all{{
      {"skynet 10^8", &skynet_of, false, 333'333'333, 99'999'999},
      {"nqueens 14", &queens_of, false, 4'245'725'792, 12'095'556},
      {"fib(39)", &fib_of, false, 409'336'618, 102'334'154},
      {"matmul 2048", &matmul_of, true, 1'995'294'400, 224'694},
  }};
  return all;
}

/// One core: a virtual machine of two processors of an EPYC 7003, the table's programs and flags,
/// clang 19; furca by joins, g++ -O2.
const std::vector<Library>& libraries() {
  static const std::vector<Library> all{
      {"furca", Wait::own_subtree, {1138, 4340, 672, 1998}, {}},
      {"citor", Wait::greedy, {1234, 5510, 3379, 2007}, {24.9, 80.8, 50.0, 48.1}},
      {"libfork", Wait::resume, {2660, 5115, 4112, 1999}, {36.5, 69.0, 62.4, 44.1}},
      {"TooManyCooks", Wait::resume, {2505, 5713, 6422, 2120}, {37.9, 70.2, 86.7, 44.8}},
      {"oneTBB", Wait::greedy, {6771, 8577, 14839, 2030}, {143, 126, 216, 50.1}},
      {"Taskflow", Wait::greedy, {12949, 8616, 14797, 2059}, {185, 115, 157, 50.2}},
  };
  return all;
}

Setting setting_of(const Library& library, const Setting& furca) {
  if (library.name == "furca") return furca;
  Setting setting;
  setting.workers = furca.workers;
  setting.wait = library.wait;
  setting.fence = Fence::none;
  setting.sleeps = false;
  setting.slack = furca.slack;
  setting.seed = furca.seed;
  setting.costs = furca.costs;
  return setting;
}

Prediction predict(const Library& library, std::size_t benchmark, Setting setting, bool whole) {
  const Benchmark& program = benchmarks()[benchmark];
  const double one_core = library.one_core[benchmark] * 1e6;
  const double forks = one_core - static_cast<double>(program.work);
  setting.costs.fork =
      static_cast<Time>(std::max(1.0, std::round(forks / static_cast<double>(program.forks))));
  const double all =
      static_cast<double>(program.work) + static_cast<double>(program.forks * setting.costs.fork);
  Prediction prediction;
  double time = 0;
  if (whole || program.whole) {
    const Sample sample = simulate_size(program, 2, setting);
    time = sample.time;
    prediction.on_fences = sample.on_fences;
  } else {
    const Sample small = simulate_size(program, 0, setting);
    const Sample large = simulate_size(program, 1, setting);
    // What is lost beside the work grows like a power of it, somewhere between not at all and in
    // proportion.
    const auto workers = static_cast<double>(setting.workers);
    const double lost_small = std::max(small.time * workers - small.work, 1.0);
    const double lost_large = std::max(large.time * workers - large.work, 1.0);
    const double power =
        std::clamp(std::log(lost_large / lost_small) / std::log(large.work / small.work), 0.0, 1.0);
    time = (all + lost_large * std::pow(all / large.work, power)) / workers;
    prediction.on_fences = large.on_fences;
  }
  prediction.time = time / 1e6 * 100 / static_cast<double>(setting.costs.speed);
  prediction.speed_up = all / time;
  return prediction;
}

std::string peers_table(const Setting& setting, bool whole) {
  std::string text = format(
      "On %zu cores: ms as published / as simulated (simulated / published); last: speed-up over "
      "its own time on one core\n%-13s",
      setting.workers, "");
  for (const Benchmark& benchmark : benchmarks()) text += format(" %32s", benchmark.name.c_str());
  text += '\n';
  double product = 0;
  double worst = 0;
  int count = 0;
  for (const Library& library : libraries()) {
    text += format("%-13s", library.name.c_str());
    for (std::size_t i = 0; i < benchmarks().size(); ++i) {
      const Prediction prediction = predict(library, i, setting_of(library, setting), whole);
      if (library.published[i] > 0) {
        const double ratio = prediction.time / library.published[i];
        product += std::log(ratio);
        worst = std::max(worst, std::abs(std::log(ratio)));
        ++count;
        text += format(" %6.1f / %6.1f (%4.2f)", library.published[i], prediction.time, ratio);
      } else {
        text += format(" %6s / %6.1f %6s", "-", prediction.time, "");
      }
      text += format("    %5.1f", prediction.speed_up);
    }
    text += '\n';
  }
  text +=
      format("geometric mean of simulated / published %.2f, the worst is off by a factor of %.2f\n",
             std::exp(product / count), std::exp(worst));
  return text;
}

}  // namespace simulator
