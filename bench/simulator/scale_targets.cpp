#include "scale_targets.hpp"

#include "options.hpp"
#include "peers.hpp"
#include "text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace simulator {
namespace {

constexpr std::array<Start, 2> kStarts{Start::asleep, Start::looking};
constexpr std::array<const char*, 2> kStartNames{"sleep", "awake"};

struct Result {
  double speed_up = 0;
  double bound = 0;
  double on_fences = 0;
};

Result run(const Tree& tree, const Totals& totals, const Setting& setting) {
  const Outcome outcome = simulate(tree, setting, totals);
  const auto work = static_cast<double>(totals.work);
  const double bound =
      work / (work / static_cast<double>(setting.workers) + static_cast<double>(totals.span));
  return {work / static_cast<double>(outcome.time), bound, outcome.on_fences()};
}

/// A row of the table of targets.
struct Goal {
  const char* tree;
  double share_at_64;   // of the bound; 0: a multiple of what furca was
  double share_at_256;  // 0: more than at 64
};

/// What furca reached when the targets were set, before anything was done for so many processors:
/// bfs, P = 64, epyc-7742.
constexpr std::array<double, 2> kBfsBefore{18.8, 18.8};

constexpr std::array<Goal, 7> kGoals{{
    {"loop", 0.93, 0.75},
    {"nested", 0.93, 0.75},
    {"loop-pareto", 0.93, 0.75},
    {"uts-geometric", 0.90, 0.75},
    {"quicksort", 0.93, -1},
    {"chain", 0.93, 0},
    {"bfs", 0, 0},
}};

const char* verdict(bool reached) { return reached ? "reached" : "MISSED"; }

class Table {
 public:
  Table(const Setting& setting, const std::function<void(const std::string&)>& print)
      : setting_(setting), print_(print) {}

  bool run() {
    print_(
        "speed-up, own subtree    P start   speed-up   bound  ratio   target          on heavy "
        "fences (target 1 %)\n");
    workloads();
    published();
    print_(format("\n%d of %d reached\n", reached_, all_));
    return reached_ == all_;
  }

 private:
  Setting at(std::size_t workers, Start start) const {
    Setting setting = setting_;
    setting.workers = workers;
    setting.start = start;
    return setting;
  }

  bool count(bool reached) {
    ++all_;
    if (reached) ++reached_;
    return reached;
  }

  void line(const std::string& name, std::size_t workers, std::size_t start, const Result& result,
            double target) {
    const bool good = target <= 0 || result.speed_up >= target;
    const bool fences = result.on_fences < 0.01;
    std::string text =
        format("%-20s   %3zu %-6s %9.1f %7.1f  %5.2f", name.c_str(), workers, kStartNames[start],
               result.speed_up, result.bound, result.speed_up / result.bound);
    text +=
        target > 0 ? format("  %6.1f %-8s", target, verdict(count(good))) : format("  %15s", "");
    text += format("  %5.2f %% %s\n", 100 * result.on_fences, verdict(count(fences)));
    print_(text);
  }

  void workloads() {
    for (const auto& tree : all_trees(Size::normal)) {
      const auto* const goal = std::find_if(
          kGoals.begin(), kGoals.end(), [&](const Goal& one) { return tree->name() == one.tree; });
      if (goal == kGoals.end()) continue;
      const Totals totals = walk(*tree);
      for (std::size_t start = 0; start < 2; ++start) {
        const Result few = simulator::run(*tree, totals, at(64, kStarts[start]));
        line(tree->name(), 64, start, few,
             goal->share_at_64 > 0 ? goal->share_at_64 * few.bound : 2 * kBfsBefore[start]);
        const Result many = simulator::run(*tree, totals, at(256, kStarts[start]));
        line(tree->name(), 256, start, many,
             goal->share_at_256 > 0   ? goal->share_at_256 * many.bound
             : goal->share_at_256 < 0 ? 0
                                      : few.speed_up);
      }
    }
  }

  /// The published programs, on 64 and 256. Their speed-up is over furca's own time on one core.
  void published() {
    struct Own {
      std::size_t benchmark;
      double at_64;
    };
    constexpr std::array<Own, 3> kOwn{{{1, 0.90 * 64}, {2, 45}, {0, 45}}};
    const Library& furca = libraries().front();
    for (const Own& own : kOwn) {
      for (std::size_t start = 0; start < 2; ++start) {
        double few = 0;
        for (const std::size_t workers : {std::size_t{64}, std::size_t{256}}) {
          const Prediction prediction = predict(furca, own.benchmark, at(workers, kStarts[start]));
          if (workers == 64) times_[own.benchmark][start] = prediction.time;
          const double target = workers == 64 ? own.at_64 : own.benchmark == 1 ? 0.75 * 256 : few;
          line(benchmarks()[own.benchmark].name, workers, start,
               {prediction.speed_up, static_cast<double>(workers), prediction.on_fences}, target);
          few = prediction.speed_up;
        }
      }
    }
    for (std::size_t start = 0; start < 2; ++start)
      times_[3][start] = predict(furca, 3, at(64, kStarts[start])).time;
    beside_peers();
  }

