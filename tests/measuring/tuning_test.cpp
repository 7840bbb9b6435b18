// What furca chooses on other machines than this one.
#include <furca/thread_pool.hpp>

#include "loop/pace.hpp"
#include "measuring/costs.hpp"
#include "measuring/waking.hpp"
#include "support/pools.hpp"

namespace {

using furca::detail::Backoff;
using furca::detail::Costs;
using furca::detail::LoopRow;
using furca::detail::measured_costs;
using furca::detail::ticks;
using furca::detail::ticks_per_microsecond;
using furca::detail::WakeLatency;

/// Nanoseconds.
constexpr float kFences[] = {2, 2.4F, 4, 8, 20};
constexpr float kHeavyFences[] = {500, 1'900, 2'800, 17'000, 100'000};
constexpr float kWakeUps[] = {5'000, 20'000, 50'000, 200'000};
constexpr float kSteals[] = {100, 250, 500, 1'000, 5'000};
constexpr float kClocks[] = {1, 10, 25, 100, 1'000};

/// The costs of another machine, from here to the end of the block.
class Pretended {
 public:
  explicit Pretended(const Costs& costs) : before_(measured_costs.get()) { use(costs); }
  ~Pretended() { use(before_); }
  Pretended(const Pretended&) = delete;
  Pretended& operator=(const Pretended&) = delete;

 private:
  static void use(const Costs& costs) { measured_costs.pretend(costs); }
  const Costs before_;
};

}  // namespace

TEST_CASE("the processors that were measured: about what was found best there") {
  const Costs rapids{.clock = 11,
                     .fence = 8,
                     .heavy_fence = 1'900,
                     .steal = 500,
                     .wake = 5'000,
                     .wake_latency = 8'000};
  CHECK(rapids.fence_tuning().patience == 475);
  CHECK(rapids.sharing() == doctest::Approx(3));
  CHECK(rapids.chunk() == doctest::Approx(1.55));
  CHECK(rapids.looking() == doctest::Approx(14.9));
  const Costs milan{.clock = 11.4F,
                    .fence = 2.4F,
                    .heavy_fence = 17'000,
                    .steal = 1'000,
                    .wake = 8'000,
                    .wake_latency = 30'000};
  CHECK(milan.fence_tuning().patience == doctest::Approx(14'166).epsilon(0.001));
  CHECK(milan.sharing() == doctest::Approx(6));
  CHECK(milan.looking() == 50);
}

TEST_CASE("a deque stays armed for longer, the dearer a heavy fence and the cheaper a fence") {
  for (const float fence : kFences) {
    furca::detail::FenceTuning before{0, 0};
    for (const float heavy : kHeavyFences) {
      CAPTURE(fence);
      CAPTURE(heavy);
      const furca::detail::FenceTuning tuning =
          Costs{.fence = fence, .heavy_fence = heavy}.fence_tuning();
      CHECK(tuning.patience >= before.patience);
      CHECK(tuning.patience >= 256);
      CHECK(tuning.patience <= 65'536);
      CHECK(tuning.soon >= before.soon);
      CHECK(tuning.soon >= 20'000);
      CHECK(tuning.soon <= 1'000'000);
      CHECK(tuning.asks >= before.asks);
      CHECK(tuning.asks >= 1);
      CHECK(tuning.asks <= 1'000);
      before = tuning;
    }
  }
  CHECK(Costs{.fence = 2, .heavy_fence = 100'000}.fence_tuning().patience == 65'536);
  CHECK(Costs{.fence = 20, .heavy_fence = 500}.fence_tuning().patience == 256);
  // as long as a heavy fence takes
  CHECK(Costs{.pause = 20, .heavy_fence = 2'000}.fence_tuning().asks == 100);
}

TEST_CASE(
    "a dear clock makes for longer chunks, a dear steal for larger loops, a dear wake-up for "
    "longer looking; within bounds") {
  Costs before{.clock = 0, .heavy_fence = 0, .steal = 0, .wake = 0, .wake_latency = 0};
  CHECK(before.chunk() == 1);
  CHECK(before.sharing() == 3);
  CHECK(before.looking() == 5);
  for (std::size_t i = 0; i < std::size(kClocks); ++i) {
    const Costs costs{
        .clock = kClocks[i], .steal = kSteals[i], .wake_latency = kWakeUps[i < 4 ? i : 3]};
    CHECK(costs.chunk() >= before.chunk());
    CHECK(costs.sharing() >= before.sharing());
    CHECK(costs.looking() >= before.looking());
    before = costs;
  }
  CHECK(before.chunk() == 8);
  CHECK(before.sharing() == 16);
  CHECK(before.looking() == 50);
}

TEST_CASE("costs that make no sense do no harm") {
  for (const float odd : {0.0F, -1.0F, std::numeric_limits<float>::infinity()}) {
    CAPTURE(odd);
    const Costs costs{odd, odd, odd, odd, odd, odd, odd, odd};
    CHECK(costs.chunk() >= 1);
    CHECK(costs.chunk() <= 8);
    CHECK(costs.fence_tuning().patience >= 256);
    CHECK(costs.fence_tuning().patience <= 65'536);
    CHECK(costs.fence_tuning().asks >= 1);
    CHECK(costs.fence_tuning().asks <= 1'000);
    const Backoff backoff = costs.backoff(costs.looking());
    CHECK(backoff.spinning_rounds() >= 0);
    CHECK(backoff.yielding_rounds() >= 1);
    CHECK(backoff.yielding_rounds() <= 64);
  }
}

TEST_CASE("looks for so many microseconds are as many as the machine's pauses and yields make") {
  for (const float pause : {4.0F, 37.0F, 140.0F}) {
    for (const float microseconds : {5.0F, 20.0F, 50.0F}) {
      CAPTURE(pause);
      CAPTURE(microseconds);
      const Backoff backoff = Costs{.pause = pause, .yield = 500}.backoff(microseconds);
      float pauses = 0;
      for (int round = 0; round < backoff.spinning_rounds(); ++round)
        pauses += static_cast<float>(round < 16 ? round + 1 : 16);
      CHECK(pauses * pause / 1'000 <= 0.75F * microseconds + 0.001F * 16 * pause);
      CHECK(pauses * pause / 1'000 >= 0.75F * microseconds - 0.001F * 16 * pause);
      CHECK(backoff.yielding_rounds() == static_cast<int>(0.25F * microseconds * 1'000 / 500));
    }
  }
}

TEST_CASE("loops go by the costs that were measured") {
  furca::ThreadPool pool({.threads = 1});  // measures the clock
  const float microsecond = ticks_per_microsecond();
  for (const float steal : kSteals) {
    CAPTURE(steal);
    const Pretended machine({.steal = steal});
    const float sharing = Costs{.steal = steal}.sharing() * microsecond;
    const furca::detail::Pace pace(1, 1'000'000, 1);
    CHECK(pace.worth_sharing(static_cast<std::uint64_t>(1.2F * sharing), false));
    CHECK_FALSE(pace.worth_sharing(static_cast<std::uint64_t>(0.8F * sharing), false));
    CHECK(furca::detail::known_to_be_short(1, static_cast<std::uint64_t>(0.8F * sharing)));
    CHECK_FALSE(furca::detail::known_to_be_short(1, static_cast<std::uint64_t>(1.2F * sharing)));
  }
}

TEST_CASE("the pool's deques go by the fences that were measured") {
  for (const float heavy : kHeavyFences) {
    CAPTURE(heavy);
    const Pretended machine({.fence = 4, .heavy_fence = heavy});
    CHECK(furca::detail::StdAtomics::fence_tuning().patience ==
          doctest::Approx(Costs{.fence = 4, .heavy_fence = heavy}.fence_tuning().patience)
              .epsilon(0.01));
  }
}

TEST_CASE("what can be measured on one thread is measured when the first pool starts") {
  const furca::ThreadPool pool({.threads = 1});
  const Costs costs = measured_costs.get();
  for (const float cost : {costs.clock, costs.fence, costs.pause, costs.yield}) {
    CHECK(cost >= 0.1F);
    CHECK(std::isfinite(cost));  // a yield takes as long as another program has the processor
  }
}

TEST_CASE(
    "one loop wakes a thread if it is longer than that takes, shorter ones once they have lost as "
    "much as it costs the waker") {
  const float microsecond = ticks_per_microsecond();
  for (const float wake_up : kWakeUps) {
    CAPTURE(wake_up);
    WakeLatency latency;
    const auto passed = static_cast<std::uint64_t>(wake_up * microsecond / 1'000);
    latency.waking(ticks() - passed);
    latency.woken();
    latency.has_been_woken(ticks() - passed / 5);
    const float waker = latency.wakers_own();
    LoopRow row;
    CHECK(row.worth_waking(100, latency, 1, false) == waker + latency.get());
    row.ended_unshared(0.5F * waker, 1'000);
    CHECK(row.worth_waking(500, latency, 1, false) == doctest::Approx(1.5F * waker));
    row.ended_unshared(1.5F * waker, 1'000);
    CHECK(row.worth_waking(500, latency, 1, false) == doctest::Approx(0));
    // the row has ended
    CHECK(row.worth_waking(1'000, latency, 1, false) == waker + latency.get());
    row.ended_unshared(2 * waker, 2'000);
    row.ended_shared();
    CHECK(row.worth_waking(1'500, latency, 1, false) == waker + latency.get());
  }
}

TEST_CASE(
    "while it is not known what a wake-up costs, a guess must do; and now and then it is measured "
    "again") {
  LoopRow row;
  const WakeLatency unknown;
  CHECK(row.worth_waking(0, unknown, 1'234, false) == 1'234);
  WakeLatency known;
  known.waking(ticks() - 1'000);
  known.woken();
  CHECK(row.worth_waking(0, known, 1'234, true) == 0);
}
