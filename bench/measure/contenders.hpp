// Where workloads and contenders meet. A new contender is an adaptor in contenders/ and its name in
// the list below.
//
// A workload is a class with
//   kName, kSummary, kGroup                constants
//   kUses                                  what it needs of a contender (Operations); forks or
//   loops, not both kReadsText, kRestMs                    if need be: constants, see Workload
//   sizes(Effort)                          static: the rows it makes
//   explicit W(const Input&)               sets up the input
//   serial()                               the work, plainly; returns what identifies the result
//   parallel<Runtime>()                    the same by Runtime's operations
//   settle(calls)                          if need be: see Body
// A contender is a class with
//   kContender                             its Contender
//   kOffers                                the operations it has, of these:
//   join(a, b)                             calls both, returns a pair of the results
//   spawn(n, body)                         calls body(i) for all i < n as n children
//   loop(n, body)                          calls body(i) for all i < n
//   reduce(n, identity, map, op)           folds map(i), or what map(accumulator, i) adds, by the
//   commutative op
#pragma once

#include "contenders/furca.hpp"
#include "contenders/serial.hpp"
#ifdef FURCA_BENCH_TBB
#include "contenders/tbb.hpp"
#endif
#ifdef FURCA_BENCH_OPENMP
#include "contenders/openmp.hpp"
#endif

#include <type_traits>

namespace bench {

template <class... C>
struct ContenderList {};

template <class... A, class... B>
constexpr ContenderList<A..., B...> operator+(ContenderList<A...>, ContenderList<B...>) {
  return {};
}

inline constexpr auto kContenders =
    ContenderList<Serial, Furca>{}
#ifdef FURCA_BENCH_TBB
    + ContenderList<TbbInvoke, TbbTaskGroup, TbbAuto, TbbStatic, TbbSimple, TbbAffinity>{}
#endif
#ifdef FURCA_BENCH_OPENMP
    + ContenderList<OpenMpTasks, OpenMpStatic, OpenMpGuided>{}
#endif
;

template <class W, class C>
class BodyOf final : public Body {
 public:
  explicit BodyOf(const Input& input) : workload_(input) {}
  static std::unique_ptr<Body> make(const Input& input) { return std::make_unique<BodyOf>(input); }

  std::uint64_t call() override {
    if constexpr (std::is_same_v<C, Serial>) {
      return workload_.serial();
    } else {
      return workload_.template parallel<C>();
    }
  }

  std::uint64_t settle(std::uint64_t calls) override {
    if constexpr (requires { workload_.settle(calls); }) {
      return workload_.settle(calls);
    } else {
      return 0;
    }
  }

 private:
  W workload_;
};

/// One static object of this type in the workload's file makes it known.
template <class W>
class Registration {
 public:
  Registration() { add(kContenders); }

 private:
  template <class... C>
  static void add(ContenderList<C...>) {
    Workload workload{W::kName, W::kSummary, W::kGroup, false, 0, &W::sizes, {}};
    if constexpr (requires { W::kReadsText; }) workload.reads_text = W::kReadsText;
    if constexpr (requires { W::kRestMs; }) workload.rest_ms = W::kRestMs;
    (add_entrant<C>(workload), ...);
    workloads().push_back(std::move(workload));
  }

  template <class C>
  static void add_entrant(Workload& workload) {
    if constexpr ((W::kUses & ~C::kOffers) == 0)
      workload.entrants.push_back({&C::kContender, &BodyOf<W, C>::make});
  }
};

}  // namespace bench
