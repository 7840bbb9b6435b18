// Whether a context is cancelled, or one that it is bound to.
#pragma once

#include <furca/detail/base/config.hpp>

#include <atomic>
#include <cstdint>
#include <utility>

namespace tbb::detail {

/// How often what contexts say has changed: one was cancelled or reset, or ended while it was
/// cancelled; in the lowest 16 bits how many threads are changing it. All threads read it; it is
/// written as seldom as that.
FURCA_API inline constinit std::atomic<std::uint64_t> context_changes{std::uint64_t{1} << 16U};

/// What contexts share; the model checker has its own.
struct FURCA_API ContextMachine {
  template <class T>
  using Atomic = std::atomic<T>;

  static Atomic<std::uint64_t>& changes() noexcept { return detail::context_changes; }

  /// What is bound to nothing is bound to this, which nobody counts: all threads would write to one
  /// word.
  template <class State>
  static State& top() noexcept {
    static constinit State state{typename State::Everybodys()};
    return state;
  }
};

/// From here to the end of the block the calling thread changes what contexts say.
template <class Machine>
class BasicContextChange {
 public:
  BasicContextChange() noexcept { Machine::changes().fetch_add(1, std::memory_order_relaxed); }
  ~BasicContextChange() {
    // [context.N1] pairs with N2: who reads the new number sees the mode that has changed
    Machine::changes().fetch_add(kOne - 1, std::memory_order_release);
  }
  BasicContextChange(const BasicContextChange&) = delete;
  BasicContextChange& operator=(const BasicContextChange&) = delete;

  static bool is_under_way(std::uint64_t changes) noexcept { return changes % kOne != 0; }
  static std::uint64_t number(std::uint64_t changes) noexcept { return changes / kOne; }

 private:
  static constexpr std::uint64_t kOne = std::uint64_t{1} << 16U;
};

/// What a context is to those below it: a flag, and who is above. It lives as long as any context
/// that is bound to it, so a context may be asked after the one around it has gone; that one then
/// counts as not cancelled.
///
/// Each state remembers what it has said last, and at which change. So as long as nothing changes
/// an answer takes two reads, however deep the state lies; after a change each state is looked at
/// once on the way up.
///
///     who cancels                              who asks
///       one change under way  relaxed            [context.M1] its own mode: cancelled?  acquire
///       [context.M2] mode     acq_rel            [context.N2] changes                   acquire
///       [context.N1] changes  release            none under way, and remembered for them?
///                                                else the modes
/// What is remembered for a number of changes was read after that number, and while none was under
/// way: so whoever sees a change, or a mode, reads the modes anew, also of those below.
///
/// Invariants:
/// - above_ is null until the context is bound, and does not change afterwards: whoever has read it
///   may follow it without a lock;
/// - a state is bound before anything runs in it, to what runs around it, so the states above a
///   state are older in use, and there is no circle;
/// - what is remembered was found on a way that ends at a bound state: binding changes nothing that
///   a state has said of itself.
///
/// Rejected: the flag copied down to all children when a parent is cancelled, as oneTBB does it.
/// Each nested loop would have to be on a list of its parent's, which all threads write to. The
/// walk up each time: quadratic in the depth of groups that wait in each other.
///
/// Checked by: tests/model/programs/context_programs.hpp ("contexts: who sees one cancelled asks
/// one below, which was asked before")
template <class Machine>
class FURCA_API BasicContextState {
  using ContextState = BasicContextState;
  using ContextChange = BasicContextChange<Machine>;
  template <class T>
  using Atomic = typename Machine::template Atomic<T>;

 public:
  struct Everybodys {};

  BasicContextState() = default;
  constexpr explicit BasicContextState(Everybodys) noexcept : everybodys_(true) {}
  BasicContextState(const BasicContextState&) = delete;
  BasicContextState& operator=(const BasicContextState&) = delete;

  /// Anybody: this one or one above it is cancelled.
  bool cancelled() const noexcept {
    // [context.M1]
    if (mode_.load(std::memory_order_acquire) == Mode::cancelled) return true;
    // [context.N2]
    const std::uint64_t changes = Machine::changes().load(std::memory_order_acquire);
    const std::uint64_t said = said_.load(std::memory_order_relaxed);
    return !ContextChange::is_under_way(changes) && said / 2 == ContextChange::number(changes)
               ? said % 2 != 0
               : find_out(changes);
  }

