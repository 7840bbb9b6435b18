// Programs that run the shipped run queue: an owner, thieves with queues of their own, and the same
// checks. Every item is taken once, and seen whole; who takes several takes them in the order in
// which they were pushed; and there is an order of all operations, each thread's own kept, in which
// a plain queue gives the same answers.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"

#include <furca/run_queue.hpp>

#include <deque>
#include <optional>
#include <span>
#include <vector>

namespace furca::model {

struct QueueItem {
  using earned_by_cas = void;
  int number = -1;
};

/// What an operation did, as far as its caller knows.
struct QueueEvent {
  enum class Kind { push, overflow, pop, steal };
  Kind kind;
  int pushed = -1;  // push, overflow
  // overflow: what went to the sink; pop, steal: what was taken, none if the queue seemed empty
  std::vector<int> taken;
};

/// Is there an order in which a plain queue of this capacity does the same?
class SequentialQueue {
 public:
  SequentialQueue(std::size_t capacity, std::vector<std::vector<QueueEvent>> threads)
      : capacity_(capacity), threads_(std::move(threads)) {}

  bool explains() { return from({}, std::vector<std::size_t>(threads_.size(), 0)); }

 private:
  bool from(const std::deque<int>& queue, const std::vector<std::size_t>& next) {
    bool ended = true;
    for (std::size_t thread = 0; thread < threads_.size(); ++thread) {
      if (next[thread] == threads_[thread].size()) continue;
      ended = false;
      std::deque<int> after = queue;
      if (!happens(threads_[thread][next[thread]], after)) continue;
      std::vector<std::size_t> onward = next;
      ++onward[thread];
      if (from(after, onward)) return true;
    }
    return ended;
  }

  bool happens(const QueueEvent& event, std::deque<int>& queue) const {
    const auto takes = [&queue](const std::vector<int>& items) {
      for (const int item : items) {
        if (queue.empty() || queue.front() != item) return false;
        queue.pop_front();
      }
      return true;
    };
    switch (event.kind) {
      case QueueEvent::Kind::push:
        queue.push_back(event.pushed);
        return queue.size() <= capacity_;
      case QueueEvent::Kind::overflow:
        if (event.taken.size() == 1) return true;  // a thief had slots in its hands
        return queue.size() == capacity_ && takes({event.taken.begin(), event.taken.end() - 1});
      case QueueEvent::Kind::pop:
        return event.taken.empty() ? queue.empty() : takes(event.taken);
      case QueueEvent::Kind::steal:
        return event.taken.size() == (queue.size() + 1) / 2 && takes(event.taken);
    }
    return false;
  }

  std::size_t capacity_;
  std::vector<std::vector<QueueEvent>> threads_;
};

/// A queue, the accounts of what went in and came out, and up to two thieves.
template <std::size_t Capacity>
class QueueScene {
 public:
  using Queue = RunQueue<QueueItem, Capacity, ModelAtomics<true>>;

  explicit QueueScene(std::uint32_t start)
      : queue_(start), others_{Queue(start + 1), Queue(start)}, histories_(3) {}

  void push() {
    const int number = pushed_++;
    payloads_[number].set(number + 1);
    QueueEvent event{QueueEvent::Kind::push, number, {}};
    queue_.push(QueueItem{number}, [&](std::span<const QueueItem> items) {
      event.kind = QueueEvent::Kind::overflow;
      for (const QueueItem item : items) consume(item, event.taken);
      check(event.taken.back() == number, "the newest item is not the last to go");
    });
    histories_[0].push_back(event);
  }

  void pop() {
    QueueEvent event{QueueEvent::Kind::pop, -1, {}};
    if (const std::optional<QueueItem> item = queue_.pop()) consume(*item, event.taken);
    histories_[0].push_back(event);
  }

  /// Thief 1 or 2: steals, and takes what it got.
  void steal(std::size_t thief) {
    Queue& own = others_[thief - 1];
    const Steal<QueueItem> got = queue_.steal_half_into(own);
    if (got.status == StealStatus::retry) return;
    QueueEvent event{QueueEvent::Kind::steal, -1, {}};
    if (got) {
      consume(got.item, event.taken);
      while (const std::optional<QueueItem> item = own.pop()) consume(*item, event.taken);
      check(event.taken.size() <= Capacity / 2, "more than half of the capacity was stolen");
    }
    histories_[thief].push_back(event);
  }

  /// A thief has an item of its own.
  void push_to_thief(std::size_t thief) {
    const int number = pushed_++;
    payloads_[number].set(number + 1);
    others_[thief - 1].push(QueueItem{number},
                            [](std::span<const QueueItem>) { check(false, "no room"); });
  }

  /// Thief 1 leaves what it got in its queue, and thief 2 steals there.
  void steal_and_leave() {
    if (const Steal<QueueItem> got = queue_.steal_half_into(others_[0])) consume(got.item);
  }
  void steal_from_thief() {
    if (const Steal<QueueItem> got = others_[0].steal_half_into(others_[1])) consume(got.item);
  }

