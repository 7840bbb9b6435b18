// furca's scheduler as a machine of small steps, on workers whose time is only counted.
//
// Worker 0 is the thread that calls in, the others are the pool's. Each has one next step and the
// time at which it comes; the earliest of all is done next. A step that needs a shared line ends by
// asking for it, and what it does there is done when the line has come: every step is one access,
// and all accesses have one order. So weak memory is not modelled; what fences cost is.
//
// Invariants, checked while it runs (std::logic_error):
// - a worker that waits has an empty deque;
// - looking + asleep + active = started threads;
// - when a fork is through, somebody looks or nobody sleeps; or its worker was told of sleepers and
//   will ask, or somebody is about to look everywhere or to wake the next;
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

/// What a worker may do while the thief of what it forked is not through.
enum class Wait : std::uint8_t {
  own_subtree,  // furca's: run what was forked below
  greedy,       // run anything, as oneTBB, Taskflow and citor
  // leave its stack behind, which the thief goes on with, as coroutines do (libfork, TooManyCooks):
  // nobody ever waits
  resume,
};
/// The fence of a pop, and of a fork.
enum class Fence : std::uint8_t {
  adaptive,      // furca's: none until a thief comes, who pays a heavy one
  armed,         // a trial: the pop's always, and heavy ones for those who fall asleep
  classic,       // FURCA_FENCE=classic: the pop's always; a fork has one, too, and reads the counts
  classic_bell,  // a trial: the same, but the fork reads its bell first
  none,          // peers: it is among what a fork costs
};
enum class Wakers : std::uint8_t {
  chain,   // furca's: one thread is on its way at a time
  spread,  // a trial: who finds work wakes until as many are on their way as half of those at work
  // a trial: who is woken wakes the next; one more may be on its way for each that found work, half
  // as many for each that did not
  tree,
};
enum class Heavy : std::uint8_t {
  single,  // furca's: one membarrier for everyone who needs one
  shared,  // a trial: who comes while one is under way shares the next with all others that wait
  // a trial: the same, and a thief that would arm a deque meanwhile goes on: "arming, by fence k"
  announced,
};
enum class Count : std::uint8_t {
  // furca's: the last one to look tells every bell before it sleeps; a fork reads its own, and the
  // counts if it was told
  bell,
  state,  // as it was before: every fork reads the counts, which every thief writes
  // a trial: a loop, which asks before each chunk whether publishing would wake somebody, asks its
  // bell first, too
  loops,
};
enum class Lay : std::uint8_t {
  all,  // as it was before: the caller of a loop lays each part
  // furca's: the first of each group, of about as many parts as there are groups; whoever takes
  // that one lays the others
  groups,
  halves,  // a trial: halves, of which whoever takes one lays half again
};
enum class Start : std::uint8_t { asleep, looking };  // the pool's threads, when the call comes

struct Setting {
  std::size_t workers = 1;
  Wait wait = Wait::own_subtree;
  Fence fence = Fence::adaptive;
  Wakers wakers = Wakers::chain;
  Heavy heavy = Heavy::single;
  Count count = Count::bell;
  Start start = Start::asleep;
  bool sleeps = true;      // false: idle threads look until the end, and nobody counts them
  bool loops_arm = false;  // a trial: a loop that shares arms its own deque
  // who finds a quiet deque waits, for as long as a heavy fence takes, for a pop of its owner that
  // arms it
  bool owners_arm = false;
  // a trial: who has stolen arms its own deque before it runs what it stole
  bool thieves_arm = false;
  // a trial: the patience covers what a heavy fence costs all running threads
  bool machine_patience = false;
  // a trial: a deque that a thief visited since it was armed stays so
  bool renews = false;
  bool losers_pause = false;  // a trial: who lost a race pauses before it looks there again
  // a trial: who sees another thief at a victim goes on to the next, but for its last looks before
  // it sleeps
  bool polite = false;
  // a trial: the pauses between looks grow with the number of workers, from 8 on
  bool calm = false;
  Lay lay = Lay::all;  // where `places` is set
  // of so many victims at each look, and of the next ones at the next; 0: all
  std::size_t window = 0;
  // who finds something to steal looks whether parts are laid now, and then waits for its own
  bool asks_again = false;
  // a long loop has a part for each worker, and lays it where that one looks first
  bool places = false;
  // a trial: and the parts are cut so that they took equally long in the call before
  bool remembers = false;
  // a loop that has laid parts lets as many look at once as there are parts
  bool loops_call = false;
  // who has run a job looks without being counted, while nobody sleeps and he is not about to
  bool uncounted = false;
  // a trial: who falls asleep, or listens, waits until the last heavy fence is that long ago; 0: at
  // once
  Time fence_every = 0;
  bool near_first = false;  // a trial: victims with the same cache first
  // ns that one worker may run ahead of the others: faster to simulate
  Time slack = 0;
  std::uint64_t seed = 0;
  Costs costs;
};

