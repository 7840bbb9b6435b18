// The pace of a loop. Times are given to it through the real clock, so what is checked holds
// however slow the machine is.
#include <furca/detail/loop/loop.hpp>
#include <furca/thread_pool.hpp>

#include "loop/pace.hpp"

#include "support/standard.hpp"

namespace {

using furca::detail::known_to_be_short;
using furca::detail::measured_costs;
using furca::detail::Pace;
using furca::detail::StepCost;
using furca::detail::StepCosts;
using furca::detail::ticks;
using furca::detail::ticks_per_microsecond;

constexpr std::uint64_t kMany = std::uint64_t{1} << 40U;

/// What a pool does when it starts: until then nothing is known of the machine.
[[maybe_unused]] const bool measured = (furca::detail::measured_costs.measure(), true);

/// At least so long.
void spend(float microseconds) {
  const auto wanted = static_cast<std::uint64_t>(microseconds * ticks_per_microsecond());
  for (const std::uint64_t start = ticks(); ticks() - start < wanted;) {
  }
}

/// Of two steps, the second of which takes long, as one that waits for another loop's.
struct SecondStepWaits {
  static constexpr float kMicroseconds = 200;
  void run(std::uint64_t, std::uint64_t hi, furca::detail::LoopEnd&) const {
    if (hi == 2) spend(kMicroseconds);
  }
};

}  // namespace

TEST_CASE("StepCost begins unknown, and learns the first thing it is told") {
  StepCost cost;
  CHECK(cost.get() == 0.0F);
  cost.learn(0.25F);
  CHECK(cost.get() == 0.25F);
}

TEST_CASE(
    "StepCost goes up at once, down by an eighth or, from far above, by half, and ignores what "
    "differs by less") {
  StepCost cost;
  cost.learn(100);
  cost.learn(112);
  CHECK(cost.get() == 100);
  cost.learn(88);
  CHECK(cost.get() == 100);
  cost.learn(400);
  CHECK(cost.get() == 400);
  cost.learn(201);
  CHECK(cost.get() == 350);
  cost.learn(1);
  CHECK(cost.get() == 175);
}