  /// The simulated machine is calibrated by the libraries of which both are known: for each program
  /// the geometric mean of simulated / published.
  void beside_peers() {
    constexpr std::array<double, 4> kFactor{1, 1, 3, 1 / 1.03};
    print_(
        "\nms on 64 cores      the best published   the peers simulated / published   furca "
        "simulated, calibrated by it: from sleep, awake\n");
    for (const std::size_t i : {std::size_t{2}, std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
      double product = 0;
      double best = 1e9;
      std::string name;
      for (std::size_t peer = 1; peer < libraries().size(); ++peer) {
        const Library& library = libraries()[peer];
        product += std::log(predict(library, i, setting_of(library, at(64, Start::looking))).time /
                            library.published[i]);
        if (library.published[i] < best) {
          best = library.published[i];
          name = library.name;
        }
      }
      const double off = std::exp(product / static_cast<double>(libraries().size() - 1));
      std::string text =
          format("%-20s %6.1f %-13s %28.2f", benchmarks()[i].name.c_str(), best, name.c_str(), off);
      for (const double time : times_[i])
        text += format("   %6.1f %-8s", time / off, verdict(count(time / off * kFactor[i] < best)));
      print_(text + format("  (%s)\n", i == 2   ? "to be three times as fast"
                                       : i == 3 ? "within 3 %"
                                                : "to be faster"));
    }
  }

  const Setting setting_;
  const std::function<void(const std::string&)>& print_;
  std::array<std::array<double, 2>, 4> times_{};
  int reached_ = 0;
  int all_ = 0;
};

struct Idea {
  const char* name;
  void (*change)(Setting&);
};

constexpr Idea kIdeas[] = {
    {"as it is", [](Setting&) {}},
    {"no tree", [](Setting& s) { s.wakers = Wakers::chain; }},
    {"no shared", [](Setting& s) { s.heavy = Heavy::single; }},
    {"no loops arm", [](Setting& s) { s.loops_arm = false; }},
    {"polite", [](Setting& s) { s.polite = true; }},
    {"thieves arm", [](Setting& s) { s.thieves_arm = true; }},
    {"machine patience", [](Setting& s) { s.machine_patience = true; }},
    {"renew", [](Setting& s) { s.renews = true; }},
    {"heavy announced", [](Setting& s) { s.heavy = Heavy::announced; }},
    {"fences batched", [](Setting& s) { s.fence_every = 100 * s.costs.interrupt; }},
    {"count loops", [](Setting& s) { s.count = Count::loops; }},
    {"no places", [](Setting& s) { s.places = false; }},
    {"remembered cuts", [](Setting& s) { s.remembers = true; }},
    {"uncounted", [](Setting& s) { s.uncounted = true; }},
    {"calm", [](Setting& s) { s.calm = true; }},
    {"losers pause", [](Setting& s) { s.losers_pause = true; }},
    {"near first", [](Setting& s) { s.near_first = true; }},
    {"armed", [](Setting& s) { s.fence = Fence::armed; }},
    {"classic", [](Setting& s) { s.fence = Fence::classic; }},
    {"classic-bell", [](Setting& s) { s.fence = Fence::classic_bell; }},
    {"plan", [](Setting& s) { s = plan(s); }},
    {"plan, no loops arm",
     [](Setting& s) {
       s = plan(s);
       s.loops_arm = false;
     }},
    {"plan, no thieves a",
     [](Setting& s) {
       s = plan(s);
       s.thieves_arm = false;
     }},
    {"plan, no machine p",
     [](Setting& s) {
       s = plan(s);
       s.machine_patience = false;
     }},
    {"plan, no shared",
     [](Setting& s) {
       s = plan(s);
       s.heavy = Heavy::single;
     }},
    {"plan, no batches",
     [](Setting& s) {
       s = plan(s);
       s.fence_every = 0;
     }},
    {"plan, no tree",
     [](Setting& s) {
       s = plan(s);
       s.wakers = Wakers::chain;
     }},
    {"plan, no count l",
     [](Setting& s) {
       s = plan(s);
       s.count = Count::bell;
     }},
    {"plan, no places",
     [](Setting& s) {
       s = plan(s);
       s.places = false;
     }},
    {"plan, counted",
     [](Setting& s) {
       s = plan(s);
       s.uncounted = false;
     }},
    {"plan, polite",
     [](Setting& s) {
       s = plan(s);
       s.polite = true;
     }},
    {"plan, calm",
     [](Setting& s) {
       s = plan(s);
       s.calm = true;
     }},
    {"plan, losers pause",
     [](Setting& s) {
       s = plan(s);
       s.losers_pause = true;
     }},
    {"plan, near first",
     [](Setting& s) {
       s = plan(s);
       s.near_first = true;
     }},
    {"plan, announced",
     [](Setting& s) {
       s = plan(s);
       s.heavy = Heavy::announced;
     }},
    {"plan, renew",
     [](Setting& s) {
       s = plan(s);
       s.renews = true;
     }},
    {"plan, armed",
     [](Setting& s) {
       s = plan(s);
       s.fence = Fence::armed;
     }},
    {"plan, classic",
     [](Setting& s) {
       s = plan(s);
       s.fence = Fence::classic;
     }},
    {"plan, classic-bell",
     [](Setting& s) {
       s = plan(s);
       s.fence = Fence::classic_bell;
     }},
};

}  // namespace

bool targets(const Setting& setting, const std::function<void(const std::string&)>& print) {
  return Table(setting, print).run();
}

void ideas(const Setting& setting, const std::vector<std::size_t>& workers,
           const std::string& filter, const std::string& only,
           const std::function<void(const std::string&)>& print) {
  auto trees = all_trees(Size::normal);
  std::erase_if(trees,
                [&](const auto& tree) { return tree->name().find(filter) == std::string::npos; });
  std::vector<Totals> totals;
  for (const auto& tree : trees) totals.push_back(walk(*tree));
  for (const std::size_t count : workers) {
    std::string head = format("\nP = %-14zu start", count);
    for (const auto& tree : trees) head += format(" %7.7s", tree->name().c_str());
    print(head + "    mean on fences %\n");
    for (const Idea& idea : kIdeas) {
      if (std::string(idea.name).find(only) == std::string::npos) continue;
      for (const Start start : kStarts) {
        Setting tried = setting;
        tried.workers = count;
        tried.start = start;
        idea.change(tried);
        std::string text =
            format("%-18s %-5s", idea.name, kStartNames[static_cast<std::size_t>(start)]);
        double product = 0;
        double on_fences = 0;
        for (std::size_t i = 0; i < trees.size(); ++i) {
          const Result result = run(*trees[i], totals[i], tried);
          product += std::log(result.speed_up);
          on_fences += result.on_fences;
          text += format(" %7.2f", result.speed_up);
        }
        const auto many = static_cast<double>(trees.size());
        print(text + format(" %7.2f %7.2f\n", std::exp(product / many), 100 * on_fences / many));
      }
    }
  }
}

void kept_parts(const Setting& setting, const std::function<void(const std::string&)>& print) {
  struct Way {
    const char* name;
    bool places;
    bool remembers;
  };
  constexpr std::array<Way, 3> kWays{{{"nothing", false, false},
                                      {"places", true, false},
                                      {"places, cuts remembered", true, true}}};
  print(
      "elements that change hands from call to call, and speed-up; 20 loops over one range, "
      "threads awake\n");
  print(format("%-8s %-22s %26s %26s %26s\n", "workers", "iterations", kWays[0].name, kWays[1].name,
               kWays[2].name));
  for (const std::size_t workers :
       {std::size_t{2}, std::size_t{4}, std::size_t{8}, std::size_t{64}, std::size_t{256}}) {
    for (const bool even : {true, false}) {
      for (const std::uint64_t count : {std::uint64_t{4'000}, std::uint64_t{100'000}}) {
        const auto tree = again(20, count, 100, even);
        const Totals totals = walk(*tree);
        print(format("%-8zu %6llu of 100 ns %-6s", workers, static_cast<unsigned long long>(count),
                     even ? "" : "uneven"));
        for (const Way& way : kWays) {
          Setting tried = setting;
          tried.workers = workers;
          tried.start = Start::looking;
          tried.places = way.places;
          tried.remembers = way.remembers;
          const Outcome outcome = simulate(*tree, tried, totals);
          print(format(
              "    %6.1f %%  speed-up %6.1f",
              100 * static_cast<double>(outcome.moved) / static_cast<double>(outcome.elements),
              static_cast<double>(totals.work) / static_cast<double>(outcome.time)));
        }
        print("\n");
      }
    }
  }
}

}  // namespace simulator
