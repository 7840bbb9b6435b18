#include "options.hpp"

#include "../measure/arguments.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <iterator>
#include <stdexcept>

namespace simulator {
namespace {

constexpr const char* kUsage = R"(usage: furca-simulate [options]
Replays the fork trees of the workloads on P workers whose time is only counted, and prints what furca's scheduler makes of
them beside the bound of any greedy scheduler, T1 / P + T_inf. bench/simulator/README.md says what is modelled and what not.

  --targets             what furca should reach on 64 and 256 workers, and what it does; less than three minutes
  --peers               other libraries' times on 64 cores, as published and as simulated
  --whole               with --peers: the whole trees, which takes ten minutes, instead of two smaller ones continued
  --ideas               each trial alone and the plan, on 2 to 256 workers
  --idea SUBSTRING      only those whose name contains it
  --parts               how many elements change hands from loop to loop over one range
  --loops               how long a loop takes, by its work and the number of workers
  --sorts               furca's sorts instead of the workloads
  --quick               small trees: a second or two (default: half a minute)
  --filter SUBSTRING    only workloads whose name contains it
  --workers 1,2,...     numbers of workers, up to 512 (1,2,4,16,64,256)
  --wait own|greedy|resume|both  what a waiter may run; resume: it leaves its stack to the thief (both: own and greedy)
  --start asleep|looking  what the pool's threads do when the call comes (asleep)
  --machine NAME|FILE   costs, from machines/NAME.txt or a file (a name with a slash)
  --seed N              for the victims that thieves choose (0)
  --slack N             nanoseconds that a worker may run ahead of the others: faster (0)
  --detail              also where time and cache lines went

Trials of what furca does not do, and of what it does:
  --plan                all that README.md advises
  --before              without what furca has of it: --wakers chain --heavy single, no loop arms, and no places
  --fence adaptive|armed|classic|classic-bell|none  armed: every pop has a fence; classic: every fork as well, and reads the
                          counts; classic-bell: it reads its bell first; none: no fence at all (adaptive)
  --wakers chain|spread|tree   spread: as many woken threads may be on their way as half of those at work; tree: who is woken
                          wakes the next, one more may be on its way for each that finds work (tree; chain: one)
  --heavy single|shared|announced  shared: who needs a heavy fence while one is under way shares the next one; announced: and
                          a thief that would arm a deque does not wait for it (shared)
  --count bell|state|loops  who reads the counts that thieves write. bell: a fork after its bell told it, a loop before each
                          chunk that it might publish; state: every fork as well; loops: loops, too, only if told (bell)
  --loops-arm           a loop that shares arms its own deque (it does)
  --owners-arm          who finds a quiet deque waits, for as long as a heavy fence takes, for a pop of its owner that arms it
  --thieves-arm         who has stolen arms its own deque before it runs what it stole
  --machine-patience    a deque stays armed for as long as a heavy fence costs all running threads
  --renew               a deque that a thief visited since it was armed stays so
  --losers-pause        who lost a race pauses before it looks there again
  --polite              who sees another thief at a victim goes on to the next
  --calm                pauses between looks grow with the number of workers, from 8 on
  --places              a long loop has a part for each of four workers and more, and lays it where that one looks first (it does)
  --lay all|groups|halves  who lays parts. all: the loop's caller; groups: it lays the first of each group, and who takes that the
                          others; halves: the same with halves (groups)
  --window N            a thief looks at so many victims at once, and at the next ones the next time; 0: at all (64)
  --asks-again          who finds something to steal looks once more whether parts are being laid, and then waits for its own (it does)
  --remember-cuts       and its parts are cut so that they took equally long in the call before
  --fence-every N       who falls asleep, or listens, waits until the last heavy fence for that is N ns ago (0)
  --uncounted           while nobody sleeps, nobody counts who looks
  --near-first          victims with the same cache first
  --no-sleep            idle threads look until the end

Costs in nanoseconds, but for cores, per cent, and patience in fenced pops (0: furca's rule); machine.hpp says what each is:
  --cores-per-cache --cores-per-socket --fork --look --near --transfer --far --look-miss --shared-read --fence-time --clock
  --steal --heavy-base --heavy-each --interrupt --pause --yield --wake-call --sleep-call --wake-up --patience --most-patience
  --speed
  --help                this text

Exit code: 0; 1 if a run breaks an invariant, or the targets are missed; 2 for wrong arguments.
)";

/// The place of `text` among the words that the option takes.
template <class Enum>
Enum parse_word(const std::string& option, const std::string& text,
                std::initializer_list<const char*> words) {
  std::string all;
  for (const char* const word : words) all += (all.empty() ? "" : " or ") + std::string(word);
  const auto* const found = std::find(words.begin(), words.end(), text);
  if (found == words.end()) bench::refuse(option + " wants " + all + ", not \"" + text + "\"");
  return static_cast<Enum>(found - words.begin());
}

struct Flag {
  const char* name;
  bool Setting::* flag;
  bool value;
};

constexpr Flag kFlags[] = {
    {"--loops-arm", &Setting::loops_arm, true},
    {"--owners-arm", &Setting::owners_arm, true},
    {"--thieves-arm", &Setting::thieves_arm, true},
    {"--machine-patience", &Setting::machine_patience, true},
    {"--renew", &Setting::renews, true},
    {"--losers-pause", &Setting::losers_pause, true},
    {"--near-first", &Setting::near_first, true},
    {"--polite", &Setting::polite, true},
    {"--calm", &Setting::calm, true},
    {"--places", &Setting::places, true},
    {"--uncounted", &Setting::uncounted, true},
    {"--loops-call", &Setting::loops_call, true},
    {"--asks-again", &Setting::asks_again, true},
    {"--remember-cuts", &Setting::remembers, true},
    {"--no-sleep", &Setting::sleeps, false},
};

}  // namespace

Options parse(std::span<char* const> arguments) {
  constexpr std::uint64_t kSecond = 1'000'000'000;
  Options options;
  Setting& setting = options.setting;
  setting = as_built(setting);
  bool planned = false;
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const std::string option = arguments[i];
    const auto value = [&]() -> std::string {
      if (++i == arguments.size()) bench::refuse(option + " wants a value; see --help");
      return arguments[i];
    };
    const auto* const flag = std::find_if(std::begin(kFlags), std::end(kFlags),
                                          [&](const Flag& one) { return option == one.name; });
    if (flag != std::end(kFlags)) {
      setting.*flag->flag = flag->value;
    } else if (option == "--help") {
      std::fputs(kUsage, stdout);
      std::exit(0);
    } else if (option == "--targets") {
      options.targets = true;
    } else if (option == "--peers") {
      options.peers = true;
    } else if (option == "--whole") {
      options.whole = true;
    } else if (option == "--ideas") {
      options.ideas = true;
    } else if (option == "--idea") {
      options.ideas = true;
      options.idea = value();
    } else if (option == "--loops") {
      options.loops = true;
    } else if (option == "--sorts") {
      options.sorts = true;
    } else if (option == "--parts") {
      options.parts = true;
    } else if (option == "--plan") {
      planned = true;
    } else if (option == "--before") {
      setting.lay = Lay::all;
      setting.window = 0;
      setting.asks_again = false;
      setting.places = setting.loops_arm = setting.owners_arm = setting.uncounted =
          setting.loops_call = false;
      setting.count = Count::bell;
      setting.heavy = Heavy::single;
      setting.wakers = Wakers::chain;
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
      const auto rule =
          parse_word<std::size_t>(option, value(), {"own", "greedy", "resume", "both"});
      if (rule != 3) options.waits = {static_cast<Wait>(rule)};
    } else if (option == "--start") {
      setting.start = parse_word<Start>(option, value(), {"asleep", "looking"});
    } else if (option == "--fence") {
      setting.fence = parse_word<Fence>(option, value(),
                                        {"adaptive", "armed", "classic", "classic-bell", "none"});
    } else if (option == "--wakers") {
      setting.wakers = parse_word<Wakers>(option, value(), {"chain", "spread", "tree"});
    } else if (option == "--heavy") {
      setting.heavy = parse_word<Heavy>(option, value(), {"single", "shared", "announced"});
    } else if (option == "--window") {
      setting.window = bench::parse_number(option, value(), 0, 1'000'000);
    } else if (option == "--lay") {
      setting.lay = parse_word<Lay>(option, value(), {"all", "groups", "halves"});
    } else if (option == "--count") {
      setting.count = parse_word<Count>(option, value(), {"bell", "state", "loops"});
    } else if (option == "--machine") {
      try {
        setting.costs = find_machine(value());
      } catch (const std::runtime_error& error) {
        bench::refuse(error.what());
      }
    } else if (option == "--seed") {
      setting.seed = bench::parse_number(option, value(), 0, std::uint64_t{1} << 53U);
    } else if (option == "--fence-every") {
      setting.fence_every = bench::parse_number(option, value(), 0, kSecond);
    } else if (option == "--slack") {
      setting.slack = bench::parse_number(option, value(), 0, kSecond);
    } else if (Time* const cost =
                   option.starts_with("--")
                       ? find_cost(setting.costs,
                                   option == "--fence-time" ? "fence" : option.substr(2))
                       : nullptr) {
      const bool divides = cost == &setting.costs.cores_per_cache ||
                           cost == &setting.costs.cores_per_socket || cost == &setting.costs.speed;
      *cost = bench::parse_number(option, value(), divides ? 1 : 0, kSecond);
    } else {
      bench::refuse("no such option: " + option + "; see --help");
    }
  }
  if (planned) setting = plan(setting);
  return options;
}

}  // namespace simulator