TEST_CASE("StepCost believes a step that was interrupted only so far") {
  StepCost cost;
  cost.learn(100);
  cost.learn(1'000'000);
  CHECK(cost.get() == 6400);
  cost.learn(1'000'000);
  CHECK(cost.get() == 409'600);
}

TEST_CASE("StepCost is young until it has learned eight times") {
  StepCost cost;
  for (int i = 0; i < 8; ++i) {
    CHECK(cost.young());
    cost.learn(100);
  }
  CHECK_FALSE(cost.young());
}

TEST_CASE("steps are taken to be even when two calls have been") {
  StepCost cost;
  for (int i = 0; i < 2; ++i) {
    CHECK_FALSE(cost.even());
    cost.judge(true);
  }
  CHECK(cost.even());
  cost.judge(true);
  CHECK(cost.even());
}

TEST_CASE("steps are doubted for a call after an uneven one, and for eight after two in a row") {
  StepCost cost;
  for (int i = 0; i < 2; ++i) cost.judge(true);
  for (int i = 0; i < 5; ++i) {
    cost.judge(false);
    CHECK_FALSE(cost.even());
    cost.judge(true);
    CHECK(cost.even());
  }
  for (int i = 0; i < 40; ++i) cost.judge(false);
  for (int i = 0; i < 8; ++i) {
    CHECK_FALSE(cost.even());
    cost.judge(true);
  }
  CHECK(cost.even());
}

TEST_CASE("StepCosts tells bodies and depths apart, and deep ones no more") {
  StepCosts costs;
  const std::array<std::uint64_t, 8> bodies{};
  const auto key = [&](std::size_t body, std::uint32_t depth) {
    return StepCosts::key(&bodies[4 * body], depth);
  };
  CHECK(costs.find(key(0, 0)) == nullptr);
  costs.add(key(0, 0)).learn(1);
  costs.add(key(0, 1)).learn(2);
  costs.add(key(1, 0)).learn(3);
  costs.add(key(0, 15)).learn(4);
  struct Known {
    std::size_t body;
    std::uint32_t depth;
    float ticks;
  };
  for (const Known& known : {Known{0, 0, 1}, {0, 1, 2}, {1, 0, 3}, {0, 15, 4}, {0, 1'000'000, 4}}) {
    CAPTURE(known.body);
    CAPTURE(known.depth);
    REQUIRE(costs.find(key(known.body, known.depth)) != nullptr);
    CHECK(costs.find(key(known.body, known.depth))->get() == known.ticks);
  }
}

TEST_CASE(
    "StepCosts forgets a body for another in its place, and never mistakes one for the other") {
  StepCosts costs;
  const std::vector<std::uint64_t> bodies(4'000);
  for (std::size_t body = 0; body < 1'000; ++body) {
    StepCost& cost = costs.add(StepCosts::key(&bodies[4 * body], 0));
    REQUIRE(cost.get() == 0);
    cost.learn(static_cast<float>(body + 1));
  }
  int known = 0;
  for (std::size_t body = 0; body < 1'000; ++body) {
    const StepCost* const cost = costs.find(StepCosts::key(&bodies[4 * body], 0));
    if (cost == nullptr) continue;
    ++known;
    CHECK(cost->get() == static_cast<float>(body + 1));
  }
  CHECK(known > 32);
  CHECK(known <= 64);
}

TEST_CASE("a loop of two steps does not take the second's wait for what a step costs") {
  constexpr auto& kFunctions = furca::detail::kFunctionsOf<SecondStepWaits, "second step waits">;
  const std::uint64_t key = StepCosts::key(&kFunctions, 0);
  bool kept = false;
  for (int tries = 0; tries < 20 && !kept; ++tries) {  // in one the system may stop the first step
    furca::ThreadPool pool({.threads = 2});
    pool.install([&] {
      StepCosts& costs = furca::detail::Worker::current().step_costs;
      for (int calls = 0; calls < 4; ++calls) costs.add(key).learn(400);
      CHECK(costs.add(key).young());  // so the next calls are measured
      for (int calls = 0; calls < 8; ++calls) {
        SecondStepWaits part;
        furca::detail::Loop(kFunctions, 2, 1, furca::StopToken(), nullptr).apart(true).run(&part);
      }
      kept = costs.find(key)->get() < SecondStepWaits::kMicroseconds / 8 * ticks_per_microsecond();
    });
  }
  CHECK(kept);
}

TEST_CASE("the clock goes on, and its rate is known and stays the same") {
  CHECK(ticks_per_microsecond() >= 1.0F);
  CHECK(ticks_per_microsecond() == ticks_per_microsecond());
  const std::uint64_t before = ticks();
  spend(10);
  CHECK(ticks() - before >= static_cast<std::uint64_t>(10 * ticks_per_microsecond()));
}

TEST_CASE(
    "the clock's rate is the steady clock's, though the first call of that may take a thousand "
    "times as long as others") {
  // under ThreadSanitizer it was taken to be a hundredth
  const float rate = ticks_per_microsecond();
  const std::uint64_t start_ns = furca::detail::steady_ticks();
  const std::uint64_t start = ticks();
  std::uint64_t elapsed_ns = 0;
  while (elapsed_ns < 50'000'000) elapsed_ns = furca::detail::steady_ticks() - start_ns;
  const float seen = static_cast<float>(ticks() - start) * 1'000 / static_cast<float>(elapsed_ns);
  CHECK(rate > seen / 2);
  CHECK(rate < seen * 2);
}

TEST_CASE("a body of unknown cost begins with one step, or the grain") {
  CHECK(Pace(0, kMany, 1).steps_now() == 1);
  CHECK(Pace(0, kMany, 64).steps_now() == 64);
  CHECK(Pace(0, 1, 1).steps_now() == 1);
  CHECK(Pace(0, 0, 1).steps_now() == 1);
  CHECK(Pace(0, kMany, 1).step_cost() == 0.0F);
}

TEST_CASE(
    "a known body's first chunk is at most a quarter of the shortest's worth, and an eighth of the "
    "loop") {
  const float microsecond = ticks_per_microsecond();
  for (const float cost :
       {0.001F, 0.1F, 1.0F, microsecond / 100, microsecond / 2, 10 * microsecond}) {
    CAPTURE(cost);
    for (const std::uint64_t steps :
         {std::uint64_t{1}, std::uint64_t{7}, std::uint64_t{8}, std::uint64_t{800}, kMany}) {
      CAPTURE(steps);
      const Pace pace(cost, steps, 1);
      CHECK(pace.step_cost() == cost);
      CHECK(pace.steps_now() >= 1);
      CHECK(pace.steps_now() <= std::max<std::uint64_t>(1, steps / 8));
      if (pace.steps_now() > 1)
        CHECK(static_cast<float>(pace.steps_now()) * cost <= 0.26F * measured_costs.chunk_ticks());
    }
  }
  // As large as these allow.
  CHECK(Pace(measured_costs.chunk_ticks() / 1000, kMany, 1).steps_now() >= 245);
  CHECK(Pace(measured_costs.chunk_ticks() / 1000, 80, 1).steps_now() == 10);
}

TEST_CASE("the grain is the least chunk, whatever a step costs") {
  Pace pace(1'000 * ticks_per_microsecond(), kMany, 500);
  CHECK(pace.steps_now() == 500);
  for (int i = 0; i < 5; ++i) {
    spend(50);
    pace.ran(1, kMany);
    CHECK(pace.steps_now() == 500);
  }
  CHECK(Pace(1, 8, 500).steps_now() == 500);
}

TEST_CASE("chunks grow at most fourfold at a time, and end somewhere even for an empty body") {
  Pace pace(0, kMany, 1);
  std::uint64_t last = pace.steps_now();
  std::uint64_t longest = 0;
  for (int i = 0; i < 100; ++i) {
    pace.ran(kMany, kMany);  // what a step took rounds to nothing
    CHECK(pace.steps_now() <= 4 * last);
    last = pace.steps_now();
    longest = std::max(longest, last);
  }
  CHECK(longest > 1000);
  CHECK(static_cast<float>(longest) <= 8 * measured_costs.chunk_ticks() / 0.05F + 2);
}

TEST_CASE(
    "a chunk is an eighth of what is left, between the shortest's worth and eight times that") {
  // two microseconds, where a look at the clock takes 20 ns
  const float shortest = measured_costs.chunk_ticks();
  for (const std::uint64_t left :
       {std::uint64_t{0}, std::uint64_t{100}, std::uint64_t{100'000}, kMany}) {
    CAPTURE(left);
    Pace pace(0.1F, kMany, 1);
    for (int i = 0; i < 20; ++i) {
      spend(1);
      pace.ran(1'000, left);
      const float worth = static_cast<float>(pace.steps_now() - 1) * pace.step_cost();
      CHECK(worth <= 8.05F * shortest);
      if (static_cast<float>(left) * pace.step_cost() < 7.5F * shortest)
        CHECK(worth <= 1.05F * shortest);
    }
  }
}

TEST_CASE("in pieces, so many steps run between two looks at the deque, whatever they cost") {
  for (const std::uint64_t piece : {std::uint64_t{1}, std::uint64_t{7}}) {
    Pace pace(0.1F, kMany, 1, piece);
    for (int i = 0; i < 40; ++i) {
      CHECK(pace.steps_now() == piece);
      pace.ran(piece, kMany);
    }
    spend(100);
    pace.ran(piece, kMany);
    CHECK(pace.steps_now() == piece);
  }
}

TEST_CASE(
    "in pieces, the clock is looked at once for many cheap steps, and before its word counts") {
  Pace pace(0.1F, kMany, 1, 1);
  int looks = 0;
  for (int i = 0; i < 10'000; ++i) {
    const std::uint64_t last = pace.last_clock();
    pace.ran(1, kMany);
    looks += pace.last_clock() != last ? 1 : 0;
  }
  CHECK(looks < 2'500);
  for (int i = 0; i < 2; ++i) {  // one of them is not the last of a chunk
    const float before = pace.busy().ticks;
    spend(100);
    pace.ran(1, kMany);
    CHECK(pace.busy().ticks >= before + 100 * ticks_per_microsecond());
  }
}

TEST_CASE("two pieces are worth sharing and splitting, however cheap those were that have run") {
  const float mean = measured_costs.sharing_ticks();
  Pace pace(mean, 10'000, 1, 3);
  pace.set_worth_waking(60 * measured_costs.sharing_ticks(), 1e6F, mean);
  for (int i = 0; i < 40; ++i) pace.ran(kMany, kMany);
  CHECK(pace.step_cost() < 0.01F * mean);
  CHECK(pace.divides(6));
  CHECK_FALSE(pace.divides(5));
  CHECK(pace.worth_sharing(6, false));
  CHECK(pace.worth_splitting(6));
  CHECK(pace.worth_sharing(61, true));  // the mean counts where a thread has to be woken
  CHECK_FALSE(pace.worth_sharing(59, true));
}

TEST_CASE("what all steps of a loop took is counted, others' with its own, and no waits") {
  Pace pace(0, kMany, 1);
  spend(100);
  pace.ran(7, kMany);
  const Pace::Busy own = pace.busy();
  CHECK(own.ticks >= 100 * ticks_per_microsecond());
  pace.add_busy(own);
  CHECK(pace.busy().ticks == 2 * own.ticks);
  CHECK(pace.busy().slow_ticks == 2 * own.slow_ticks);
  CHECK(pace.busy().slow_steps == 2 * own.slow_steps);
}

TEST_CASE(
    "slow are the steps of a chunk that takes far longer than chunks, or far more than the mean") {
  const float chunk = measured_costs.chunk_ticks() / ticks_per_microsecond();
  Pace unknown(0, kMany, 1);
  spend(20 * chunk);
  unknown.ran(7, kMany);
  CHECK(unknown.busy().slow_ticks == unknown.busy().ticks);
  CHECK(unknown.busy().slow_steps == 7);

  Pace pieces(measured_costs.chunk_ticks(), kMany, 1, 1);
  spend(100 * chunk);
  pieces.ran(10, kMany);
  CHECK(pieces.busy().slow_steps == 10);

  Pace expected(1e12F, kMany, 1, 1);  // so much was to be expected
  spend(20 * chunk);
  expected.ran(10, kMany);
  CHECK(expected.busy().slow_steps == 0);
}

TEST_CASE("known to be short: what is not worth sharing, and only if known") {
  const float step = measured_costs.sharing_ticks() / 100;
  CHECK_FALSE(known_to_be_short(0, 1));
  CHECK(known_to_be_short(step, 99));
  CHECK_FALSE(known_to_be_short(step, 101));
  CHECK_FALSE(known_to_be_short(0.05F, kMany));
}

TEST_CASE("a slow step brings the chunk down to one at once") {
  Pace pace(0.1F, kMany, 1);
  for (int i = 0; i < 10; ++i) pace.ran(kMany, kMany);
  const std::uint64_t before = pace.steps_now();
  CHECK(before > 1000);
  spend(100);
  pace.ran(1, kMany);
  CHECK(pace.step_cost() >= 50 * ticks_per_microsecond());
  CHECK(pace.steps_now() == 1);
}

TEST_CASE("what is seen first is believed; later it is averaged") {
  Pace unknown(0, kMany, 1);
  spend(100);
  unknown.ran(1, kMany);
  CHECK(unknown.step_cost() >= 100 * ticks_per_microsecond());

  const float known_cost = 1e12F;
  Pace known(known_cost, kMany, 1);
  known.ran(kMany, kMany);
  CHECK(known.step_cost() >= 0.5F * known_cost);
  CHECK(known.step_cost() < 0.75F * known_cost);
}

TEST_CASE("time spent elsewhere is not the loop's after resume") {
  // A descheduled test would see its own pause; that cannot happen each time.
  bool forgotten = false;
  for (int attempt = 0; attempt < 1000 && !forgotten; ++attempt) {
    Pace pace(0, kMany, 1);
    spend(100);
    pace.resume();
    pace.ran(1, kMany);
    forgotten = pace.step_cost() < 100 * ticks_per_microsecond();
  }
  CHECK(forgotten);
}

TEST_CASE(
    "worth sharing: unknown cost always, known cost from a few microseconds on, more if somebody "
    "must be woken") {
  const float step = measured_costs.sharing_ticks() / 100;
  CHECK(Pace(0, 2, 1).worth_sharing(2, false));
  CHECK(Pace(0, 2, 1).worth_sharing(2, true));

  const Pace pace(step, 1000, 1);
  CHECK_FALSE(pace.worth_sharing(99, false));
  CHECK(pace.worth_sharing(101, false));
  CHECK_FALSE(pace.worth_sharing(101, true));
  CHECK_FALSE(pace.worth_sharing(599, true));
  CHECK(pace.worth_sharing(601, true));
}

TEST_CASE(
    "worth waking: from as many ticks on as a wake-up is worth, but no less than what is worth "
    "sharing") {
  const float microsecond = ticks_per_microsecond();
  Pace pace(measured_costs.sharing_ticks() / 100, 1000, 1);
  pace.set_worth_waking(0);
  CHECK_FALSE(pace.worth_sharing(99, true));
  CHECK(pace.worth_sharing(101, true));
  pace.set_worth_waking(20 * measured_costs.sharing_ticks());
  CHECK_FALSE(pace.worth_sharing(1'999, true));
  CHECK(pace.worth_sharing(2'001, true));
  CHECK(pace.worth_sharing(101, false));

  Pace unknown(0, 1000, 1);
  unknown.set_worth_waking(30 * microsecond);
  CHECK(unknown.worth_sharing(2, true));
}

TEST_CASE(
    "worth waking: what is known of a body counts until chunks have run for long enough to be "
    "believed") {
  const float microsecond = ticks_per_microsecond();
  const float known = 0.001F * measured_costs.sharing_ticks();
  Pace pace(known, 1'000, 1);  // as long as what is worth sharing
  pace.set_worth_waking(10 * measured_costs.sharing_ticks(), 1e6F * microsecond, known);
  spend(100);
  pace.ran(1, 999);  // a first step that takes as long as a hundred thousand were to
  CHECK(pace.step_cost() > 50 * known);
  CHECK_FALSE(pace.worth_sharing(1'000, true));
  CHECK(pace.worth_sharing(1'000, false));

  Pace believed(known, 1'000, 1);
  believed.set_worth_waking(10 * measured_costs.sharing_ticks(), 50 * microsecond, known);
  spend(100);
  believed.ran(1, 999);
  CHECK(believed.worth_sharing(1'000, true));

  Pace seen(100 * known, 1'000, 1);  // this call's first steps took so long
  seen.set_worth_waking(10 * measured_costs.sharing_ticks(), 1e6F * microsecond, known);
  CHECK_FALSE(seen.worth_sharing(1'000, true));
  CHECK(seen.worth_sharing(1'000, false));

  Pace unknown(0, 1'000, 1);
  unknown.set_worth_waking(10 * measured_costs.sharing_ticks(), 1e6F * microsecond);
  spend(100);
  unknown.ran(1, 999);
  CHECK(unknown.worth_sharing(1'000, true));

  Pace cheaper(1'000 * microsecond, 1'000, 1);  // what is seen to be cheap is not waited for
  cheaper.set_worth_waking(1e8F * microsecond, 1e6F * microsecond, 1'000 * microsecond);
  CHECK(cheaper.worth_sharing(1'000'000, true));
  for (int i = 0; i < 20; ++i) cheaper.ran(kMany, kMany);
  CHECK_FALSE(cheaper.worth_sharing(1'000'000, true));
}

TEST_CASE("a loop knows whether it has published anything") {
  Pace pace(0, 1000, 1);
  CHECK_FALSE(pace.shared());
  pace.begin_portion(1);
  CHECK(pace.shared());
}

TEST_CASE(
    "few steps are not divided below half of what is worth sharing, nor below the grain; of "
    "unknown cost, down to one") {
  const float sharing = measured_costs.sharing_ticks();
  CHECK(Pace::piece_for(0, 1) == 1);
  CHECK(Pace::piece_for(0, 5) == 5);
  CHECK(Pace::piece_for(sharing, 1) == 1);
  CHECK(Pace::piece_for(sharing / 20, 1) == 10);
  CHECK(Pace::piece_for(sharing / 20, 16) == 16);
}

TEST_CASE(
    "worth splitting: unknown cost always, known cost from four times what is worth sharing on") {
  CHECK(Pace(0, 2, 1).worth_splitting(2));
  const Pace pace(measured_costs.sharing_ticks() / 100, 1000, 2);
  CHECK_FALSE(pace.worth_splitting(399));
  CHECK(pace.worth_splitting(401));
}

TEST_CASE("divided is never a single step, and never into halves below the grain") {
  CHECK_FALSE(Pace(0, 1, 1).divides(0));
  CHECK_FALSE(Pace(0, 1, 1).divides(1));
  const Pace slow(1'000 * ticks_per_microsecond(), kMany, 100);
  CHECK_FALSE(slow.divides(199));
  CHECK(slow.divides(200));
  for (const std::uint64_t grain : {std::uint64_t{1} << 63U, UINT64_MAX / 2, UINT64_MAX})
    CHECK_FALSE(Pace(0, 1000, grain).divides(1000));
}
