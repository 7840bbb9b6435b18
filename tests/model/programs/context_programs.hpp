// Programs that run the shipped contexts of the oneTBB look-alike: what one says follows those
// above it, as soon as anybody can know.
#pragma once

#include "../checker/atomics.hpp"
#include "../checker/program.hpp"

#include <furca/compat/oneapi/tbb/detail/context_state.h>

#include <cstdint>
#include <vector>

namespace furca::model {

/// What the contexts of one run share.
class ContextWorld {
 public:
  /// The model knows no two stores at once to one word, as there are of what a state has said: here
  /// they are exchanges.
  template <class T>
  class Atomic : public model::Atomic<T> {
   public:
    using model::Atomic<T>::Atomic;
    void store(T value, std::memory_order order, Site site = Site::here()) noexcept {
      this->exchange(value, order, site);
    }
  };

  struct Machine {
    template <class T>
    using Atomic = ContextWorld::Atomic<T>;

    static Atomic<std::uint64_t>& changes() noexcept { return current->changes_; }
    template <class State>
    static State& top() noexcept {
      return current->top_;
    }
  };
  using State = tbb::detail::BasicContextState<Machine>;

  ContextWorld() { current = this; }

 private:
  static inline ContextWorld* current = nullptr;

  Atomic<std::uint64_t> changes_{std::uint64_t{1} << 16U};
  State top_{State::Everybodys()};
};

/// Two contexts, one in the other, which has been asked before: so it remembers that nothing is
/// cancelled.
struct TwoContexts {
  TwoContexts() {
    inner.bind(&around);
    check(!inner.cancelled(), "cancelled by nobody");
  }

  ContextWorld world;
  ContextWorld::State around;
  ContextWorld::State inner;
};

/// A flag by which one thread tells another.
class Told {
 public:
  void tell() { told_.store(1, std::memory_order_release); }
  bool is_told() const { return told_.load(std::memory_order_acquire) == 1; }

 private:
  Atomic<int> told_{0};
};

inline std::vector<Program> context_programs() {
  return {
      {"contexts: who sees one cancelled asks one below, which was asked before",
       [] {
         TwoContexts two;
         together([&] { two.around.cancel(); },
                  [&] {
                    if (two.around.cancelled())
                      check(two.inner.cancelled(), "seen above, and not below");
                  });
         check(two.inner.cancelled(), "not cancelled in the end");
       }},
      {"contexts: who is told of a cancellation sees it below, whoever asks meanwhile",
       [] {
         TwoContexts two;
         Told told;
         together(
             [&] {
               two.around.cancel();
               told.tell();
             },
             [&] {
               if (told.is_told()) check(two.inner.cancelled(), "told, and not cancelled");
             },
             [&] { two.inner.cancelled(); });
         check(two.inner.cancelled(), "not cancelled in the end");
       },
       with_preemptions(3, 2)},
      {"contexts: a thread that was told yes is not told no",
       [] {
         TwoContexts two;
         ContextWorld::State deep;
         deep.bind(&two.inner);
         together([&] { two.around.cancel(); },
                  [&] {
                    const bool first = two.inner.cancelled();
                    const bool deeper = deep.cancelled();
                    check(deeper >= first && two.inner.cancelled() >= deeper, "yes, and then no");
                  });
       },
       with_preemptions(3, 2)},
      {"contexts: two are cancelled at once, and who asks remembers neither too early",
       [] {
         TwoContexts two;
         ContextWorld::State other;
         together(
             [&] {
               two.around.cancel();
               check(two.inner.cancelled(), "not cancelled for who cancelled it");
             },
             [&] {
               other.bind(nullptr);
               other.cancel();
             },
             [&] { two.inner.cancelled(); });
         check(two.inner.cancelled() && other.cancelled(), "not cancelled in the end");
       },
       with_preemptions(2, 1)},
      {"contexts: reset while one below is asked",
       [] {
         TwoContexts two;
         Told told;
         two.around.cancel();
         together(
             [&] {
               two.around.reset();
               told.tell();
             },
             [&] {
               if (told.is_told())
                 check(!two.inner.cancelled(), "told of the reset, and cancelled");
             },
             [&] { two.inner.cancelled(); });
         check(!two.inner.cancelled(), "cancelled in the end");
       },
       with_preemptions(3, 2)},
      {"contexts: the one above ends while one below is asked",
       [] {
         TwoContexts two;
         Told told;
         two.around.cancel();
         together(
             [&] {
               two.around.end();
               told.tell();
             },
             [&] {
               two.inner.cancelled();
               if (told.is_told()) check(!two.inner.cancelled(), "cancelled by one that is gone");
             });
         check(!two.inner.cancelled(), "cancelled by one that is gone, in the end");
       }},
      {"contexts: bound by two threads, to one of the two",
       [] {
         ContextWorld world;
         ContextWorld::State left;
         ContextWorld::State right;
         ContextWorld::State inner;
         left.cancel();
         bool by_left = false;
         bool by_right = false;
         together(
             [&] {
               inner.bind(&left);
               by_left = inner.cancelled();
             },
             [&] {
               inner.bind(&right);
               by_right = inner.cancelled();
             });
         check(by_left == by_right && inner.cancelled() == by_left, "bound to both");
       }},
  };
}

}  // namespace furca::model
