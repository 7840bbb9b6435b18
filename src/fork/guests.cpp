#include "guests.hpp"

#include <memory>

namespace furca::detail {

Guests::~Guests() {
  for (Guest* guest = newest(); guest != nullptr;) {
    const std::unique_ptr<Guest> dead(guest);
    guest = dead->older;
  }
}

/// Checked by: tests/pool/thread_pool_test.cpp ("threads that are in a pool at the same time have
/// different indices")
Guest& Guests::claim(Team& team, bool nested, std::size_t first) {
  for (;;) {
    Guest* lowest = nullptr;  // the last free one, since the list is newest first
    for (Guest* guest = newest(); guest != nullptr; guest = guest->older)
      if (guest->nested() == nested && !guest->claimed()) lowest = guest;
    if (lowest == nullptr) break;
    if (lowest->claim()) return *lowest;  // [guests.G2]
  }
  auto fresh = std::make_unique<Guest>(team);
  fresh->set_number(nested ? Guest::kNested + nested_count_.fetch_add(1, std::memory_order_relaxed)
                           : first + count_.fetch_add(1, std::memory_order_relaxed));
  fresh->deque().hand_over();
  fresh->older = newest_.load(std::memory_order_relaxed);
  // [guests.G3] pairs with G4 (guests.hpp): everybody who reads it later sees the whole list
  while (!newest_.compare_exchange_weak(fresh->older, fresh.get(), std::memory_order_release,
                                        std::memory_order_relaxed)) {
  }
  return *fresh.release();
}

}  // namespace furca::detail