  /// Anybody: returns whether it was the first.
  bool cancel() noexcept {
    const ContextChange change;
    // [context.M2] pairs with M1 and M2: who sees it sees the change under way, and what was
    // changed before
    return mode_.exchange(Mode::cancelled, std::memory_order_acq_rel) == Mode::running;
  }

  /// Anybody: it is cancelled by one above it, and stays so when that one is reset. Nobody's answer
  /// changes.
  void stay_cancelled() noexcept {
    if (mode_.load(std::memory_order_relaxed) == Mode::cancelled) return;
    const ContextChange change;  // the one above may have been reset just now
    mode_.exchange(Mode::cancelled, std::memory_order_acq_rel);  // [context.M2]
  }

  void reset() noexcept {
    if (mode_.load(std::memory_order_relaxed) == Mode::running) return;
    const ContextChange change;
    mode_.exchange(Mode::running, std::memory_order_acq_rel);  // [context.M2]
  }

  /// Its context is gone: nothing can be running in it.
  void end() noexcept {
    // [context.A2]
    const ContextState* const above = above_.load(std::memory_order_acquire);
    // [context.M2]
    if (mode_.exchange(Mode::ended, std::memory_order_acq_rel) == Mode::cancelled ||
        (above != nullptr && above->cancelled()))
      const ContextChange change;
  }

  /// Anybody, before something runs in it: from here on it is below `around`; null: below nothing.
  /// Only the first call has an effect.
  void bind(ContextState* around) noexcept {
    if (above_.load(std::memory_order_relaxed) != nullptr) return;
    // else it could come to lie below this one, and the two be a circle
    if (around != nullptr) around->bind(nullptr);
    ContextState* const above = around != nullptr ? around : &Machine::template top<ContextState>();
    above->add_owner();
    ContextState* before = nullptr;
    // [context.A1] pairs with A2: who follows it sees the state above
    if (!above_.compare_exchange_strong(before, above, std::memory_order_release,
                                        std::memory_order_relaxed))
      let_go(above);
  }

  /// Deletes the state, and those above it that nobody else needs.
  static void let_go(ContextState* state) noexcept {
    while (state != nullptr && !state->everybodys_ && state->last_leaves())
      delete std::exchange(state, state->above_.load(std::memory_order_relaxed));
  }

 private:
  enum class Mode : std::uint8_t { running, cancelled, ended };
  void add_owner() noexcept {
    if (!everybodys_) owners_.fetch_add(1, std::memory_order_relaxed);
  }

  /// The last owner sees what the others did.
  bool last_leaves() noexcept {
    // [context.O1] pairs with O2
    if (owners_.fetch_sub(1, std::memory_order_release) != 1) return false;
    return owners_.load(std::memory_order_acquire) == 0;  // [context.O2]
  }

  /// Walks up to a state that knows, and tells those on the way.
  FURCA_NOINLINE bool find_out(std::uint64_t changes) const noexcept {
    const bool remembers = !ContextChange::is_under_way(changes);
    const std::uint64_t number = ContextChange::number(changes);
    bool answer = false;
    const ContextState* state = this;
    // [context.A2]
    for (; !state->everybodys_; state = state->above_.load(std::memory_order_acquire)) {
      const Mode mode = state->mode_.load(std::memory_order_relaxed);
      const std::uint64_t said = state->said_.load(std::memory_order_relaxed);
      const bool knows = remembers && said / 2 == number;
      answer = knows ? said % 2 != 0 : mode == Mode::cancelled;
      if (knows || mode != Mode::running) break;
      // [context.A2]: it may be bound at any moment
      if (state->above_.load(std::memory_order_acquire) == nullptr) return false;
    }
    if (!remembers) return answer;
    const ContextState* const end = state;
    for (state = this; state != end; state = state->above_.load(std::memory_order_relaxed))
      state->said_.store(number * 2 + (answer ? 1 : 0), std::memory_order_relaxed);
    return answer;
  }

  Atomic<ContextState*> above_{nullptr};
  mutable Atomic<std::uint64_t> said_{0};  // twice their number, and the answer then
  Atomic<std::uint32_t> owners_{1};
  Atomic<Mode> mode_{Mode::running};
  const bool everybodys_ = false;
};

using ContextState = BasicContextState<ContextMachine>;

}  // namespace tbb::detail
