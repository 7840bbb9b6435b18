// furca's scheduler as a machine of small steps, on workers whose time is only counted.
//
// Worker 0 is the thread that calls in, the others are the pool's. Each has one next step and the time at which it comes; the
// earliest of all is done next. A step that needs a shared line ends by asking for it, and what it does there is done when
// the line has come: every step is one access, and all accesses have one order. So weak memory is not modelled; what fences
// cost is.
//
// Invariants, checked while it runs (std::logic_error):
// - a worker that waits has an empty deque;
// - looking + asleep + active = started threads;
// - when a fork is through, somebody looks or nobody sleeps; or its worker was told of sleepers and will ask, or somebody is
//   about to look everywhere or to wake the next;
// - under Wait::own_subtree a waiter runs no job from outside the subtree that it waits for.
// And of its outcome: every worker's times, by activity, add up to the time of the run.
#pragma once

#include "machine.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

namespace simulator {

enum class Wait : std::uint8_t { own_subtree, greedy };
enum class Wakers : std::uint8_t {
  chain,   // furca's: one thread is on its way at a time
  spread,  // a trial: who finds work wakes until as many are on their way as half of those at work
};
enum class Heavy : std::uint8_t {
  single,  // furca's: one membarrier for everyone who needs one
  shared,  // a trial: who comes while one is under way shares the next with all others that wait
};
enum class Count : std::uint8_t {
  bell,   // furca's: the last one to look tells every bell before it sleeps; a fork reads its own, and the counts if it was told
  state,  // as it was before: every fork reads the counts, which every thief writes
  loops,  // a trial: a loop, which asks before each chunk whether publishing would wake somebody, asks its bell first, too
};
enum class Start : std::uint8_t { asleep, looking };  // the pool's threads, when the call comes

struct Setting {
  std::size_t workers = 1;
  Wait wait = Wait::own_subtree;
  Wakers wakers = Wakers::chain;
  Heavy heavy = Heavy::single;
  Count count = Count::bell;
  Start start = Start::asleep;
  std::uint64_t seed = 0;
  Costs costs;
};

/// Where time goes. Idle are the last three.
enum class Activity : std::uint8_t { work, fork, steal, wake, interrupt, look, wait, sleep };
inline constexpr std::size_t kActivities = 8;
inline constexpr std::array<const char*, kActivities> kActivityNames{"work",      "fork", "steal", "wake",
                                                                    "interrupt", "look", "wait",  "sleep"};

struct Outcome {
  Time time = 0;
  std::vector<std::array<Time, kActivities>> spent;  // by worker
  std::array<Traffic, kWords> traffic{};
  std::uint64_t marks = 0;
  std::uint64_t forks = 0;
  std::uint64_t steals = 0;
  std::uint64_t steal_backs = 0;  // of these: from whoever has what the thief waits for
  std::uint64_t strangers = 0;    // of these: run by a waiter, and from outside of what it waits for
  std::uint64_t failed = 0;       // looks at empty deques, and steals that somebody else was faster at
  std::uint64_t wakes = 0;
  std::uint64_t told = 0;   // bells, of sleepers
  std::uint64_t rung = 0;   // bells, for waiters
  std::uint64_t asked = 0;  // forks that read the counts
  std::uint64_t arming_fences = 0;
  std::uint64_t sleeping_fences = 0;  // of threads that fell asleep, and waiters that listened to a bell
  std::uint64_t membarriers = 0;      // for both; fewer than these only where they are shared
  std::vector<Time> first_job;        // by thread that got one, in the order of time

  Time total(Activity activity) const;
  double idle() const;  // share of all workers' time
};

class Scheduler {
 public:
  Scheduler(const Tree& tree, const Setting& setting);
  Outcome run();

 private:
  using Id = std::uint32_t;
  using Index = std::int64_t;
  static constexpr Id kNone = 0xFFFFFFFF;

  /// What comes next. A step named by a past participle comes when the line asked for in the one before has come.
  enum class At : std::uint8_t {
    // the program
    begin, returned, fork, pushed, bell_seen, attended, forgotten, state_seen, forked,
    take, lowered, top_seen, fenced, quieted, last_item, loop, own_deque_seen, loop_bell_seen, loop_state_seen,
    // waking
    ring, rung, wake, counted, granted, woke,
    // stealing
    look_around, scan, see_top, see_bottom, seen, entered, arm, armed, left_unarmed, visit, top_noted, latch_noted, bottom_noted,
    stolen, left, found, run, taken, finish, finished, bell_heard, skip, top_skipped, bottom_skipped, looking,
    // sleeping
    pause, asleep, tell, told, heavy, last_look, stay, use_permit, permits_seen, permit_taken, drowsy,
    // waiting
    wait, latch_seen, wait_pause, listen, listening, listen_latch, listen_top, listen_bottom, listen_end, nod,
  };

  /// The second arm of a fork, or the upper half of a loop.
  struct Stretch {
    Node node;
    std::uint64_t lo = 0;  // of a loop or a sequence
    std::uint64_t hi = 0;
    Time mean = 0;
    bool loop = false;
    bool nested = false;
  };

