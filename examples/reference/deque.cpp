// The deque by itself, in use.
#include "../expect.hpp"

#include <furca/deque.hpp>

#include <cstdint>
#include <optional>
#include <thread>

namespace {

//! [Stealer]
/// A thief: steals until the deque is empty, oldest item first.
template <furca::DequeItem T>
int steal_all(furca::Stealer<T> victim) {
  int stolen = 0;
  while (!victim.empty()) {
    const furca::Steal<T> got = victim.steal();
    if (got) ++stolen;
  }
  return stolen + static_cast<int>(victim.size());
}
//! [Stealer]

void owner_and_thief() {
  //! [Deque]
  furca::Deque<int> deque;
  for (int i = 0; i < 1000; ++i) deque.push(i);  // owner: at the bottom
  int stolen = 0;
  std::thread thief([&, victim = deque.stealer()] { stolen = steal_all(victim); });
  int popped = 0;
  while (deque.pop()) ++popped;  // owner: the newest
  thief.join();
  //! [Deque]
  examples::expect(stolen + popped == 1000, "every item came out once");
}

void what_a_steal_says() {
  furca::Deque<int> deque(2);
  deque.expect_thieves();  // with an AdaptiveFence the next one need not wait
  deque.push(7);
  //! [Steal]
  const furca::Steal<int> got = deque.steal();
  if (got.status == furca::StealStatus::success) examples::expect(got.item == 7, "the oldest item");
  //! [Steal]

  //! [StealStatus]
  bool nothing_left = false;
  while (!nothing_left) {
    switch (deque.steal().status) {
      case furca::StealStatus::success:
        break;  // run it
      case furca::StealStatus::retry:
        break;  // another thread was faster
      case furca::StealStatus::empty:
        nothing_left = true;
        break;
    }
  }
  //! [StealStatus]
  examples::expect(got && deque.empty(), "it is gone");
}

//! [DequeItem]
static_assert(furca::DequeItem<int*>);
// too large for a lock-free atomic
static_assert(!furca::DequeItem<std::optional<int*>>);
//! [DequeItem]

/// For a scheduler that keeps the index of what it has published.
void fork_and_take() {
  using Deque = furca::Deque<int>;
  //! [take]
  Deque deque(4, 100);
  // published, unless there was no memory
  const Deque::Index at = deque.offer(1);
  const bool still_mine = at == Deque::kNotPublished || deque.take(at);
  //! [take]
  const Deque::Index next = deque.end();
  examples::expect(still_mine && next == at + 1 && at == 100, "nobody has stolen it");

  deque.offer(2);
  examples::expect(deque.take_newest(deque.end() - 1) && deque.size() == 0 && deque.capacity() == 4,
                   "the same again");
  deque.skip_index();
  deque.push(3);
  examples::expect(!deque.steal_if([] { return false; }) && deque.end() == 104, "nobody wants it");
  deque.hand_over();
  std::thread another([&] { examples::expect(deque.pop() == 3, "another owner has it"); });
  another.join();
  static_cast<void>(deque.fence());
}

}  // namespace

int main() {
  owner_and_thief();
  what_a_steal_says();
  fork_and_take();
  return examples::unexpected;
}