/// The setting with what furca has of what README.md advises; and with all of it.
Setting as_built(Setting setting);
Setting plan(Setting setting);

/// Where time goes. Idle are the last three; `heavy` is waiting for heavy fences, one's own and
/// others'.
enum class Activity : std::uint8_t { work, fork, steal, wake, interrupt, heavy, look, wait, sleep };
inline constexpr std::size_t kActivities = 9;
inline constexpr std::array<const char*, kActivities> kActivityNames{
    "work", "fork", "steal", "wake", "interrupt", "heavy", "look", "wait", "sleep"};

struct Outcome {
  Time time = 0;
  std::vector<std::array<Time, kActivities>> spent;  // by worker
  std::array<Traffic, kWords> traffic{};
  std::uint64_t marks = 0;
  std::uint64_t forks = 0;
  std::uint64_t steals = 0;
  std::uint64_t steal_backs = 0;  // of these: from whoever has what the thief waits for
  // of these: run by a waiter, and from outside of what it waits for
  std::uint64_t strangers = 0;
  // looks at empty deques, and steals that somebody else was faster at
  std::uint64_t failed = 0;
  std::uint64_t crowded = 0;  // thieves that came to a victim where another one was
  std::uint64_t wakes = 0;
  std::uint64_t told = 0;   // bells, of sleepers
  std::uint64_t rung = 0;   // bells, for waiters
  std::uint64_t asked = 0;  // forks that read the counts
  std::uint64_t arming_fences = 0;
  std::uint64_t answers = 0;  // deques that their owners armed for a thief
  // of threads that fell asleep, and waiters that listened to a bell
  std::uint64_t sleeping_fences = 0;
  std::uint64_t membarriers = 0;  // for both; fewer than these only where they are shared
  std::uint64_t vain = 0;         // wake-ups of threads that fell asleep again without a job
  // of loops, that had been run by an earlier one over the same range
  std::uint64_t elements = 0;
  std::uint64_t moved = 0;      // of these: now by another worker
  std::vector<Time> first_job;  // by thread that got one, in the order of time

  Time total(Activity activity) const;
  double idle() const;  // share of all workers' time
  // share of all workers' time that heavy fences take: waiting for them, and being interrupted
  double on_fences() const;
};

class Scheduler {
 public:
  Scheduler(const Tree& tree, const Setting& setting);
  Outcome run();

 private:
  using Id = std::uint32_t;
  using Index = std::int64_t;
  static constexpr Id kNone = 0xFFFFFFFF;

  /// What comes next. A step named by a past participle comes when the line asked for in the one
  /// before has come.
  enum class At : std::uint8_t {
    // the program
    begin,
    returned,
    fork,
    pushed,
    bell_seen,
    attended,
    forgotten,
    state_seen,
    forked,
    take,
    lowered,
    top_seen,
    fenced,
    answered,
    quieted,
    last_item,
    loop,
    own_deque_seen,
    loop_bell_seen,
    loop_state_seen,
    self_armed,
    laying,
    lay_next,
    laid,
    all_laid,
    opened_bell,
    opened_state,
    expected_seen,
    place_next,
    place_mine,
    place_behind,
    // waking
    ring,
    rung,
    wake,
    counted,
    granted,
    woke,
    // stealing
    look_around,
    counts_seen,
    now_counted,
    look_first,
    place_seen,
    laying_seen,
    rob,
    place_looked,
    place_claimed,
    scan,
    see_top,
    see_bottom,
    seen,
    still_none_laid,
    entered,
    await_owner,
    owner_asked,
    arm,
    armed,
    left_unarmed,
    visit,
    top_noted,
    latch_noted,
    bottom_noted,
    stolen,
    left,
    found,
    run,
    taken,
    born_armed,
    finish,
    finished,
    bell_heard,
    skip,
    top_skipped,
    bottom_skipped,
    looking,
    // sleeping
    pause,
    asleep,
    tell,
    told,
    heavy,
    last_look,
    stay,
    use_permit,
    permits_seen,
    permit_taken,
    drowsy,
    // waiting
    wait,
    latch_seen,
    wait_pause,
    listen,
    listening,
    listen_latch,
    listen_top,
    listen_bottom,
    listen_end,
    nod,
  };

