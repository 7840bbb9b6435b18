#include "options.hpp"

#include "../arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>

namespace simulator {
namespace {

constexpr const char* kUsage = R"(usage: furca-simulate [options]
Replays the fork trees of the workloads on P workers whose time is only counted, and prints what furca's scheduler makes of
them beside the bound of any greedy scheduler, T1 / P + T_inf. bench/simulator/README.md says what is modelled and what not.

  --quick               small trees: a second or two (default: half a minute)
  --filter SUBSTRING    only workloads whose name contains it
  --workers 1,2,...     numbers of workers, up to 512 (1,2,4,16,64,256)
  --wait own|greedy|both  what a waiter may run (both)
  --start asleep|looking  what the pool's threads do when the call comes (asleep)
  --seed N              for the victims that thieves choose (0)
  --detail              also where time and cache lines went

Trials of what furca does not do:
  --wakers chain|spread   spread: as many woken threads may be on their way as half of those at work (chain: one)
  --heavy single|shared   shared: who needs a heavy fence while one is under way shares the next one (single)
  --count bell|state|loops  who reads the counts that thieves write. bell: a fork after its bell told it, a loop before each
                          chunk that it might publish; state: every fork as well; loops: loops, too, only if told (bell)

Costs in nanoseconds, and the adaptive fence's thresholds; machine.hpp has all of them:
)";

constexpr const char* kUsageEnd = R"(
  --help                this text

Exit code: 0; 1 if a run breaks an invariant; 2 for wrong arguments.
)";

struct CostOption {
  const char* name;
  Time Costs::*cost;
  Time least;
  const char* meaning;
};

constexpr CostOption kCosts[] = {
    {"--transfer", &Costs::transfer, 0, "a cache line from another core"},
    {"--shared-read", &Costs::shared_read, 0, "how long a read keeps an unchanged line from the next reader"},
    {"--heavy-base", &Costs::heavy, 0, "a heavy fence"},
    {"--heavy-each", &Costs::heavy_each, 0, "and more of it for each other running thread"},
    {"--interrupt", &Costs::interrupt, 0, "what each of those loses"},
    {"--wake-up", &Costs::wake_up, 0, "from the waker's call until the thread runs"},
    {"--patience", &Costs::patience, 1, "fenced pops before an owner goes quiet"},
    {"--most-patience", &Costs::most_patience, 1, "which doubles up to"},
};

/// The place of `text` among the words that the option takes.
template <class Enum>
Enum parse_word(const std::string& option, const std::string& text, std::initializer_list<const char*> words) {
  std::string all;
  for (const char* const word : words) all += (all.empty() ? "" : " or ") + std::string(word);
  const auto* const found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) bench::refuse(option + " wants " + all + ", not \"" + text + "\"");
  return static_cast<Enum>(found - words.begin());
}

void print_usage() {
  std::fputs(kUsage, stdout);
  const Costs costs;
  for (const CostOption& option : kCosts)
    std::printf("  %-15s %-66s (%llu)\n", option.name, option.meaning, static_cast<unsigned long long>(costs.*option.cost));
  std::fputs(kUsageEnd, stdout);
}

}  // namespace

Options parse(std::span<char* const> arguments) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  Options options;
  Setting& setting = options.setting;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i];
    const auto value = [&]() -> std::string {
      if (++i == arguments.size()) bench::refuse(option + " wants a value; see --help");
      return arguments[i];
    };
    const auto* const cost =
        std::find_if(std::begin(kCosts), std::end(kCosts), [&](const CostOption& one) { return option == one.name; });
    if (cost != std::end(kCosts)) {
      setting.costs.*cost->cost = bench::parse_number(option, value(), cost->least, kSecond);
    } else if (option == "--help") {
      print_usage();
      std::exit(0);
    } else if (option == "--quick") {
      options.size = Size::quick;
    } else if (option == "--detail") {
      options.detail = true;
    } else if (option == "--filter") {
      options.filter = value();
    } else if (option == "--workers") {
      const std::vector<std::uint64_t> counts = bench::parse_counts(option, value(), kMostWorkers);
      options.workers.assign(counts.begin(), counts.end());
    } else if (option == "--wait") {
      const auto rule = parse_word<std::size_t>(option, value(), {"own", "greedy", "both"});
      if (rule != 2) options.waits = {static_cast<Wait>(rule)};
    } else if (option == "--start") {
      setting.start = parse_word<Start>(option, value(), {"asleep", "looking"});
    } else if (option == "--wakers") {
      setting.wakers = parse_word<Wakers>(option, value(), {"chain", "spread"});
    } else if (option == "--heavy") {
      setting.heavy = parse_word<Heavy>(option, value(), {"single", "shared"});
    } else if (option == "--count") {
      setting.count = parse_word<Count>(option, value(), {"bell", "state", "loops"});
    } else if (option == "--seed") {
      setting.seed = bench::parse_number(option, value(), 0, std::uint64_t{1} << 53U);
    } else {
      bench::refuse("no such option: " + option + "; see --help");
    }
  }
  return options;
}

}  // namespace simulator
