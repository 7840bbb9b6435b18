// An observed loop's decision, and why it was made, as the trace and FURCA_DISPLAY tell it.
#pragma once

#include <cstddef>
#include <cstdint>

namespace furca::detail {

/// A choice between running steps here and publishing some of them; and its text in decision.cpp,
/// which has them in this order.
enum class Choice : std::uint8_t {
  none,
  // to run them here
  alone,             // "no other thread"
  undivided,         // "one piece, or fewer than two grains"
  too_short,         // "not worth sharing"
  not_worth_waking,  // "not worth waking a thread"
  older_work,        // "older work can be stolen"
  // to publish
  halves,          // "few steps"; the look-alike's loops of steps apart, too
  beside_older,    // "beside older work"
  somebody_awake,  // "somebody awake"
  thread_woken,    // "a thread woken"
  portions         // "a portion for each thread"
};

constexpr bool publishes(Choice choice) noexcept { return choice >= Choice::halves; }

/// A choice, and what was known then. Its text: "shared: 12.0 us left, somebody awake".
struct Decision {
  float microseconds;  // that are left of the loop; 0: not known
  Choice choice;
  bool uneven;  // its steps are not known to be even

  void print(char* text, std::size_t size) const noexcept;
};

/// The loop that runs on this thread has decided so, or its stolen half. Its entry in a trace has
/// the first decision, but one to publish replaces one not to.
void decided(const Decision& decision) noexcept;

/// A call or a stolen half begins on this thread; returns what the one around it has decided.
Decision begin_deciding() noexcept;
/// It ends; returns what it has decided.
Decision end_deciding(const Decision& outer) noexcept;

/// FURCA_DISPLAY beside FURCA_TRACE or FURCA_STATS=span: prints on stderr how many loops and stolen
/// halves have decided what.
void print_decisions() noexcept;

}  // namespace furca::detail