  /// The loop whose parts lie in places; one at a time.
  struct Places {
    Line word{Word::place};  // says whether they are being laid, and whether some may lie there
    std::size_t layers = 0;  // who are laying, or about to
    std::size_t parts = 0;
    bool open = false;
    std::vector<std::uint64_t> cuts;  // part i begins at cuts[i]
    std::vector<Time> spent;          // on part i in this call
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

  struct Frame;

  struct Job {
    Stretch what;
    Line latch{Word::latch};
    Id forked_in = kNone;  // the job whose execution forked it
    Id taker = kNone;
    bool set = false;
    std::vector<Frame> left;  // Wait::resume: by the one that would have waited for it
    Id left_job = kNone;
    bool was_left = false;
    std::uint64_t steps = 0;  // of the loop that it is half of
    std::size_t part_lo = 0;  // parts of a loop that lie in places
    std::size_t part_hi = 0;
    bool looked_for = false;  // by who laid it, when it wanted it back
    Id next = kNone;          // what the same worker has laid before it
    bool few = false;
  };

  struct Frame {
    enum class Kind : std::uint8_t { fork, sequence, loop, job, places };
    // gone: first, and what was published is known to be stolen
    enum class Stage : std::uint8_t { before, first, gone, second, waiting };
    Kind kind = Kind::fork;
    Stage stage = Stage::before;
    Stretch what;  // fork: the second arm
    Time after = 0;
    std::uint64_t left = 0;   // nested loop: iterations of this chunk
    std::uint64_t steps = 0;  // loop: of the whole call
    std::uint64_t chunk = 1;
    Time worth_waking = 0;
    bool few = false;     // loop: halved like joins
    bool call = false;    // loop: as it was called, no half
    bool shared = false;  // loop: something of it was published
    // fork, loop: what was published; places: what was laid last, of what is not done
    Id job = kNone;
    Id behind = kNone;        // places: the first of what was laid that it has not looked for yet
    std::size_t part_lo = 0;  // places: what it has not laid
    std::size_t part_hi = 0;
    bool begun = false;  // places: with what it has not laid
    Id outer = kNone;    // job: what this worker ran before
    Index at = 0;        // in the deque
  };

  enum class Mode : std::uint8_t { quiet, arming, armed };
  enum class Aim : std::uint8_t { anyone, below, last_look };

  struct Worker {
    Id id = 0;
    Time time = 0;
    Time late = 0;  // interrupts that it has not felt yet
    At at = At::begin;
    At then = At::begin;  // after waking somebody
    Activity doing = Activity::work;
    bool blocked = false;
    bool woken = false;  // and not running yet
    bool had_job = false;
    bool counted = true;  // while it looks

    Line bottom_line{Word::bottom};
    Line top_line{Word::top};
    Line bell_line{Word::bell};
    Line place_line{Word::place};
    Index bottom = 0;
    Index top = 0;
    std::vector<Id> slots = std::vector<Id>(256);

    Mode mode = Mode::quiet;
    std::uint32_t visitors = 0;
    Time left = 0;  // fenced pops
    Time patience = 0;
    Time quiet_since = 0;
    Time armed_at = 0;         // arming: when the fence that does it will have ended
    std::uint64_t visits = 0;  // that there were
    std::uint64_t visits_known = 0;

    std::uint64_t rings = 0;
    bool listened_to = false;
    bool told = true;  // of sleepers; when it begins, nobody knows who sleeps
    std::vector<Id> listeners;

    std::vector<Frame> frames;
    Node next;       // to begin
    Id job = kNone;  // runs; none: the root, or no job
    Id stolen = kNone;

    std::uint32_t random = 1;
    std::uint32_t seed = 0;  // of this look around
    std::size_t looked = 0;  // at so many
    std::size_t cycle = 0;   // of this order at its looks before
    std::size_t last = 0;    // of this look
    Aim aim = Aim::anyone;
    Id victim = 0;
    Index seen_top = 0;
    Time asked_at = 0;  // the owner of a quiet deque to arm it
    std::uint32_t round = 0;
    std::uint32_t spins = 0;  // rounds of this look around, then yields
    std::uint32_t yields = 0;
    double idle_share = 1;  // of the time that it may look before it sleeps
    Time slept_at = 0;
    bool just_woken = false;     // and no job since
    std::uint32_t lost = 0;      // races in a row
    std::uint32_t may_wake = 0;  // so many in a row
    Id part = kNone;             // in its place
    bool robs_first = false;     // looks at others' places now, before it steals
    bool robbed = false;         // has done so, in this look
    std::size_t begins_at = 0;   // its look around then
    Id suspect = kNone;          // whose place had a part in it that this one was not for
    std::uint64_t rings_heard = 0;