  struct Job {
    Stretch what;
    Line latch{Word::latch};
    Id forked_in = kNone;  // the job whose execution forked it
    Id taker = kNone;
    bool set = false;
  };

  struct Frame {
    enum class Kind : std::uint8_t { fork, sequence, loop, job };
    enum class Stage : std::uint8_t { before, first, second, waiting };
    Kind kind = Kind::fork;
    Stage stage = Stage::before;
    Stretch what;            // fork: the second arm
    Time after = 0;
    std::uint64_t left = 0;  // nested loop: iterations of this chunk
    Id job = kNone;          // fork, loop: what was published
    Id outer = kNone;        // job: what this worker ran before
    Index at = 0;            // in the deque
  };

  enum class Mode : std::uint8_t { quiet, arming, armed };
  enum class Aim : std::uint8_t { anyone, below, last_look };

  struct Worker {
    Id id = 0;
    Time time = 0;
    Time late = 0;  // interrupts that it has not felt yet
    At at = At::begin;
    At then = At::begin;        // after waking somebody
    Activity doing = Activity::work;
    bool blocked = false;
    bool woken = false;  // and not running yet
    bool had_job = false;

    Line bottom_line{Word::bottom};
    Line top_line{Word::top};
    Line bell_line{Word::bell};
    Index bottom = 0;
    Index top = 0;
    std::vector<Id> slots = std::vector<Id>(256);

    Mode mode = Mode::quiet;
    std::uint32_t visitors = 0;
    Time left = 0;  // fenced pops
    Time patience = 0;
    Time quiet_since = 0;

    std::uint64_t rings = 0;
    bool listened_to = false;
    bool told = true;  // of sleepers; when it begins, nobody knows who sleeps
    std::vector<Id> listeners;

    std::vector<Frame> frames;
    Node next;         // to begin
    Id job = kNone;    // runs; none: the root, or no job
    Id stolen = kNone;

    std::uint32_t random = 1;
    std::uint32_t seed = 0;  // of this look around
    std::size_t looked = 0;  // at so many
    Aim aim = Aim::anyone;
    Id victim = 0;
    Index seen_top = 0;
    std::uint32_t round = 0;
    std::uint64_t rings_heard = 0;
  };

  // The machine.
  void step(Worker& w);
  void spend(Worker& w, Time time, Activity activity);
  void load(Worker& w, Line& line, At next, Activity activity);
  void look(Worker& w, Line& line, At next);
  void store(Worker& w, Line& line, At next, Activity activity);
  void heavy_fence(Worker& w, At next, Activity activity);
  void block(Worker& w);
  void unblock(Worker& w, Time now);
  void schedule(const Worker& w) { agenda_.emplace(w.time, w.id); }

  // The program (scheduler.cpp): frames, forks, loops.
  void step_program(Worker& w);
  void begin(Worker& w);
  void returned(Worker& w);
  void push(Worker& w);
  void count_down(Worker& w);
  void settle(Worker& w);
  void took(Worker& w, bool won);
  void joined(Worker& w);
  void loop(Worker& w);
  void run_chunk(Worker& w);

  // Those without work (thieves.cpp): stealing, waiting, sleeping, waking.
  void step_thief(Worker& w);
  void step_sleeper(Worker& w);
  void step_waiter(Worker& w);
  void step_waker(Worker& w);
  void scan(Worker& w);
  void look_failed(Worker& w);
  void got(Worker& w);
  void run_stolen(Worker& w);
  void pause(Worker& w);
  void look_again(Worker& w);
  std::size_t victim(const Worker& w, std::size_t turn) const;
  bool descends(Id job, Id from) const;

  bool must_wake() const;
  void about_to_wake(Worker& w);
  Activity idling(const Worker& w) const { return w.frames.empty() ? Activity::look : Activity::wait; }
  static bool empty(const Worker& w) { return w.top >= w.bottom; }
  Worker& victim_of(const Worker& w) { return workers_[w.victim]; }
  Id new_job(Worker& w);
  void check(bool holds, const char* what) const;

  const Tree& tree_;
  Setting setting_;
  Costs costs_;
  std::vector<Worker> workers_;
  std::priority_queue<std::pair<Time, Id>, std::vector<std::pair<Time, Id>>, std::greater<>> agenda_;
  std::vector<Job> jobs_;
  std::vector<Id> free_jobs_;

  Line state_{Word::state};
  Line permits_line_{Word::permits};
  std::size_t looking_ = 0;
  std::size_t asleep_ = 0;
  std::size_t permits_ = 0;
  std::vector<Id> sleepers_;  // in the order in which they went
  std::size_t minding_ = 0;   // who wake the next, or have yet to take their last look
  Time membarrier_start_ = 0;  // of the last one asked for
  Time membarrier_free_ = 0;
  std::size_t running_ = 0;
  bool done_ = false;
  Outcome outcome_;
};

/// Runs the tree and checks what must hold of every run; throws std::logic_error otherwise.
Outcome simulate(const Tree& tree, const Setting& setting, const Totals& totals);

}  // namespace simulator