  void finish() {
    for (Queue* queue : {&queue_, &others_[0], &others_[1]})
      while (const std::optional<QueueItem> item = queue->pop()) consume(*item);
    for (int number = 0; number < pushed_; ++number) check(consumed_[number], "an item was lost");
    check(SequentialQueue(Capacity, histories_).explains(), "no plain queue gives these answers");
  }

 private:
  static constexpr int kMost = 12;

  void consume(QueueItem item) {
    check(item.number >= 0 && item.number < pushed_, "an item that nobody pushed");
    check(!consumed_[item.number], "an item was taken twice");
    consumed_[item.number] = true;
    check(payloads_[item.number].get() == item.number + 1, "an item without its payload");
  }
  void consume(QueueItem item, std::vector<int>& taken) {
    consume(item);
    taken.push_back(item.number);
  }

  Queue queue_;
  Queue others_[2];
  Plain<int> payloads_[kMost];
  int pushed_ = 0;  // the owner's, and read when an item has been received
  bool consumed_[kMost] = {};
  // the owner's and those of the thieves, of the first queue
  std::vector<std::vector<QueueEvent>> histories_;
};

/// As for the deque: the owner's part is a string of pushes and pops; `before` is done before the
/// thieves start.
struct QueuePlay {
  const char* name;
  const char* before;
  const char* owner;
  int steals;
  int steals_of_second = 0;
};

template <std::size_t Capacity>
std::function<void()> played(const QueuePlay& play, std::uint32_t start) {
  return [play, start] {
    QueueScene<Capacity> scene(start);
    const auto own = [&scene](const char* steps) {
      for (const char* step = steps; *step != '\0'; ++step)
        *step == '+' ? scene.push() : scene.pop();
    };
    own(play.before);
    Thread first([&] {
      for (int i = 0; i < play.steals; ++i) scene.steal(1);
    });
    std::optional<Thread> second;
    if (play.steals_of_second > 0)
      second.emplace([&] {
        for (int i = 0; i < play.steals_of_second; ++i) scene.steal(2);
      });
    own(play.owner);
    first.join();
    if (second) second->join();
    scene.finish();
  };
}

/// All begin just before the indices wrap: what goes wrong there goes wrong in these too.
inline constexpr std::uint32_t kBeforeWrap = UINT32_MAX - 1;

inline std::vector<Program> run_queue_programs() {
  std::vector<Program> programs;
  const QueuePlay small[] = {
      {"one item, popped and stolen", "", "+-", 1},
      {"the last two items", "", "++--", 1},
      {"a steal from a full queue, and a pop", "++", "-", 1},
      {"a steal, and a pop of the rest", "++", "--", 1},
      {"a slot again while a thief copies", "++", "-+", 1},
      {"two slots again while a thief copies", "++-", "++", 1},
      {"overflow against a thief", "++", "+", 1},
      {"overflow before the eyes of a thief", "", "+++", 1},
      {"overflow, and a pop", "++", "+-", 1},
      {"the only slot, again and again", "+", "-+-+", 1},
      {"the thief comes twice", "", "++", 2},
      {"two thieves", "++", "", 1, 1},
      {"two thieves, and a pop", "+", "+-", 1, 1},
  };
  const QueuePlay large[] = {
      {"half of three", "+++", "-", 1},
      {"half of four, and a push", "++++", "+", 1},
      {"half of a full queue, twice", "++++", "", 2},
      {"a full queue overflows under a thief", "++++", "+-", 1},
      {"half to each of two thieves", "++++", "", 1, 1},
  };
  for (const QueuePlay& play : small) {
    programs.push_back({std::string("run queue of 2: ") + play.name, played<2>(play, kBeforeWrap)});
  }
  for (const QueuePlay& play : large)
    programs.push_back({std::string("run queue of 4: ") + play.name, played<4>(play, kBeforeWrap)});
  programs.push_back({"run queue: stolen from a thief", [] {
                        QueueScene<4> scene(kBeforeWrap);
                        for (int i = 0; i < 4; ++i) scene.push();
                        together([&] { scene.steal_and_leave(); },
                                 [&] { scene.steal_from_thief(); });
                        scene.finish();
                      }});
  programs.push_back({"run queue: a thief's slots again while another thief copies them", [] {
                        QueueScene<4> scene(kBeforeWrap);
                        for (int i = 0; i < 4; ++i)
                          scene.push(), scene.push_to_thief(1), scene.push_to_thief(2);
                        together([&] { scene.steal_and_leave(); },
                                 [&] { scene.steal_from_thief(); });
                        scene.finish();
                      }});
  return programs;
}

/// Too many courses to take them all.
inline std::vector<Program> large_run_queue_programs() {
  return {
      {"run queue of 2: two thieves, pushes and pops",
       played<2>({"", "+", "+-+-", 1, 1}, kBeforeWrap), with_preemptions(3)},
      {"run queue of 2: overflow under two thieves",
       played<2>({"", "++", "++-", 1, 1}, kBeforeWrap), with_preemptions(3)},
      {"run queue of 4: two thieves come twice", played<4>({"", "++++", "+-", 2, 2}, kBeforeWrap),
       with_preemptions(1)},
  };
}

}  // namespace furca::model