    double row_lost = 0;  // LoopRow
    Time row_ends = 0;
    Time loop_began = 0;
  };

  // The machine.
  void step(Worker& w);
  void spend(Worker& w, Time time, Activity activity);
  void load(Worker& w, Line& line, At next, Activity activity);
  void look(Worker& w, Line& line, At next);
  void store(Worker& w, Line& line, At next, Activity activity);
  Time order_heavy_fence(Worker& w);
  void heavy_fence(Worker& w, At next, bool patient = false);
  Time order_patient_fence(Worker& w);
  void cut_places(std::uint64_t length);
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
  void begin_loop(Worker& w, Frame& frame);
  void end_loop(Worker& w);
  void arm_oneself(Worker& w, At next);
  Time patience() const;
  static Time sharing() { return 3'000; }  // tuning_for(): what is worth another thread's while
  Time chunk_time() const { return 50 * (costs_.clock + 20); }  // tuning_for()
  double idle_time() const;
  bool always_asks() const;
  void ran(const Worker& w, std::uint64_t lo, std::uint64_t hi);

  // Those without work (thieves.cpp): stealing, waiting, sleeping, waking.
  void step_thief(Worker& w);
  void step_sleeper(Worker& w);
  void step_waiter(Worker& w);
  void step_waker(Worker& w);
  void scan(Worker& w);
  void rob(Worker& w);
  void look_failed(Worker& w);
  void got(Worker& w);
  void run_stolen(Worker& w);
  void pause(Worker& w);
  void look_again(Worker& w);
  void patience_for(Worker& w, double share);
  Time pause_scale() const { return setting_.calm ? std::max<Time>(1, workers_.size() / 8) : 1; }
  bool exhausted(const Worker& w) const { return w.round >= w.spins + w.yields; }
  void finished(Worker& w);
  void open_places(Worker& w);
  std::size_t next_cut(const Frame& frame) const;
  void lay_next(Worker& w);
  void next_place(Worker& w);
  void run_part(Worker& w, const Job& job);
  bool deserves_places(const Worker& w, const Frame& frame) const;
  void run_half(Worker& w, const Job& job);
  std::size_t near_looks(const Worker& w) const;
  std::size_t victim(const Worker& w, std::size_t turn) const;
  bool descends(Id job, Id from) const;

  std::size_t may_look() const;
  bool must_wake() const;
  void about_to_wake(Worker& w);
  Activity idling(const Worker& w) const {
    return w.frames.empty() ? Activity::look : Activity::wait;
  }
  static bool empty(const Worker& w) { return w.top >= w.bottom; }
  Worker& victim_of(const Worker& w) { return workers_[w.victim]; }
  Id new_job(Worker& w);
  void check(bool holds, const char* what) const;

  const Tree& tree_;
  Setting setting_;
  Costs costs_;
  std::vector<Worker> workers_;
  std::priority_queue<std::pair<Time, Id>, std::vector<std::pair<Time, Id>>, std::greater<>>
      agenda_;
  std::vector<Job> jobs_;
  std::vector<Id> free_jobs_;

  Line state_{Word::state};
  Line permits_line_{Word::permits};
  std::size_t looking_ = 0;
  std::size_t asleep_ = 0;
  std::size_t permits_ = 0;
  std::vector<Id> sleepers_;   // in the order in which they went
  std::size_t minding_ = 0;    // who wake the next, or have yet to take their last look
  Time membarrier_start_ = 0;  // of the last one asked for
  Time membarrier_free_ = 0;
  Id membarrier_by_ = kNone;
  Time patient_start_ = 0;  // of the last one that waited for its time
  double heavy_known_ = 0;  // ns, as the threads have measured it
  double on_way_ = 1;       // Wakers::tree: so many may look
  Places places_;
  std::vector<std::uint16_t> last_ran_;  // by element of the loops over one range
  std::size_t running_ = 0;
  bool done_ = false;
  Outcome outcome_;
};

/// Runs the tree and checks what must hold of every run; throws std::logic_error otherwise.
Outcome simulate(const Tree& tree, const Setting& setting, const Totals& totals);

}  // namespace simulator
