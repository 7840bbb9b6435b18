// A loop's decision, and why it was made, as the trace and FURCA_DISPLAY tell it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// A choice between running steps here and publishing some of them.
enum class Choice : std::uint8_t {
  none,
  // to run them here
  alone,
  undivided,
  too_short,
  not_worth_waking,
  older_work,
  // to publish
  halves,
  beside_older,
  somebody_awake,
  thread_woken,
  portions
};

constexpr bool publishes(Choice choice) noexcept { return choice >= Choice::halves; }

/// A choice, and what was known then. Its text: "shared: 12.0 us left, somebody awake".
struct Decision {
  float microseconds;  // that are left of the loop; 0: not known
  Choice choice;
  bool uneven;  // its steps are not known to be even

  void print(char* text, std::size_t size) const noexcept;
};

/// The loop that runs on this thread has decided so, or its stolen half. Its event has the first
/// decision, but one to publish replaces one not to.
void decided(const Decision& decision) noexcept;

/// A call or a stolen half begins on this thread; returns what the one around it has decided.
Decision begin_deciding() noexcept;
/// It ends; returns what it has decided.
Decision end_deciding(const Decision& outer) noexcept;

/// FURCA_DISPLAY: prints on stderr how many loops and stolen halves have decided what.
void print_decisions() noexcept;

}  // namespace furca::detail
