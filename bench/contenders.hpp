// Where workloads and contenders meet. A new contender is an adaptor in contenders/ and its name in the list below.
//
// A workload is a class with
//   kName, kSummary, kReadsText, kForks    constants; kForks: it uses join, not loop or reduce
//   sizes(Effort)                          static: the rows it makes
//   explicit W(const Input&)               sets up the input
//   serial()                               the work, plainly; returns what identifies the result
//   parallel<Runtime>()                    the same by Runtime::join, loop or reduce
//   settle(calls)                          if need be: see Body
#pragma once

#include "contenders/furca.hpp"
#include "contenders/serial.hpp"
#ifdef FURCA_BENCH_TBB
#include "contenders/tbb.hpp"
#endif

#include <type_traits>

namespace bench {

template <class... C>
struct ContenderList {};

#ifdef FURCA_BENCH_TBB
using Contenders = ContenderList<Serial, Furca, Tbb, TbbTaskGroup>;
using Runtimes = ContenderList<Furca, Tbb>;  // those that have every operation
#else
using Contenders = ContenderList<Serial, Furca>;
using Runtimes = ContenderList<Furca>;
#endif

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
  Registration() { add(Contenders{}); }

 private:
  template <class... C>
  static void add(ContenderList<C...>) {
    Workload workload{W::kName, W::kSummary, W::kReadsText, &W::sizes, {}};
    (add_entrant<C>(workload), ...);
    workloads().push_back(std::move(workload));
  }

  template <class C>
  static void add_entrant(Workload& workload) {
    if constexpr (W::kForks || !C::kForksOnly) workload.entrants.push_back({&C::kContender, &BodyOf<W, C>::make});
  }
};

}  // namespace bench
