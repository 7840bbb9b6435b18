#include "options.hpp"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>

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
  --count one-word|flag   flag: forkers read a flag beside the counts that thieves write (one-word)

Costs in nanoseconds, and the adaptive fence's thresholds:
)";

constexpr const char* kUsageEnd = R"(
  --list                the workloads
  --help                this text

Exit code: 0; 1 if a run breaks an invariant; 2 for wrong arguments.
)";

struct CostOption {
  const char* name;
  Time Costs::*cost;
  const char* meaning;
};

constexpr CostOption kCosts[] = {
    {"--fork", &Costs::fork, "a fork and its join, nobody near"},
    {"--look", &Costs::look, "a look at a deque that was empty and has not changed"},
    {"--transfer", &Costs::transfer, "a cache line from another core"},
    {"--look-miss", &Costs::look_miss, "one that a look needs; several are under way at once"},
    {"--shared-read", &Costs::shared_read, "how long a read keeps an unchanged line from the next reader"},
    {"--fence", &Costs::fence, "the fence in an armed pop or a steal"},
    {"--steal", &Costs::steal, "a successful steal, beyond the lines of deque and latch"},
    {"--heavy-base", &Costs::heavy, "a heavy fence"},
    {"--heavy-each", &Costs::heavy_each, "and more of it for each other running thread"},
    {"--interrupt", &Costs::interrupt, "what each of those loses"},
    {"--pause", &Costs::pause, "one pause instruction"},
    {"--yield", &Costs::yield, "one yield"},
    {"--wake-call", &Costs::wake_call, "waking somebody, of the waker's time"},
    {"--sleep-call", &Costs::sleep_call, "going to sleep"},
    {"--wake-up", &Costs::wake_up, "from the waker's call until the thread runs"},
    {"--soon", &Costs::soon, "armed again that soon: twice the patience"},
};

std::uint64_t parse_number(const std::string& option, const std::string& text, std::uint64_t least, std::uint64_t most) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc{} || stop != end || value < least || value > most)
    refuse(option + " wants a number from " + std::to_string(least) + " to " + std::to_string(most) + ", not \"" + text + "\"");
  return value;
}

std::vector<std::size_t> parse_workers(const std::string& text) {
  std::vector<std::size_t> counts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    counts.push_back(parse_number("--workers", text.substr(at, comma - at), 1, kMostWorkers));
    at = comma + 1;
  }
  std::sort(counts.begin(), counts.end());
  counts.erase(std::unique(counts.begin(), counts.end()), counts.end());
  return counts;
}

/// True for the second of two words.
bool second_of(const std::string& option, const std::string& text, const std::string& first, const std::string& second) {
  if (text != first && text != second) refuse(option + " wants " + first + " or " + second + ", not \"" + text + "\"");
  return text == second;
}

void print_usage() {
  std::fputs(kUsage, stdout);
  const Costs costs;
  for (const CostOption& option : kCosts)
    std::printf("  %-15s %-66s (%llu)\n", option.name, option.meaning, static_cast<unsigned long long>(costs.*option.cost));
  std::printf("  %-15s %-66s (%u)\n", "--patience", "fenced pops before an owner goes quiet", costs.patience);
  std::printf("  %-15s %-66s (%u)\n", "--most-patience", "which doubles up to", costs.most_patience);
  std::fputs(kUsageEnd, stdout);
}

}  // namespace

void refuse(const std::string& why) {
  std::fprintf(stderr, "furca-simulate: %s\n", why.c_str());
  std::exit(2);
}

Options parse(std::span<char* const> arguments) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  Options options;
  Setting& setting = options.setting;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i];
    const auto value = [&]() -> std::string {
      if (++i == arguments.size()) refuse(option + " wants a value; see --help");
      return arguments[i];
    };
    const auto* const cost =
        std::find_if(std::begin(kCosts), std::end(kCosts), [&](const CostOption& one) { return option == one.name; });
    if (cost != std::end(kCosts)) {
      setting.costs.*cost->cost = parse_number(option, value(), 0, kSecond);
    } else if (option == "--help") {
      print_usage();
      std::exit(0);
    } else if (option == "--list") {
      options.list = true;
    } else if (option == "--quick") {
      options.size = Size::quick;
    } else if (option == "--detail") {
      options.detail = true;
    } else if (option == "--filter") {
      options.filter = value();
    } else if (option == "--workers") {
      options.workers = parse_workers(value());
    } else if (option == "--wait") {
      const std::string rule = value();
      if (rule != "own" && rule != "greedy" && rule != "both") refuse("--wait wants own, greedy or both, not \"" + rule + "\"");
      if (rule != "both") options.waits = {rule == "own" ? Wait::own_subtree : Wait::greedy};
    } else if (option == "--start") {
      setting.start = second_of(option, value(), "asleep", "looking") ? Start::looking : Start::asleep;
    } else if (option == "--wakers") {
      setting.wakers = second_of(option, value(), "chain", "spread") ? Wakers::spread : Wakers::chain;
    } else if (option == "--heavy") {
      setting.heavy = second_of(option, value(), "single", "shared") ? Heavy::shared : Heavy::single;
    } else if (option == "--count") {
      setting.count = second_of(option, value(), "one-word", "flag") ? Count::flag : Count::one_word;
    } else if (option == "--seed") {
      setting.seed = parse_number(option, value(), 0, std::uint64_t{1} << 53U);
    } else if (option == "--patience") {
      setting.costs.patience = static_cast<std::uint32_t>(parse_number(option, value(), 1, kSecond));
    } else if (option == "--most-patience") {
      setting.costs.most_patience = static_cast<std::uint32_t>(parse_number(option, value(), 1, kSecond));
    } else {
      refuse("no such option: " + option + "; see --help");
    }
  }
  return options;
}

}  // namespace simulator
